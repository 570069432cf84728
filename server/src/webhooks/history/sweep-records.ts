import { DAY, HOUR } from "../../base/clock.ts";
import type { Db } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

const { redeliveriesMs, rotationsMs, testsMs, verificationsMs } = webhookLimits;

/** Older actions are outside every window. */
const ACTIONS_KEPT_MS = Math.max(redeliveriesMs, rotationsMs, testsMs, verificationsMs) + HOUR;
/** The longest window of the metrics plus the current hour. */
const HOURS_KEPT_MS = 8 * DAY;

/** Deletes expired actions, metrics and secrets. Returns the number of rows. */
export async function sweepRecords(db: Db): Promise<number> {
  const actions = await db`
    delete from webhook_actions where asked_at < now() - ${ACTIONS_KEPT_MS} * interval '1 millisecond'`;
  const hours = await db`
    delete from webhook_hours where hour < now() - ${HOURS_KEPT_MS} * interval '1 millisecond'`;
  const secrets = await db`delete from webhook_secrets where valid_until < now()`;
  return actions.count + hours.count + secrets.count;
}
