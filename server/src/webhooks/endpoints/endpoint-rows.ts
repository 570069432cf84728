import { assignments } from "../../store/sql.ts";
import type { Actor } from "../../access/actor.ts";
import type { Cipher } from "../../store/cipher.ts";
import type { Tx } from "../../store/db.ts";
import { queueControl } from "../history/queue-control.ts";
import type { EndpointState, TakenStep } from "./endpoint-lifecycle.ts";
import { addSecret, clearSecrets } from "./secret-rows.ts";
import { suppressWork } from "./suppress-work.ts";
import { recordChange } from "./timeline.ts";

/** The columns that clients set. The state machine sets all others. */
export interface Configuration {
  readonly name: string | null;
  readonly url: string;
  readonly normalizedUrl: string;
  readonly events: readonly string[];
}

export interface StoredEndpoint extends EndpointState, Configuration {
  readonly id: string;
  /** The database time, which decides about steps. */
  readonly now: number;
}

/**
 * Locks an endpoint. The lock order is endpoint, health, queue, deliveries. Every change of an endpoint, and everything
 * that queues work for it, follows this order to avoid deadlocks.
 */
export async function lockEndpoint(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<StoredEndpoint | undefined> {
  const [row] = await tx<StoredEndpoint[]>`
    select id, name, url, normalized_url as "normalizedUrl", events, status, pause_reason as "pauseReason",
      version as "configurationVersion", destination_version as "destinationVersion",
      verified_destination_version as "verifiedDestinationVersion",
      (extract(epoch from verified_at) * 1000)::bigint as "verifiedAt",
      secret_generation as "secretGeneration",
      (extract(epoch from secret_overlap_until) * 1000)::bigint as "secretOverlapUntil",
      verification_generation as "verificationGeneration",
      floor(extract(epoch from now()) * 1000)::bigint as now
    from webhook_endpoints where account_id = ${accountId} and id = ${id} for no key update`;
  return row;
}

export interface StepOptions {
  configuration?: Partial<Configuration>;
  /** Required by steps that create a secret. */
  cipher?: Cipher;
}

/**
 * Writes a step and all its effects. The endpoint must be locked. Returns the id of the verification's delivery, if
 * there is one.
 */
export async function applyStep(
  tx: Tx,
  accountId: string,
  id: string,
  step: TakenStep,
  actor: Actor,
  options: StepOptions = {},
): Promise<{ deliveryId?: string }> {
  if (!step.changes) return {};
  const columns = { ...stateColumns(step.endpoint), ...configurationColumns(options) };
  const [row] = await tx<{ events: string[] }[]>`
    update webhook_endpoints set ${assignments(columns)}, modified_at = now()
    where account_id = ${accountId} and id = ${id}
    returning events`;
  if (!row) throw new Error("A locked endpoint is missing.");
  return applyEffects(tx, { accountId, endpointId: id, ...row }, step, actor, options);
}

/**
 * Writes everything except the endpoint's own row. The timeline comes first: it references the person, who may be under
 * deletion in another transaction.
 */
export async function applyEffects(
  tx: Tx,
  resource: { accountId: string; endpointId: string; events: readonly string[] },
  step: TakenStep,
  actor: Actor,
  { cipher, configuration = {} }: StepOptions,
): Promise<{ deliveryId?: string }> {
  const { effects, endpoint } = step;
  const changed = Object.keys(configuration).filter((name) => name !== "normalizedUrl");
  await recordChange(tx, resource, step, actor, changed);
  if (effects.secrets === "cleared") await clearSecrets(tx, resource);
  else if (effects.secrets) {
    if (!cipher) throw new Error(`${step.trigger} needs a cipher to create a secret.`);
    await addSecret(tx, resource, endpoint, cipher);
  }
  if (effects.resetsStreak) await resetStreak(tx, resource);
  if (effects.suppresses) await suppressWork(tx, resource, effects.suppresses);
  if (!effects.sendsVerification) return {};
  const { destinationVersion, verificationGeneration } = endpoint;
  const deliveryId = await queueControl(tx, {
    accountId: resource.accountId,
    endpointId: resource.endpointId,
    controlType: "webhook.verification",
    destinationVersion,
    verificationGeneration,
  });
  return { deliveryId };
}

export const stateColumns = (of: EndpointState) => ({
  status: of.status,
  pause_reason: of.pauseReason,
  version: of.configurationVersion,
  destination_version: of.destinationVersion,
  verified_destination_version: of.verifiedDestinationVersion,
  verified_at: timestampOf(of.verifiedAt),
  secret_generation: of.secretGeneration,
  secret_overlap_until: timestampOf(of.secretOverlapUntil),
  verification_generation: of.verificationGeneration,
});

const timestampOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

const configurationColumns = ({ configuration: resource = {} }: StepOptions) => ({
  ...(resource.name !== undefined && { name: resource.name }),
  ...(resource.url !== undefined && { url: resource.url }),
  ...(resource.normalizedUrl !== undefined && { normalized_url: resource.normalizedUrl }),
  ...(resource.events !== undefined && { events: [...resource.events] }),
});

/** The SQL form of `healthAfterReset`. Attempts that started before now no longer count. */
async function resetStreak(
  tx: Tx,
  { accountId, endpointId }: { accountId: string; endpointId: string },
): Promise<void> {
  await tx`
    update webhook_endpoint_health
    set consecutive_failures = 0, streak_began_at = null, failing_since = null,
      old_news_until = greatest(old_news_until, now())
    where account_id = ${accountId} and endpoint_id = ${endpointId}`;
}
