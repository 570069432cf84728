import { limits } from "../../../base/limits.ts";
import {
  choice,
  describe,
  example,
  list,
  object,
  readOnly,
  text,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { authorship, toMany } from "../../../jsonapi/definition/relationships.ts";

/** The decisions that need no look at the person. */
export const decisions = ["rejected", "spam", "archived"] as const;

export const outcomes = ["changed", "unchanged", "invalid-transition", "forbidden"] as const;

export const changeFields = {
  attributes: {
    ...timestamps,
    status: example("archived", choice(decisions)),
    results: describe(
      readOnly(
        list(object({ id: text({ maxLength: 36 }), outcome: choice(outcomes) }), {
          maxItems: limits.formSubmissionsAtOnce,
        }),
      ),
      {
        description:
          "The result for each submission, in the order of the document. `forbidden`: the caller may read it, and not decide it.",
      },
    ),
  },
  relationships: {
    ...authorship,
    "form-submissions": toMany("form-submissions", {
      table: "form_submission_change_submissions",
      from: "change_id",
      to: "submission_id",
      required: true,
    }),
  },
};

export type ChangeFields = typeof changeFields;
