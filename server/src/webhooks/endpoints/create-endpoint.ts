import { insertion } from "../../store/sql.ts";
import type { Actor } from "../../access/actor.ts";
import { fail } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/db.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { endpointStep } from "./endpoint-lifecycle.ts";
import { applyEffects, stateColumns } from "./endpoint-rows.ts";
import { judgedUrl } from "./endpoint-url.ts";
import type { WebhookParts } from "../parts.ts";
import type { SecretReference } from "./reveal-secret.ts";
import { lockAction } from "./action-lock.ts";

export interface NewEndpoint {
  name?: string | null;
  url: string;
  events: readonly string[];
}

/** The verification that follows a creation does not count against the limits. */
export async function createEndpoint(
  tx: Tx,
  actor: Actor,
  { events, name = null, url }: NewEndpoint,
  parts: WebhookParts,
): Promise<{ id: string; reveals: SecretReference }> {
  const { accountId } = actor;
  const { normalized } = judgedUrl(url, parts);
  await lockAction(tx, accountId, "creation");
  const [account] = await tx<{ endpoints: number; now: number }[]>`
    select count(*)::integer as endpoints, floor(extract(epoch from now()) * 1000)::bigint as now
    from webhook_endpoints where account_id = ${accountId} and status <> 'deleted'`;
  if (!account || account.endpoints >= webhookLimits.endpointsPerAccount)
    throw fail(
      "too-many-endpoints",
      `An account has at most ${webhookLimits.endpointsPerAccount} endpoints.`,
    );

  const step = endpointStep(undefined, { kind: "created" }, account.now);
  if (!step || "refused" in step) throw new Error("An endpoint can always be created.");
  const id = newId();
  const columns = {
    account_id: accountId,
    id,
    name,
    url,
    normalized_url: normalized,
    events: [...events],
    ...stateColumns(step.endpoint),
  };
  await tx`insert into webhook_endpoints ${insertion(columns)}`;
  await tx`
    insert into webhook_endpoint_health (account_id, endpoint_id) values (${accountId}, ${id})`;
  await applyEffects(tx, { accountId, endpointId: id, events }, step, actor, parts);
  return { id, reveals: { endpointId: id, generation: step.endpoint.secretGeneration } };
}
