import {
  type Attribute,
  boolean,
  choice,
  computed,
  defaulted,
  describe,
  integer,
  list,
  map,
  object,
  optional,
  readOnly,
  redacted,
  selfEditable,
  text,
  timestamp,
  timestamps,
  writeOnly,
} from "../../../jsonapi/definition/attributes.ts";
import {
  author,
  authorship,
  linkOnly,
  toMany,
  toOne,
} from "../../../jsonapi/definition/relationships.ts";
import { readable } from "../../../jsonapi/definition/readable.ts";
import { limits } from "../../../base/limits.ts";
import { submissionStatuses } from "./statuses.ts";

export const submissionSources = ["public", "staff", "member", "import"] as const;

export const matches = ["linked", "suggested", "none"] as const;

/**
 * The person of the submission is known, or the service suggests somebody whom the caller reads. Another suggestion would tell the
 * caller that an address belongs to a person of the account.
 */
export const match = `case when form_submissions.person_id is not null then 'linked'
  when exists (select from form_submission_suggestions suggested
    where suggested.account_id = form_submissions.account_id and suggested.submission_id = form_submissions.id
      and ${readable("people", "suggested.person_id")})
    then 'suggested' else 'none' end`;

/** The attributes of that person that would change, if every answer were accepted. */
const suggestedChanges = `form_suggested_changes(form_submissions, (
  select likely.person_id from form_likely_people likely
  where likely.account_id = form_submissions.account_id and likely.submission_id = form_submissions.id
    and ${readable("people", "likely.person_id")}
  order by likely.position, likely.person_id limit 1))`;

/** The schema accepts any value, because code generators do not support members of several types. */
const anything = (description: string): Attribute<unknown> => ({
  schema: {},
  description,
  storage: "json",
  mode: "required",
  nullable: false,
});

/** Callers send `true`. Answers have the version and the time. The operation reads the value. */
const consent = (): Attribute<unknown, "optional"> => ({
  schema: {},
  description:
    "Callers send `true`. Answers have null, or an object with the `version` of the form and the time `granted-at`. Required if the form has a `privacy-notice`.",
  storage: "json",
  mode: "optional",
  nullable: true,
});

export const submissionFields = {
  attributes: {
    ...timestamps,
    "submitted-at": readOnly(timestamp()),
    "answers": describe(redacted(selfEditable(map(anything("An answer."), limits.formFieldsMax))), {
      onlyCreated: true,
      example: { "full-name": "Ana Lima", "email": "ana@example.org" },
      description:
        "The answers by the keys of the fields. Answers to hidden fields are dropped, and elements of HTML are removed. At most 64 KiB.",
    }),
    "form-version": readOnly(integer({ minimum: 1 })),
    "status": describe(defaulted(choice(submissionStatuses)), {
      onlyChanged: true,
      description: "`processed` carries out the actions of the form together, or is rejected.",
    }),
    "source": readOnly(choice(submissionSources)),
    "consent": describe(selfEditable(consent()), { onlyCreated: true, example: true }),
    "is-confirmed": describe(readOnly(boolean()), {
      description: "Whether the owner of the e-mail address confirmed the submission.",
    }),
    "match": describe(computed(choice(matches), match), {
      description:
        "`suggested` if the caller can read one of the people whom the service suggests. `linked` if the submission has a `person`.",
    }),
    "suggested-changes": describe(
      computed(map(anything("The present value, and that of the answer."), 100), suggestedChanges),
      {
        readableWith: "person-details:read",
        description:
          "While the submission is `new`: the values of the linked person, or of the first suggested one whom the caller can read, that differ from the answers, by attribute, as `from` and `to`.",
      },
    ),
    "accepted-changes": describe(
      writeOnly(
        optional(
          list(text({ maxLength: 100 }), { maxItems: limits.formFieldsMax, uniqueItems: true }),
        ),
      ),
      {
        onlyChanged: true,
        description:
          "With the status `processed` and a `person`: the attributes that get the values of the answers. Requires `people:write`.",
      },
    ),
    "create-person": describe(writeOnly(optional(boolean())), {
      onlyChanged: true,
      description:
        "With the status `processed` and without a `person`: `true` creates the person although the account may have the sender already.",
    }),
    "spam-score": readOnly(integer({ minimum: 0, maximum: 100 })),
    "results": describe(
      readOnly(
        optional(
          object({
            "person-created": boolean(),
            "cell-membership": optional(text({ maxLength: 36 })),
            "course-enrollment": optional(text({ maxLength: 36 })),
          }),
        ),
      ),
      { description: "The records that the actions created." },
    ),
  },
  relationships: {
    ...authorship,
    "form": toOne("forms", { column: "form_id", required: true, onlyCreated: true }),
    "person": toOne("people", { column: "person_id" }),
    "suggested-people": linkOnly(
      toMany("people", {
        table: "form_submission_suggestions",
        from: "submission_id",
        to: "person_id",
        order: "position",
        tells: true,
        max: limits.formSuggestionsMax,
      }),
    ),
    "reviewed-by": author("reviewed_by"),
  },
};

export type SubmissionFields = typeof submissionFields;
