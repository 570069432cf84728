import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { limits } from "../../../base/limits.ts";
import {
  date,
  decimal,
  describe,
  integer,
  list,
  map,
  object,
  optional,
  readOnly,
  text,
} from "../../../jsonapi/definition/attributes.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";

const count = () => integer({ minimum: 0 });

/** GET /v1/forms/:id/totals. The id is that of the form. */
export const formTotals = resource({
  type: "form-totals",
  description: "The submissions of a form in numbers. Spam and declined submissions do not count.",
  table: "form_totals",
  unversioned: true,
  attributes: {
    fields: describe(
      readOnly(
        list(
          object({
            key: text({ maxLength: 63 }),
            answered: count(),
            counts: optional(
              list(object({ value: text({ maxLength: 200 }), count: count() }), {
                maxItems: limits.formOptionsMax,
              }),
            ),
            sum: optional(decimal()),
          }),
          { maxItems: limits.formFieldsMax },
        ),
      ),
      {
        description:
          "For each field with options, how often each of its values was chosen, the most frequent first. For each number, the sum.",
      },
    ),
    sources: describe(readOnly(map(count(), 4)), {
      description: "The number of submissions by their `source`.",
    }),
    days: describe(readOnly(list(object({ date: date(), count: count() }), { maxItems: 90 })), {
      description: "Those of the last 90 days, by the day in the time zone of the account.",
    }),
  },
  relationships: {},
  filters: {},
  sorts: {},
  defaultSort: "id",
  operations: { read: can("form-submissions:read") },
  reach: { cell: column("cell_id"), course: column("course_id") },
});
