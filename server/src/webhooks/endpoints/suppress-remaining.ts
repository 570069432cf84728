import { unavailable } from "../../base/errors.ts";
import { type Db, inTransaction, type Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { lockEndpoint } from "./endpoint-rows.ts";
import { pauses } from "../engine/eligibility.ts";
import { suppressWork } from "./suppress-work.ts";

const MS_MAX = 10_000;

/**
 * Suppresses what earlier changes of an endpoint left waiting, since it was more than they had time for. To be done before
 * the endpoint takes such work again, by which it would be sent after all. Each part is a transaction of its own: who is told
 * that it takes too long asks again and finds less.
 */
export async function suppressRemaining(db: Db, accountId: string, id: string): Promise<void> {
  const tooLate = performance.now() + MS_MAX;
  while (await inTransaction(db, (tx) => suppressSome(tx, accountId, id)))
    if (performance.now() > tooLate)
      throw unavailable(1, "Deliveries that were waiting are still being suppressed.");
}

/** As much as one statement takes, of what the endpoint does not take as it is now; answers whether there may be more. */
async function suppressSome(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const endpoint = await lockEndpoint(tx, accountId, id);
  if (!endpoint || endpoint.status === "deleted") return false;
  const { events, pauseReason, status } = endpoint;
  const taken = await suppressWork(
    tx,
    { accountId, endpointId: id, events },
    status === "paused"
      ? ["all", pauses[pauseReason ?? "manual"]]
      : ["unsubscribed", "subscription-removed"],
  );
  return taken === webhookLimits.suppressedAtOnce;
}
