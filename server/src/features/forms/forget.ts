import { deleteHistoryOf } from "../../events/delete-history.ts";
import { forgetAnswersAbout } from "../../jsonapi/request/idempotency.ts";
import type { Forgetting, WriteContext } from "../../jsonapi/definition/resource.ts";

/** An anonymization deletes the submissions of the person, and what receivers of webhooks can still get of their answers. */
export async function forgetSender(
  { actor, db }: WriteContext,
  personId: string,
  forgetting: Forgetting,
): Promise<void> {
  if (forgetting === "deleted") return;
  const { accountId } = actor;
  const submissions = await db<{ id: string }[]>`
    delete from form_submissions where account_id = ${accountId} and person_id = ${personId} returning id`;
  const ids = submissions.map(({ id }) => id);
  await deleteHistoryOf(db, accountId, ids);
  // Their stored answers do not contain the id of the person.
  for (const id of ids) await forgetAnswersAbout(db, accountId, id);
}
