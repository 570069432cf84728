import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { captureRows, revisedBy } from "../../../jsonapi/sql/write.ts";

/** Declines the pending requests for a cell that closes. */
export async function declineRequests(context: WriteContext, cellId: string): Promise<void> {
  const { actor, db } = context;
  const declined = await db<{ id: string }[]>`
    with pending as (
      select id from cell_join_requests
      where account_id = ${actor.accountId} and cell_id = ${cellId} and status = 'pending'
      order by id for no key update)
    update cell_join_requests set status = 'declined', decided_at = now(), decided_by = ${actor.personId},
      ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id in (select id from pending)
    returning id`;
  const ids = declined.map(({ id }) => id).sort();
  await captureRows(context, "cell-join-requests", "cell-join-request.decided", ids);
}
