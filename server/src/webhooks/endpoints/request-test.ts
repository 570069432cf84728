import type { Actor } from "../../access/actor.ts";
import type { Tx } from "../../store/db.ts";
import { countAction } from "./action-limits.ts";
import { queueControl } from "../history/queue-control.ts";
import { assertActive, lockLiveEndpoint } from "./live-endpoint.ts";

/** Queues a test message, which gets one attempt. Returns the delivery's id. */
export async function requestTest(
  tx: Tx,
  actor: Actor,
  { endpointId }: { endpointId: string },
): Promise<string> {
  const { accountId } = actor;
  const source = { pointer: "/data/attributes/endpoint-id" };
  const endpoint = await lockLiveEndpoint(tx, actor, endpointId, source);
  assertActive(endpoint, source);
  await countAction(tx, { accountId, endpointId }, "test");
  const { destinationVersion, verificationGeneration } = endpoint;
  return queueControl(tx, {
    accountId,
    endpointId,
    controlType: "webhook.test",
    destinationVersion,
    verificationGeneration,
  });
}
