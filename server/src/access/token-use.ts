import { limits } from "../base/limits.ts";
import { isDatabaseAway } from "../store/away.ts";
import type { Db } from "../store/db.ts";
import type { PersonTokenKey } from "./tokens.ts";

/**
 * Records the use of a token, and prolongs a browser session. One of several requests at once does it. A database that accepts
 * no changes can still serve reads.
 */
export async function recordUse(db: Db, { accountId, hash }: PersonTokenKey): Promise<void> {
  const { sessionIdleMs, sessionMsMax, sessionRememberedMs, tokenUseMs } = limits;
  try {
    await db`
      update access_tokens set last_used_at = now(),
        expires_at = case kind when 'browser' then least(
          now() + case when is_remembered then ${sessionRememberedMs}::float8 else ${sessionIdleMs} end
            * interval '1 millisecond',
          created_at + ${sessionMsMax} * interval '1 millisecond') else expires_at end
      where account_id = ${accountId} and token_hash = ${hash}
        and last_used_at < now() - ${tokenUseMs} * interval '1 millisecond'`;
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
  }
}
