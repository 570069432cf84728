import { can } from "../../../access/policy.ts";
import { column, readOnly, via } from "../../../access/reach.ts";
import { at, onRow } from "../../../jsonapi/definition/row-conditions.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { placesOfForm } from "../places.ts";
import { createSubmission } from "./create-submission.ts";
import { deleteSubmission } from "./delete-submission.ts";
import { match, matches, submissionFields, submissionSources } from "./fields.ts";
import { submissionStatuses } from "./statuses.ts";
import { updateSubmission } from "./update-submission.ts";

/** The day in the time zone of the account. */
const submittedOn =
  "((form_submissions.submitted_at at time zone time_zone_of(form_submissions.account_id))::date)";

const mayWrite = onRow`${at("form-submissions:write")}`;

export const formSubmissions = resource({
  type: "form-submissions",
  description: "The answers of a person to a form.",
  table: "form_submissions",
  ...submissionFields,
  filters: {
    "form": { match: "id", column: "form_id" },
    "status": { match: "one-of", column: "status", values: submissionStatuses },
    "person": { match: "id", column: "person_id" },
    "match": { match: "one-of", column: `(${match})`, values: matches },
    "source": { match: "one-of", column: "source", values: submissionSources },
    "since": { match: "since", column: "submitted_at" },
    "until": { match: "until", column: "submitted_at" },
    "submitted-from": { match: "from", column: submittedOn },
    "submitted-to": { match: "to", column: submittedOn },
    "email": { match: "equals-text", column: "sender_email", by: "lower" },
    "q": { match: "search", text: { table: "form_submissions", from: "id", column: "words" } },
  },
  sorts: { ...timeSorts, "submitted-at": { column: "submitted_at" } },
  defaultSort: "-submitted-at",
  operations: {
    list: can("form-submissions:read"),
    read: can("form-submissions:read"),
    create: {
      allow: can("form-submissions:write"),
      anyScope: ["form-submissions:write"],
      description:
        "Staff enter a submission on paper. People fill in a form with `requires-login` for themselves.",
      refuses: ["form-closed", "form-version-changed"],
      run: createSubmission,
    },
    update: {
      allow: can("form-submissions:write"),
      description:
        "The status `processed` carries out all actions of the form. An action that is rejected rejects the change, with the code of the action and the pointer `/data`.",
      refuses: [
        "invalid-transition",
        "already-exists",
        "person-found",
        "cell-closed",
        "participant-elsewhere",
        "class-full",
        "class-not-open",
        "enrollment-closed",
        "requirements-unmet",
      ],
      run: updateSubmission,
    },
    delete: { allow: can("form-submissions:delete"), run: deleteSubmission },
  },
  actions: {
    "process": { sets: { status: "processed" }, allowedIf: mayWrite },
    "reject": { sets: { status: "rejected" }, allowedIf: mayWrite },
    "mark-as-spam": { sets: { status: "spam" }, allowedIf: mayWrite },
    "archive": { sets: { status: "archived" }, allowedIf: mayWrite },
    "reopen": { sets: { status: "new" }, allowedIf: mayWrite },
  },
  place: "form",
  reach: {
    cell: via("form_submission_places", {
      from: "form_submission_id",
      to: "cell_id",
      former: { ids: placesOfForm },
    }),
    course: via("form_submission_places", {
      from: "form_submission_id",
      to: "course_id",
      former: { ids: placesOfForm },
    }),
    self: readOnly(column("person_id")),
  },
});
