import type { Actor } from "../../access/actor.ts";
import { fail, type Source } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import type { Tx } from "../../store/db.ts";
import {
  type EndpointState,
  type EndpointTrigger,
  endpointStep,
  lifecycleRefusals,
  type TakenStep,
} from "./endpoint-lifecycle.ts";
import { lockEndpoint, type StoredEndpoint } from "./endpoint-rows.ts";

/** `source` locates the endpoint in a request body. Without it, the path contains the id. */
export async function lockLiveEndpoint(
  tx: Tx,
  { accountId }: Actor,
  id: string,
  source?: Source,
): Promise<StoredEndpoint> {
  const endpoint = isId(id) ? await lockEndpoint(tx, accountId, id) : undefined;
  if (!endpoint || endpoint.status === "deleted")
    throw fail("not-found", "There is no such endpoint.", source);
  return endpoint;
}

/** Returns the step for a request, or throws 409 if the endpoint's state does not allow it. */
export function stepOf(
  endpoint: StoredEndpoint,
  trigger: EndpointTrigger,
  source?: Source,
): TakenStep {
  const step = endpointStep(endpoint, trigger, endpoint.now);
  if (!step) throw new Error(`${trigger.kind} happened to an endpoint that is ${endpoint.status}.`);
  if ("refused" in step) throw fail(step.refused, lifecycleRefusals[step.refused], source);
  return step;
}

/** Throws unless the endpoint is active. Only active endpoints get messages other than verifications. */
export function assertActive(endpoint: EndpointState, source?: Source): void {
  if (endpoint.status === "active") return;
  if (endpoint.status === "deleted")
    throw fail("endpoint-deleted", "The endpoint was deleted.", source);
  const refusal =
    endpoint.pauseReason === "security-policy"
      ? "endpoint-security-paused"
      : endpoint.status === "paused"
        ? "endpoint-paused"
        : "endpoint-not-verified";
  throw fail(refusal, lifecycleRefusals[refusal], source);
}
