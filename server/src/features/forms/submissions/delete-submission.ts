import { deleteHistoryOf } from "../../../events/delete-history.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forgetAnswersAbout } from "../../../jsonapi/request/idempotency.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import type { Tx } from "../../../store/db.ts";

/** DELETE /v1/form-submissions/:id. The records that its actions created stay. */
export async function deleteSubmission(context: WriteContext, id: string): Promise<void> {
  await deleteRow(context, context.resource, id);
  await forgetAnswers(context.db, context.actor.accountId, [id]);
}

/** Deletes the other copies of the answers: those that receivers of webhooks can still get, and those kept for repeated requests. */
export async function forgetAnswers(
  db: Tx,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  await deleteHistoryOf(db, accountId, ids);
  for (const id of ids) await forgetAnswersAbout(db, accountId, id);
}
