import { unavailable } from "../../base/errors.ts";
import { type Db, inTransaction, type Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { lockEndpoint } from "./endpoint-rows.ts";
import { pauses } from "../engine/eligibility.ts";
import { suppressWork } from "./suppress-work.ts";

const MS_MAX = 10_000;

/**
 * Suppresses deliveries that exceeded the limit of an earlier change. This must happen before the endpoint becomes
 * eligible for them again, or they would be sent. Each batch is a transaction of its own, so a client that gets 503
 * makes progress by retrying.
 */
export async function suppressRemaining(db: Db, accountId: string, id: string): Promise<void> {
  const tooLate = performance.now() + MS_MAX;
  while (await inTransaction(db, accountId, (tx) => suppressSome(tx, accountId, id)))
    if (performance.now() > tooLate)
      throw unavailable(1, "Waiting deliveries are still being suppressed. Retry later.");
}

/** Suppresses one batch of deliveries for which the endpoint is not eligible. Returns whether more may remain. */
async function suppressSome(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const endpoint = await lockEndpoint(tx, accountId, id);
  if (!endpoint || endpoint.status === "deleted") return false;
  const { events, pauseReason, status } = endpoint;
  const suppressed = await suppressWork(
    tx,
    { accountId, endpointId: id, events },
    status === "paused"
      ? ["all", pauses[pauseReason ?? "manual"]]
      : ["unsubscribed", "subscription-removed"],
  );
  return suppressed === webhookLimits.suppressedAtOnce;
}
