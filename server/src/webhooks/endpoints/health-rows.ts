import type { Tx } from "../../store/db.ts";
import type { Health } from "./health.ts";

const ms = (column: string) => `extract(epoch from health.${column})::float8 * 1000`;

/** Columns of `webhook_endpoint_health` for the alias `health`, in the form of `Health`. */
export const healthColumns = `health.consecutive_failures as "consecutiveFailures",
    ${ms("streak_began_at")} as "streakBeganAt", ${ms("failing_since")} as "failingSince",
    ${ms("old_news_until")} as "oldNewsUntil", ${ms("last_attempt_at")} as "lastAttemptAt",
    ${ms("last_success_at")} as "lastSuccessAt", ${ms("last_failure_at")} as "lastFailureAt",
    health.last_failure_code as "lastFailureCode"`;

/** Locks the health, so that no success is recorded until the transaction ends. `now` is database time. */
export async function lockHealthOf(
  tx: Tx,
  accountId: string,
  endpointId: string,
): Promise<{ health: Health; now: number }> {
  const [row] = await tx.query<(Health & { now: number })[]>(
    `select ${healthColumns}, extract(epoch from now())::float8 * 1000 as now
     from webhook_endpoint_health health where health.account_id = $1 and health.endpoint_id = $2 for update`,
    [accountId, endpointId],
  );
  if (!row) throw new Error(`The endpoint ${endpointId} has no health.`);
  return { health: row, now: row.now };
}
