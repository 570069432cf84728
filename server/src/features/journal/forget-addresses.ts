import { DAY } from "../../base/clock.ts";
import type { Db } from "../../store/db.ts";

const WHOLE_MS = 90 * DAY;
/** Addresses of a service that was off for longer stay as they are until their partition is dropped. */
const MISSED_MS_MAX = 30 * DAY;

/** Removes the end of addresses after 90 days: the last octet of IPv4, and the last 80 bits of IPv6. */
export async function forgetAddresses(db: Db): Promise<number> {
  const accounts = await db<{ id: string }[]>`select account_id as id from account_facts`;
  let changed = 0;
  for (const { id } of accounts) {
    const { count } = await db.ofAccount(id)`
      update journal set ip = network(set_masklen(ip, case family(ip) when 4 then 24 else 48 end))
      where account_id = ${id}
        and id >= history_floor(now() - ${WHOLE_MS + MISSED_MS_MAX} * interval '1 millisecond')
        and id < history_floor(now() - ${WHOLE_MS} * interval '1 millisecond')
        and masklen(ip) = case family(ip) when 4 then 32 else 128 end`;
    changed += count;
  }
  return changed;
}
