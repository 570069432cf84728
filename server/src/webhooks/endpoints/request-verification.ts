import type { Actor } from "../../access/actor.ts";
import { fail } from "../../base/errors.ts";
import type { Written } from "../../jsonapi/definition/resource.ts";
import type { Tx } from "../../store/db.ts";
import { countAction } from "./action-limits.ts";
import { applyStep } from "./endpoint-rows.ts";
import { lockLiveEndpoint, stepOf } from "./live-endpoint.ts";

/** Queues a verification, which invalidates earlier ones. Returns its delivery. */
export async function requestVerification(
  tx: Tx,
  actor: Actor,
  asked: { endpointId: string; configurationVersion: number },
): Promise<Written> {
  const { accountId } = actor;
  const { configurationVersion, endpointId } = asked;
  const source = { pointer: "/data/attributes/endpoint-id" };
  const endpoint = await lockLiveEndpoint(tx, actor, endpointId, source);
  if (endpoint.configurationVersion !== configurationVersion)
    throw fail("stale-version", "The endpoint has changed. Read it again before retrying.", {
      pointer: "/data/attributes/configuration-version",
    });
  const step = stepOf(endpoint, { kind: "verification-requested" }, source);
  const remaining = await countAction(tx, { accountId, endpointId }, "verification");
  const { deliveryId } = await applyStep(tx, accountId, endpointId, step, actor);
  if (deliveryId === undefined) throw new Error("The step sent no verification.");
  return { id: deliveryId, meta: { remaining } };
}
