import { can } from "../../../access/policy.ts";
import { via } from "../../../access/reach.ts";
import {
  integer,
  lines,
  optional,
  readOnly,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import { authorship, linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { formFields } from "../forms/form-field.ts";
import { placesOfForm } from "../places.ts";

export const formVersions = resource({
  type: "form-versions",
  description: "The questions and the privacy notice that a submission answered.",
  table: "form_versions",
  unversioned: true,
  attributes: {
    ...timestamps,
    "number": readOnly(integer({ minimum: 1 })),
    "fields": readOnly(formFields()),
    "privacy-notice": readOnly(optional(lines({ maxLength: 20_000 }))),
  },
  relationships: {
    ...authorship,
    form: linkOnly(toOne("forms", { column: "form_id" })),
  },
  filters: {
    form: { match: "id", column: "form_id" },
    number: { match: "number", column: "number", minimum: 1, maximum: 1_000_000 },
  },
  sorts: { ...timeSorts, number: { column: "number" } },
  defaultSort: "id",
  operations: {
    list: can("forms:read"),
    read: can("forms:read"),
  },
  reach: {
    cell: via("form_version_places", {
      from: "form_version_id",
      to: "cell_id",
      former: { ids: placesOfForm },
    }),
    course: via("form_version_places", {
      from: "form_version_id",
      to: "course_id",
      former: { ids: placesOfForm },
    }),
  },
  constraints: {
    form_versions_number_key: alreadyExists("/data", "The form has a version of this number."),
  },
});
