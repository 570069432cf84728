import { DAY, HOUR } from "../../base/clock.ts";
import type { Db } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

const { redeliveriesMs, rotationsMs, testsMs, verificationsMs } = webhookLimits;

/** Nothing counts them any more. */
const ACTIONS_KEPT_MS = Math.max(redeliveriesMs, rotationsMs, testsMs, verificationsMs) + HOUR;
/** The longest window of the metrics, and the hour that is not over. */
const HOURS_KEPT_MS = 8 * DAY;

/** What was counted and is not looked at any more, and secrets that sign no more; answers how many rows. */
export async function sweepRecords(db: Db): Promise<number> {
  const actions = await db`
    delete from webhook_actions where asked_at < now() - ${ACTIONS_KEPT_MS} * interval '1 millisecond'`;
  const hours = await db`
    delete from webhook_hours where hour < now() - ${HOURS_KEPT_MS} * interval '1 millisecond'`;
  const secrets = await db`delete from webhook_secrets where valid_until < now()`;
  return actions.count + hours.count + secrets.count;
}
