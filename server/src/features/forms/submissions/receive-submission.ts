import { lockPeople } from "../../../access/locks.ts";
import { ApiError, fail } from "../../../base/errors.ts";
import { enqueue } from "../../../jobs/queues.ts";
import { limits } from "../../../base/limits.ts";
import type { Resource, WriteContext } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { captureRows, insertRow } from "../../../jsonapi/sql/write.ts";
import { now } from "../../../base/clock.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import type { ReadAnswers } from "./answers.ts";
import type { SubmissionFields } from "./fields.ts";
import { senderSearches } from "./find-senders.ts";
import { proposedBy } from "./proposals.ts";
import { writeSearchText } from "./search-text.ts";
import { suggestPeople } from "./suggest-people.ts";
import { assertTakesSubmissions, lockForm, type StoredForm } from "./stored-form.ts";

export interface Received {
  /** The answers as `readAnswers` returned them. Problems are thrown here, together with a missing consent. */
  read: ReadAnswers;
  hasConsent: boolean;
  /** A keyed hash of the address from which the consent came. */
  ipHash?: Uint8Array;
  source: "public" | "staff" | "member";
  /** Spam has no effect, and no event. */
  status: "new" | "spam";
  spamScore?: number;
  /** The sender, if the service knows the person. */
  personId?: string | null;
}

/**
 * Stores a submission, suggests people (for visitors in a job), and captures the event. The form is the one by which the answers were read: 409 if it has
 * another version by now, and 410 if it takes no more submissions. Staff enter submissions at any time.
 */
export async function receiveSubmission(
  context: WriteContext,
  form: StoredForm,
  received: Received,
): Promise<string> {
  const submissions = definitionOf(
    context.catalogue,
    "form-submissions",
  ) as unknown as Resource<SubmissionFields>;
  const { actor, db } = context;
  const { accountId } = actor;
  const { hasConsent, personId = null, read, source, spamScore = 0, status } = received;
  assertAnswered(form, read, hasConsent);
  const proposed = proposedBy(form.fields, read.answers);
  const suggested =
    personId === null && status === "new" && source !== "public"
      ? await context.catalogue.published.findLikePeople(
          context,
          proposed,
          limits.formSuggestionsMax,
        )
      : [];
  const people = [form.ownerId, personId, ...suggested].filter((one) => one !== null);
  await lockPeople(db, accountId, people, "key share");
  const locked = await lockForm(db, accountId, form.id);
  if (!locked) throw absentTarget(submissions, "form");
  if (source !== "staff") assertTakesSubmissions(locked);
  if (locked.version !== form.version)
    throw fail("form-version-changed", "The form has changed.", {
      pointer: "/data/relationships/form/data",
    });

  const { id } = await insertRow(
    context,
    submissions,
    {
      attributes: {
        "answers": read.answers,
        "form-version": form.version,
        "consent": hasConsent
          ? { "version": form.version, "granted-at": new Date(now()).toISOString() }
          : null,
        "source": source,
        "status": status,
        "spam-score": spamScore,
      },
      toOne: { form: form.id, person: personId },
      toMany: {},
    },
    { is_announced: String(status === "new") },
  );
  await writeSearchText(db, accountId, [id]);
  if (received.ipHash)
    await db`
      update form_submissions set consent_ip_hash = ${received.ipHash}
      where account_id = ${accountId} and id = ${id}`;
  if (source === "public") await enqueue(db, senderSearches, { accountId, id });
  else await suggestPeople(context, id, suggested);
  if (status === "new")
    await captureRows(context, submissions.type, "form-submission.created", [id]);
  return id;
}

/** Reports wrong answers and a missing consent together. */
function assertAnswered({ hasNotice }: StoredForm, read: ReadAnswers, hasConsent: boolean): void {
  const problems = [...read.problems];
  if (hasNotice && !hasConsent)
    problems.push(
      ...fail(
        "missing-attribute",
        { rule: "required", hint: "The form has a privacy notice, to which the sender consents." },
        { pointer: "/data/attributes/consent" },
      ).problems,
    );
  if (problems.length > 0) throw new ApiError(problems);
}
