import type { Actor } from "../../access/actor.ts";
import type { Written } from "../../jsonapi/definition/resource.ts";
import type { Tx } from "../../store/db.ts";
import { countAction } from "./action-limits.ts";
import { queueControl } from "../history/queue-control.ts";
import { assertActive, lockLiveEndpoint } from "./live-endpoint.ts";

/** Queues a test message, which gets one attempt. Returns its delivery. */
export async function requestTest(
  tx: Tx,
  actor: Actor,
  { endpointId }: { endpointId: string },
): Promise<Written> {
  const { accountId } = actor;
  const source = { pointer: "/data/attributes/endpoint-id" };
  const endpoint = await lockLiveEndpoint(tx, actor, endpointId, source);
  assertActive(endpoint, source);
  const remaining = await countAction(tx, { accountId, endpointId }, "test");
  const { destinationVersion, verificationGeneration } = endpoint;
  const id = await queueControl(tx, {
    accountId,
    endpointId,
    controlType: "webhook.test",
    destinationVersion,
    verificationGeneration,
  });
  return { id, meta: { remaining } };
}
