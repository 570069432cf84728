import { can } from "../../../access/policy.ts";
import { column, onlyReduced, readOnly, via } from "../../../access/reach.ts";
import { notAllowedHere } from "../../../base/errors.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import { at, onRow } from "../../../jsonapi/definition/row-conditions.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { formFieldsOf } from "./fields.ts";
import { formStatuses } from "./statuses.ts";
import { createForm, updateForm } from "./write-form.ts";

const mayWrite = onRow`${at("forms:write")}`;

const hasSubmissions = onRow`exists (select from form_submissions submission
  where submission.account_id = forms.account_id and submission.form_id = forms.id)`;

export const forms = resource({
  type: "forms",
  description: "A form that visitors of a website, members and staff fill in.",
  table: "forms",
  ...formFieldsOf,
  filters: {
    "name": { match: "contains", column: "name_folded" },
    "slug": { match: "equals-text", column: "slug", by: "lower" },
    "status": { match: "one-of", column: "status", values: formStatuses },
    "cell": { match: "id", column: "cell_id", orNone: true },
    "course": { match: "id", column: "course_id", orNone: true },
    "owner": { match: "id", column: "owner_id" },
  },
  sorts: { ...timeSorts, name: { column: "name_folded" } },
  defaultSort: "name",
  operations: {
    list: can("forms:read"),
    read: can("forms:read"),
    create: { allow: can("forms:write"), run: createForm },
    update: {
      allow: can("forms:write"),
      refuses: ["invalid-transition"],
      run: updateForm,
    },
    delete: can("forms:delete"),
  },
  actions: {
    open: { sets: { status: "open" }, allowedIf: mayWrite },
    close: { sets: { status: "closed" }, allowedIf: mayWrite },
    archive: { sets: { status: "archived" }, allowedIf: mayWrite },
    withdraw: {
      sets: { status: "draft" },
      allowedIf: mayWrite,
      refusedIf: { "invalid-transition": hasSubmissions },
    },
  },
  place: ["cell", "course"],
  reach: {
    cell: column("cell_id"),
    course: column("course_id"),
    self: onlyReduced(
      readOnly(
        via("form_readers", {
          from: "form_id",
          to: "person_id",
          through: "cell-memberships",
          former: {
            ids: `array(select member.person_id from active_cell_memberships member
              where member.account_id = gone.account_id and member.cell_id = gone.cell_id)`,
            where: "gone.requires_login and gone.status in ('open', 'closed')",
          },
        }),
      ),
    ),
    public: {
      where:
        "forms.cell_id is null and forms.requires_login and forms.status in ('open', 'closed')",
    },
  },
  reduced: {
    fullWith: "forms:read",
    members: [
      "name",
      "description",
      "slug",
      "status",
      "opens-at",
      "closes-at",
      "requires-login",
      "fields",
      "privacy-notice",
      "version",
      "confirmation-message",
      "retention-days",
      "created-at",
      "modified-at",
    ],
  },
  constraints: {
    forms_slug_key: alreadyExists("/data/attributes/slug", "Another form has this slug."),
    forms_one_place: {
      pointer: "/data/relationships/course/data",
      code: "invalid-relationship",
      breaks: notAllowedHere("A form belongs to a cell or to a course, not to both."),
    },
    forms_closes_after_opening: {
      pointer: "/data/attributes/closes-at",
      breaks: { rule: "after", other: "/data/attributes/opens-at" },
    },
  },
});
