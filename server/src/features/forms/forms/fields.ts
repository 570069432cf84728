import {
  boolean,
  choice,
  computed,
  defaulted,
  describe,
  example,
  formatted,
  integer,
  lines,
  object,
  optional,
  list,
  readOnly,
  text,
  timestamp,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import { idOfResource, named } from "../../../jsonapi/definition/names.ts";
import { authorship, computedToOne, toOne } from "../../../jsonapi/definition/relationships.ts";
import { checkFields } from "./check-fields.ts";
import { formFields } from "./form-field.ts";
import { formStatuses } from "./statuses.ts";
import { limits } from "../../../base/limits.ts";

export const challenges = ["none", "pow"] as const;

/** The actions with all their members, without targets that were deleted. */
const actionsShown = "form_actions(forms)";

const actions = () =>
  object(
    {
      "create-or-match-person": optional(boolean()),
      "add-to-cell": optional(idOfResource()),
      "enroll-in-class": optional(idOfResource()),
      "notify": optional(
        list(idOfResource(), { maxItems: limits.formNotifiedMax, uniqueItems: true }),
      ),
    },
    "FormActions",
  );

export const formFieldsOf = {
  attributes: {
    ...timestamps,
    "name": example("New here?", named(200)),
    "description": optional(lines({ maxLength: 5_000 })),
    "slug": describe(
      optional(
        text({
          maxLength: 80,
          pattern: "^[a-z0-9](-?[a-z0-9]){0,79}$",
          ...formatted("slug"),
        }),
      ),
      { example: "new-here", description: "The address of the form on websites." },
    ),
    "status": describe(defaulted(choice(formStatuses)), {
      example: "open",
      description:
        "Websites show an `open` form between `opens-at` and `closes-at`, and below `max-submissions`.",
    }),
    "opens-at": optional(timestamp()),
    "closes-at": optional(timestamp()),
    "max-submissions": optional(integer({ minimum: 1, maximum: limits.formSubmissionsMax })),
    "max-per-hour": describe(
      defaulted(integer({ minimum: limits.visitsPerFormMin, maximum: limits.visitsPerFormMax })),
      { description: "The submissions of visitors that the form takes in an hour." },
    ),
    "requires-login": describe(defaulted(boolean()), {
      description: "People fill in the form after they log in. Websites do not show it.",
    }),
    "fields": describe(formFields(), {
      check: checkFields,
      description: "The questions in their order.",
    }),
    "privacy-notice": describe(optional(lines({ maxLength: 20_000 })), {
      example: "We use your answers to welcome you, and delete them after a year.",
      description: "A submission then needs the consent of its sender.",
    }),
    "version": describe(readOnly(integer({ minimum: 1 })), {
      column: "version_number",
      description: "Increases with every change of `fields` or `privacy-notice`.",
    }),
    "actions": describe(defaulted(actions()), {
      expression: actionsShown,
      example: { "create-or-match-person": true },
      description:
        "The steps for which a submission is processed. `notify` are people who get a mail about each arrival.",
    }),
    "confirmation-message": optional(lines({ maxLength: 2_000 })),
    "confirmation-email": describe(defaulted(boolean()), {
      description: "The sender confirms the e-mail address by a link.",
    }),
    "challenge": describe(defaulted(choice(challenges)), {
      description: "`pow`: the page of the form solves a computing task, which slows down robots.",
    }),
    "retention-days": describe(defaulted(integer({ minimum: 30, maximum: 1_825 })), {
      description: "Submissions are deleted after this time.",
    }),
    "submissions-count": describe(
      computed(integer({ minimum: 0 }), "form_submissions_count(forms)"),
      {
        description: "The submissions that are no spam.",
      },
    ),
  },
  relationships: {
    ...authorship,
    owner: toOne("people", { column: "owner_id" }),
    cell: toOne("cells", { column: "cell_id", onlyCreated: true, cascades: true }),
    course: toOne("courses", { column: "course_id", onlyCreated: true, cascades: true }),
    totals: computedToOne("form-totals", "forms.id"),
  },
};

export type FormFields = typeof formFieldsOf;
