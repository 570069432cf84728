import type { Tx } from "../../store/db.ts";

/**
 * Waits until nobody else of the church is counting for the same thing, and keeps the turn until the transaction ends:
 * what is counted after this, in a statement of its own, is all there is.
 */
export async function lockAction(tx: Tx, accountId: string, action: string): Promise<void> {
  await tx`
    insert into webhook_action_turns (account_id, action) values (${accountId}, ${action})
    on conflict (account_id, action) do update set action = excluded.action`;
}
