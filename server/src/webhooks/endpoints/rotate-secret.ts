import type { Actor } from "../../access/actor.ts";
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/db.ts";
import { countAction } from "./action-limits.ts";
import { applyStep } from "./endpoint-rows.ts";
import { lockLiveEndpoint, stepOf } from "./live-endpoint.ts";
import type { WebhookParts } from "../parts.ts";
import type { SecretReference } from "./reveal-secret.ts";

/** Creates a new secret. The previous one also signs for 48 hours. */
export async function rotateSecret(
  tx: Tx,
  actor: Actor,
  { endpointId, secretGeneration }: { endpointId: string; secretGeneration: number },
  parts: WebhookParts,
): Promise<{ id: string; reveals: SecretReference }> {
  const { accountId } = actor;
  const source = { pointer: "/data/relationships/endpoint/data" };
  const endpoint = await lockLiveEndpoint(tx, actor, endpointId, source);
  const step = stepOf(
    endpoint,
    { kind: "rotation-requested", secretGeneration },
    { pointer: "/data/attributes/secret-generation" },
  );
  await countAction(tx, { accountId, endpointId }, "rotation");
  await applyStep(tx, accountId, endpointId, step, actor, parts);
  const id = newId();
  const generation = step.endpoint.secretGeneration;
  await tx`
    insert into webhook_endpoint_secret_rotations
      (account_id, id, created_at, endpoint_id, secret_generation, previous_valid_until)
    select account_id, ${id}, date_trunc('milliseconds', now()), id, secret_generation, secret_overlap_until
    from webhook_endpoints where account_id = ${accountId} and id = ${endpointId}`;
  return { id, reveals: { endpointId, generation } };
}
