import { SECOND } from "../../base/clock.ts";
import type { Cipher } from "../../store/cipher.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { decryptSecret } from "../endpoints/decrypt-secret.ts";
import type { SecretOwner, SigningSecret } from "../endpoints/signing-secrets.ts";
import type { Claimed } from "./claim.ts";
import { ineligibility } from "./eligibility.ts";
import { type CapturedEvent, type Control, controlBody, productionBody } from "./message.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { answerText } from "../http/answer-text.ts";
import type { Sender, Sent } from "../http/send.ts";
import { type LiveSecrets, messageHeaders } from "./sign.ts";
import type { DeliveryRecord, Trigger } from "./transition.ts";

/** The result of processing a claim. Times are database times. */
export interface ClaimResult {
  readonly claimed: Claimed;
  readonly trigger: Trigger;
  readonly finishedAt: number;
  /** Set if a request was sent, or if a failure of the service prevented it. */
  readonly attempt?: Attempt;
}

export interface Attempt {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly httpStatus?: number;
  /** The start of the receiver's answer. */
  readonly answer?: string;
  /** Details for the log. */
  readonly sent?: Sent;
}

export interface WorkOptions {
  readonly cipher: Cipher;
  readonly sender: Sender;
  readonly userAgent: string;
  /** The time limit of an attempt. Tests shorten it. */
  readonly timeoutMs?: number;
}

/**
 * Checks and sends one claim. It never rejects and does not use the database. A claim that is too old is released, for
 * example after this process was suspended: its lease could end during the attempt, or the endpoint could have changed.
 */
export async function work(claimed: Claimed, options: WorkOptions): Promise<ClaimResult> {
  const startedAt = databaseTime(claimed);
  const isSafe =
    startedAt - claimed.claimedAt <= CLAIM_AGE_MS_MAX &&
    performance.now() - claimed.readAt <= ENDPOINT_AGE_MS_MAX;
  if (!isSafe) return released(claimed);
  if (startedAt >= claimed.expiresAt)
    return { claimed, trigger: { kind: "claimed" }, finishedAt: startedAt };
  const reason = ineligibility(deliveryTargetOf(claimed), claimed.endpoint);
  if (reason) return { claimed, trigger: { kind: "ineligible", reason }, finishedAt: startedAt };

  const { outcome, sent } = await attempt(claimed, startedAt, options);
  const finishedAt = databaseTime(claimed);
  const answer = answerText(sent?.bodyBytes);
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
      ...(answer !== undefined && { answer }),
    },
  };
}

/** Releases a claim unsent, so that any worker can claim it. */
export const released = (claimed: Claimed): ClaimResult => ({
  claimed,
  trigger: { kind: "released" },
  finishedAt: databaseTime(claimed),
});

/** An attempt that starts within this time ends and is settled before the lease ends. */
const CLAIM_AGE_MS_MAX = webhookLimits.leaseMs - 2 * webhookLimits.attemptMsMax;
/** The state of the endpoint may be as old as an attempt may be long. */
const ENDPOINT_AGE_MS_MAX = webhookLimits.attemptMsMax;

/** The database's time at the claim plus the time since, by the monotonic clock. */
export const databaseTime = ({ claimedAt, receivedAt }: Claimed): number =>
  Math.round(claimedAt + (performance.now() - receivedAt));

export const deliveryTargetOf = (claimed: Claimed) => ({
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
  // The queue row keeps the state before the claim. Every other trigger applies to `processing`.
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
    timeoutMs,
  });
  if (databaseTime(claimed) - startedAt > timeoutMs + SUSPENDED_MS)
    return { outcome: { kind: "system", code: "system-fault" }, sent };
  return { outcome: outcomeOf(sent, challengeOf(message), databaseTime(claimed)), sent };
}

/**
 * A timer ends every attempt. An attempt that took much longer means that this process was suspended or starved, so its
 * result says nothing about the receiver.
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

/** Decrypted secrets, by ciphertext. */
const known = new Map<string, SigningSecret>();
const KNOWN_MAX = 4_096;

function decrypted(cipher: Cipher, encrypted: Uint8Array, owner: SecretOwner): SigningSecret {
  const key = `${owner.endpointId} ${Buffer.from(encrypted).toString("base64")}`;
  const secret = known.get(key) ?? decryptSecret(cipher, encrypted, owner);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(key, secret);
  return secret;
}
