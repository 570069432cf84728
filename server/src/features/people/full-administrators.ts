import { fail } from "../../base/errors.ts";
import type { Tx } from "../../store/db.ts";

/**
 * Refuses to let the last active full administrator go.
 *
 * All of them are locked, in one order, before any is changed: of two who would demote each other at the same moment
 * the second waits, and then finds that it would be the last.
 */
export async function protectLastFullAdministrator(
  tx: Tx,
  accountId: string,
  leaving: string,
): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    select id from people
    where account_id = ${accountId} and administrative_status = 'full-administrator' and is_active
    order by id for no key update`;
  if (rows.some((row) => row.id === leaving) && rows.length === 1)
    throw fail("last-full-administrator", "One active full administrator must remain.");
}
