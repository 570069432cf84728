import { SECOND } from "../../base/clock.ts";
import type { Cipher } from "../../store/cipher.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { readSecret } from "../endpoints/read-secret.ts";
import type { SecretOwner, SigningSecret } from "../endpoints/signing-secrets.ts";
import type { Claimed } from "./claim.ts";
import { ineligibility } from "./eligibility.ts";
import { type CapturedEvent, type Control, controlBody, productionBody } from "./message.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import type { Sender, Sent } from "../http/send.ts";
import { type LiveSecrets, messageHeaders } from "./sign.ts";
import type { DeliveryRecord, Trigger } from "./transition.ts";

/** What became of a claim, for whoever settles it. Times are the database's. */
export interface ClaimResult {
  readonly claimed: Claimed;
  readonly trigger: Trigger;
  readonly finishedAt: number;
  /** When something was sent, or would have been but for a failure of our own. */
  readonly attempt?: Attempt;
}

export interface Attempt {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly httpStatus?: number;
  /** For the log: how the connection came about, how long each stage took, and what a failure was in detail. */
  readonly sent?: Sent;
}

export interface WorkOptions {
  readonly cipher: Cipher;
  readonly sender: Sender;
  readonly userAgent: string;
  /** How long an attempt may take; tests do not wait for the usual time. */
  readonly timeoutMs?: number;
}

/**
 * Judges one claim and sends it; never rejects, and touches no database. What was claimed too long ago, since this process
 * stood still, is given back unsent: its lease could end before the answer comes, or its receiver have moved.
 */
export async function work(claimed: Claimed, options: WorkOptions): Promise<ClaimResult> {
  const startedAt = databaseTime(claimed);
  const isSafe =
    startedAt - claimed.claimedAt <= CLAIM_AGE_MS_MAX &&
    performance.now() - claimed.readAt <= ENDPOINT_AGE_MS_MAX;
  if (!isSafe) return released(claimed);
  if (startedAt >= claimed.expiresAt)
    return { claimed, trigger: { kind: "claimed" }, finishedAt: startedAt };
  const reason = ineligibility(targetOf(claimed), claimed.endpoint);
  if (reason) return { claimed, trigger: { kind: "ineligible", reason }, finishedAt: startedAt };

  const { outcome, sent } = await attempt(claimed, startedAt, options);
  const finishedAt = databaseTime(claimed);
  return {
    claimed,
    trigger: { kind: "attempted", outcome },
    finishedAt,
    attempt: {
      startedAt,
      durationMs: finishedAt - startedAt,
      outcome,
      ...(sent && { sent }),
      ...(sent?.status !== undefined && { httpStatus: sent.status }),
    },
  };
}

/** Another worker may have it at once. */
export const released = (claimed: Claimed): ClaimResult => ({
  claimed,
  trigger: { kind: "released" },
  finishedAt: databaseTime(claimed),
});

/** As long as an attempt that starts now ends, and is settled, before the lease does. */
const CLAIM_AGE_MS_MAX = webhookLimits.leaseMs - 2 * webhookLimits.attemptMsMax;
/** As long as an attempt may be under way to a receiver that has just moved, what is known of it may be old as well. */
const ENDPOINT_AGE_MS_MAX = webhookLimits.attemptMsMax;

/** The database's clock, carried on by this process' monotonic one. */
export const databaseTime = ({ claimedAt, receivedAt }: Claimed): number =>
  Math.round(claimedAt + (performance.now() - receivedAt));

export const targetOf = (claimed: Claimed) => ({
  kind: claimed.kind,
  destinationVersion: claimed.destinationVersion,
  eventType: claimed.eventType ?? undefined,
  verificationGeneration: claimed.verificationGeneration ?? undefined,
});

export const recordOf = (
  { attemptsMade, expiresAt, kind, status, systemFailures }: Claimed,
  trigger: Trigger,
): DeliveryRecord => ({
  kind,
  attemptsMade,
  systemFailures,
  expiresAt,
  // The queue remembers the state before the claim; everything but the claim itself happens to one in processing.
  state: trigger.kind === "claimed" ? status : "processing",
});

async function attempt(
  claimed: Claimed,
  startedAt: number,
  { cipher, sender, userAgent, timeoutMs = webhookLimits.attemptMsMax }: WorkOptions,
): Promise<{ outcome: Outcome; sent?: Sent }> {
  let secrets: LiveSecrets;
  try {
    secrets = secretsOf(claimed, cipher);
  } catch {
    return { outcome: { kind: "system", code: "system-secret" } };
  }
  const { deliveryId, endpointId, kind, message } = claimed;
  const number = claimed.attemptsMade + 1;
  const body =
    "snapshot" in message
      ? productionBody(message, { deliveryId, attempt: number })
      : controlBody(message, { deliveryId, kind, attempt: number });
  const headers = messageHeaders(
    { webhookId: message.id, deliveryId, body },
    secrets,
    startedAt,
    userAgent,
  );
  const sent = await sender.send({
    url: claimed.endpoint.url,
    headers,
    body,
    destination: `${endpointId} ${claimed.destinationVersion}`,
    keepBody: kind === "verification",
    timeoutMs,
  });
  if (databaseTime(claimed) - startedAt > timeoutMs + SUSPENDED_MS)
    return { outcome: { kind: "system", code: "system-fault" }, sent };
  return { outcome: outcomeOf(sent, challengeOf(message), databaseTime(claimed)), sent };
}

/**
 * The wall ends every attempt. One that took longer than it by so much was not the receiver's: this process was stopped,
 * or starved, and what it saw of the answer says nothing.
 */
const SUSPENDED_MS = 2 * SECOND;

const challengeOf = (message: CapturedEvent | Control): string | undefined =>
  "snapshot" in message ? undefined : (message.challenge ?? undefined);

function secretsOf({ accountId, endpoint, endpointId }: Claimed, cipher: Cipher): LiveSecrets {
  const { previousSecret, secret, secretGeneration } = endpoint;
  if (!secret) throw new Error("The endpoint has no secret.");
  const of = (generation: number) => ({ accountId, endpointId, generation });
  return {
    current: decrypted(cipher, secret, of(secretGeneration)),
    previous: previousSecret
      ? decrypted(cipher, previousSecret, of(secretGeneration - 1))
      : undefined,
  };
}

/** A secret is decrypted once, not for each of a thousand messages. Held by its ciphertext, so that a new one is new. */
const known = new Map<string, SigningSecret>();
const KNOWN_MAX = 4_096;

function decrypted(cipher: Cipher, encrypted: Uint8Array, owner: SecretOwner): SigningSecret {
  const key = `${owner.endpointId} ${Buffer.from(encrypted).toString("base64")}`;
  const secret = known.get(key) ?? readSecret(cipher, encrypted, owner);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, secret);
  return secret;
}
