import { deleteHistoryOf } from "../../events/delete-history.ts";
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
  await deleteHistoryOf(
    db,
    accountId,
    submissions.map(({ id }) => id),
  );
}
