import { fail } from "../../../base/errors.ts";
import {
  boolean,
  describe,
  example,
  integer,
  lines,
  optional,
  text,
} from "../../../jsonapi/definition/attributes.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import {
  honeypot,
  isFilledIn,
  proof,
  publicWrite,
  type Received,
  type ResourceKey,
  type VisitContext,
} from "../../../jsonapi/definition/public-write.ts";
import { toOne } from "../../../jsonapi/definition/relationships.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import type { Queryable } from "../../../store/db.ts";
import type { FormField } from "../forms/form-field.ts";
import { readAnswers } from "./answers.ts";
import { formSubmissions } from "./definition.ts";
import { submissionFields } from "./fields.ts";
import { processConfirmed } from "./process-confirmed.ts";
import { receiveSubmission } from "./receive-submission.ts";
import { assertTakesSubmissions, findForm } from "./stored-form.ts";

const fields = {
  attributes: {
    "form-version": example(1, integer({ minimum: 1 })),
    "answers": submissionFields.attributes.answers,
    "consent": describe(optional(boolean()), {
      example: true,
      description:
        "`true` if the visitor consents to the privacy notice. Required if the form has one.",
    }),
    "form-token": describe(text({ maxLength: 200 }), {
      example: "AZgOXEoAcACAAAAAAAAAAAAAAAEBmA5cSgB…",
      description: "The token that the form was read with.",
    }),
    "proof": proof(),
    "website": honeypot(),
  },
  relationships: {
    form: toOne("forms", { column: "form_id", required: true }),
  },
};

/** `POST /p/v1/form-submissions` */
export const submissionsOfVisitors = publicWrite({
  type: "form-submissions",
  description:
    "A visitor fills in a form. The checks run in this order: the form, the token, the proof, the version, whether the form is open, the answers.",
  ...fields,
  status: 201,
  receipt: {
    "confirmation-message": optional(lines({ maxLength: 2_000 })),
    "confirmation-sent": describe(boolean(), {
      description: "Whether the form confirms the e-mail address by a mail.",
    }),
  },
  limited: { by: "form", perHour },
  refuses: [
    "form-token-invalid",
    "form-token-used",
    "proof-invalid",
    "form-version-changed",
    "form-closed",
  ],
  run: submit,
  confirmation: { waiting, arrived, confirm: processConfirmed },
});

const SPAM_SCORE_WITHOUT_PROOF = 20;

interface PublicFacts {
  needsProof: boolean;
  confirmsEmail: boolean;
  message: string | null;
  notified: string[];
}

async function submit(
  given: VisitContext,
  { attributes, toOne: { form: formId } }: CreateInput<typeof fields>,
): Promise<Received> {
  const context = forType(given, formSubmissions);
  const { actor, db, resource, sendsMail } = context;
  const { visit } = given;
  const { accountId } = actor;
  const form = await findForm(db, accountId, formId);
  const facts = form && (await publicFactsOf(db, { accountId, id: formId }));
  if (!form || !facts || form.status === "draft" || form.requiresLogin)
    throw absentTarget(resource, "form");
  const token = await visit.checkToken(attributes["form-token"], form.id);
  const isProved = await visit.checkProof(attributes.proof, facts.needsProof);
  if (attributes["form-version"] !== form.version || token.version !== form.version)
    throw fail("form-version-changed", "The form has changed.", {
      pointer: "/data/attributes/form-version",
    });
  assertTakesSubmissions(form);

  const read = await readAnswers(context, form.fields, attributes.answers);
  const isSpam = token.isHasty || isFilledIn(attributes.website);
  const hasConsent = attributes.consent === true;
  const id = await receiveSubmission(context, form, {
    read,
    hasConsent,
    ...(hasConsent && { ipHash: visit.senderHash }),
    source: "public",
    status: isSpam ? "spam" : "new",
    spamScore: isSpam ? 100 : isProved && facts.needsProof ? 0 : SPAM_SCORE_WITHOUT_PROOF,
  });
  const email = facts.confirmsEmail ? emailIn(form.fields, read.answers) : undefined;
  const isConfirmed = email !== undefined && isProved;
  return {
    receipt: {
      "confirmation-message": facts.message,
      "confirmation-sent": isConfirmed && sendsMail,
    },
    // Without a proof, a program could make the service send mails.
    ...(isConfirmed && !isSpam && { confirms: { id, email } }),
    ...(!isSpam && { arrived: { id, personIds: facts.notified } }),
  };
}

async function perHour(db: Queryable, { accountId, id }: ResourceKey) {
  const [form] = await db<{ max: number }[]>`
    select max_per_hour as max from forms where account_id = ${accountId} and id = ${id}`;
  return form?.max;
}

async function publicFactsOf(
  db: Queryable,
  { accountId, id }: ResourceKey,
): Promise<PublicFacts | undefined> {
  const [form] = await db<PublicFacts[]>`
    select challenge = 'pow' as "needsProof", confirmation_email as "confirmsEmail",
      confirmation_message as message,
      array(select person_id from form_notified_people notified
        where notified.account_id = forms.account_id and notified.form_id = forms.id) as notified
    from forms where account_id = ${accountId} and id = ${id}`;
  return form;
}

/** The address that becomes that of the person, or else the first one. */
function emailIn(
  questions: readonly FormField[],
  answers: Readonly<Record<string, unknown>>,
): string | undefined {
  const answered = questions.filter(
    ({ key, type }) => type === "email" && typeof answers[key] === "string",
  );
  const field = answered.find((one) => one["maps-to"] === "email") ?? answered[0];
  return field && (answers[field.key] as string);
}

async function waiting(db: Queryable, { accountId, id }: ResourceKey) {
  const [submission] = await db<
    { questions: FormField[]; answers: Record<string, unknown>; place: string }[]
  >`
    select number.fields as questions, submission.answers, form.name as place
    from form_submissions submission
    join forms form on form.account_id = submission.account_id and form.id = submission.form_id
    join form_versions number on number.account_id = submission.account_id
      and number.form_id = submission.form_id and number.number = submission.form_version
    where submission.account_id = ${accountId} and submission.id = ${id} and submission.status <> 'spam'
      and not submission.is_confirmed`;
  const email = submission && emailIn(submission.questions, submission.answers);
  return email === undefined ? undefined : { email, place: submission?.place ?? "" };
}

async function arrived(db: Queryable, { accountId, id }: ResourceKey) {
  const [form] = await db<{ id: string; name: string }[]>`
    select form.id, form.name from form_submissions submission
    join forms form on form.account_id = submission.account_id and form.id = submission.form_id
    where submission.account_id = ${accountId} and submission.id = ${id}`;
  return form && { place: form.name, page: `/forms/${form.id}/submissions/${id}` };
}
