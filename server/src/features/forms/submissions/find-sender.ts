import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { mayReach } from "../../../jsonapi/sql/reach.ts";
import { limits } from "../../../base/limits.ts";
import type { Tx } from "../../../store/db.ts";
import type { StoredSubmission } from "./stored-submission.ts";

/** The second key of the lock. It is "form" in ASCII. */
const SENDERS = 0x66_6f_72_6d;

/**
 * Decisions that may create a person follow each other in an account. Otherwise two submissions of one sender, decided at the same
 * moment, would make two people. The lock comes before all rows of `access/locks.md`.
 */
export async function lockSenders(db: Tx, accountId: string): Promise<void> {
  await db`select pg_advisory_xact_lock(hashtextextended(${accountId}, ${SENDERS}))`;
}

/**
 * The person who may have sent a submission, among those whom the caller can read. Another person stays unmentioned, because the
 * answer would tell the caller who is in the account.
 */
export async function findSender(
  context: WriteContext,
  { proposed }: Pick<StoredSubmission, "proposed">,
): Promise<string | undefined> {
  const { catalogue } = context;
  const people = definitionOf(catalogue, "people");
  const { read } = people.operations;
  const found = await catalogue.published.findLikePeople(
    context,
    proposed,
    limits.formSuggestionsMax,
  );
  for (const id of found) if (read && (await mayReach(context, read, people, id))) return id;
  return undefined;
}
