import { fail } from "../../base/errors.ts";
import type { Tx } from "../../store/db.ts";

/**
 * Throws if the last active full administrator would be lost.
 *
 * All full administrators are locked in a fixed order. If two demote each other at once, the second waits and is
 * rejected.
 */
export async function assertAnotherFullAdministrator(
  tx: Tx,
  accountId: string,
  leaving: string,
): Promise<void> {
  assertOneRemains(await lockFullAdministrators(tx, accountId), [leaving]);
}

/** Returns the ids of the active full administrators. */
export async function lockFullAdministrators(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from people
    where account_id = ${accountId} and administrative_status = 'full-administrator' and is_active
    order by id for no key update`;
  return rows.map(({ id }) => id);
}

export function assertOneRemains(
  administrators: readonly string[],
  leaving: readonly string[],
): void {
  if (administrators.length > 0 && administrators.every((id) => leaving.includes(id)))
    throw fail("last-full-administrator", "One active full administrator must remain.");
}
