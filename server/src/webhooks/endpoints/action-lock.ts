import type { Tx } from "../../store/db.ts";

/**
 * Serializes actions of one kind in an account until the transaction ends. A count in a later statement then sees all
 * of them.
 */
export async function lockAction(tx: Tx, accountId: string, action: string): Promise<void> {
  await tx`
    insert into webhook_action_turns (account_id, action) values (${accountId}, ${action})
    on conflict (account_id, action) do update set action = excluded.action`;
}
