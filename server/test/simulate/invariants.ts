import assert from "node:assert/strict";
import { MINUTE, SECOND } from "../../src/base/clock.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import type { Claimed } from "../../src/webhooks/engine/claim.ts";
import { waitsMs } from "../../src/webhooks/engine/schedule.ts";
import type { SendRequest } from "../../src/webhooks/http/send.ts";
import { deliveryStates } from "../../src/webhooks/engine/transition.ts";
import { type HealthModel, theirsOf } from "./health.ts";
import type { Snapshot, Standing, StoredDelivery, StoredEndpoint } from "./snapshot.ts";
import type { Held } from "./workers.ts";

/** The invariants of the simulation. */
export interface Invariant<Of, Beside> {
  readonly says: string;
  readonly holds: (of: Of, beside: Beside) => boolean;
}

export function mustHold<Of, Beside>(
  invariants: readonly Invariant<Of, Beside>[],
  of: Of,
  beside: Beside,
): void {
  for (const { holds, says } of invariants)
    if (!holds(of, beside)) assert.fail(`${says}: ${JSON.stringify([of, beside]).slice(0, 2_000)}`);
}

/** A worker's clock is ahead of the database's by the time it waited for its claim. */
const AHEAD_MS = 10 * SECOND;

// -- A claim ------------------------------------------------------------------------------------------------------------

interface ClaimMoment {
  readonly at: number;
  /** The number of the previous claim that was not settled. */
  readonly leasedUntil: number | undefined;
}

export const ofClaims: readonly Invariant<Claimed, ClaimMoment>[] = [
  {
    says: "no delivery is claimed while its lease lives",
    holds: (_, { at, leasedUntil }) => leasedUntil === undefined || leasedUntil <= at + 1,
  },
  {
    says: "nothing is claimed before it is due",
    holds: ({ claimedAt, dueAt }) => dueAt <= claimedAt + AHEAD_MS,
  },
];

// -- A request ----------------------------------------------------------------------------------------------------------

const timestampOf = ({ headers }: SendRequest) => Number(headers["Webhook-Timestamp"]) * SECOND;

export const ofRequests: readonly Invariant<SendRequest, Held>[] = [
  {
    says: "it goes to where the endpoint is",
    holds: ({ url }, { claimed, standing }) =>
      url === standing.url && claimed.destinationVersion === standing.destinationVersion,
  },
  {
    says: "it goes to who takes it",
    holds: (_, { claimed, standing }) => takes(standing, claimed),
  },
  {
    says: "it has the Webhook-Id of its message",
    holds: ({ headers }, { claimed }) =>
      headers["Webhook-Id"] === claimed.messageId &&
      headers["X-Svc-Delivery-Id"] === claimed.deliveryId,
  },
  {
    says: "each secret signs that is valid, and no other",
    holds: ({ headers }, { standing }) =>
      headers["Webhook-Signature"]?.split(" ").length === standing.secrets,
  },
  {
    says: "it is made while its lease and its lifetime last",
    holds: (request, { claimed }) =>
      timestampOf(request) < Math.min(claimed.expiresAt, claimed.claimedAt + webhookLimits.leaseMs),
  },
];

function takes(standing: Standing, claimed: Claimed): boolean {
  if (claimed.kind === "verification")
    return (
      ["active", "pending-verification"].includes(standing.status) &&
      claimed.verificationGeneration === standing.verificationGeneration
    );
  if (standing.status !== "active") return false;
  return claimed.kind === "test" || standing.events.includes(claimed.eventType ?? "");
}

// -- A delivery ---------------------------------------------------------------------------------------------------------

interface DeliveryMoment {
  readonly before: StoredDelivery | undefined;
  /** The number of requests. */
  readonly sent: number;
  readonly now: number;
}

const isFinal = ({ status }: StoredDelivery) => deliveryStates[status].final;
const count = (of: StoredDelivery, outcome: string) =>
  theirsOf(of).filter((attempt) => attempt.outcome === outcome).length;

export const ofDeliveries: readonly Invariant<StoredDelivery, DeliveryMoment>[] = [
  {
    says: "it is in the queue while it is live, and only then",
    holds: (delivery) => (delivery.place === undefined) === isFinal(delivery),
  },
  {
    says: "the queue and its history tell the same",
    holds: ({ attemptCount, place, status }) =>
      !place || (place.status === status && place.attemptsMade === attemptCount),
  },
  {
    says: "what is final is final",
    holds: ({ attempts, status }, { before }) =>
      !before ||
      !isFinal(before) ||
      (before.status === status && before.attempts.length === attempts.length),
  },
  {
    says: "it waits for a time while it is live, and only then",
    holds: (delivery) => (delivery.nextAttemptAt === null) === isFinal(delivery),
  },
  {
    says: "it has no attempt too many",
    holds: ({ attemptCount, kind }) => attemptCount <= waitsMs[kind].length,
  },
  {
    says: "an attempt that was the receiver's to answer is used, and no other",
    holds: (delivery) => delivery.attemptCount === theirsOf(delivery).length,
  },
  {
    says: "no attempt is recorded that was not made",
    holds: ({ attempts }, { sent }) =>
      attempts.filter(({ state }) => state === "completed").length <= sent,
  },
  {
    says: "no attempt starts after its lifetime",
    holds: ({ attempts, expiresAt }) =>
      attempts.every(({ startedAt, state }) => state === "abandoned" || startedAt < expiresAt),
  },
  {
    says: "it was delivered if the receiver took it, once and in time, and only then",
    holds: (delivery) =>
      delivery.status === "delivered"
        ? count(delivery, "success") === 1
        : count(delivery, "success") === 0 ||
          (delivery.kind === "verification" && delivery.status === "expired"),
  },
  {
    says: "it failed for good if the receiver said so, and only then",
    holds: (delivery) =>
      count(delivery, "permanent-failure") > 0 ===
      (delivery.status === "failed-permanent" || isRefused(delivery)),
  },
  {
    says: "it ends with its last attempt",
    holds: (delivery) => delivery.attemptCount < waitsMs[delivery.kind].length || isFinal(delivery),
  },
  {
    says: "it is exhausted when no attempt is left, or no time for one, and not before",
    holds: ({ attemptCount, attempts, expiresAt, kind, status }) =>
      status !== "exhausted" ||
      attemptCount === waitsMs[kind].length ||
      expiresAt - (attempts.at(-1)?.startedAt ?? 0) < LONGEST_WAIT_MS,
  },
  {
    says: "it is suppressed for a reason, and only then has one",
    holds: ({ status, suppressionReason }) =>
      (status === "suppressed") === (suppressionReason !== null),
  },
  {
    says: "it expires after its lifetime, not before",
    holds: ({ expiresAt, status }, { now }) => status !== "expired" || expiresAt <= now + AHEAD_MS,
  },
];

const LONGEST_WAIT_MS =
  Math.max(...webhookLimits.productionWaitsMs) * (1 + webhookLimits.waitJitter) + MINUTE;

const isRefused = ({ attempts, suppressionReason }: StoredDelivery) =>
  suppressionReason === "security-policy" && attempts.at(-1)?.code === "dns-private-address";

// -- An endpoint --------------------------------------------------------------------------------------------------------

interface EndpointMoment {
  readonly before: StoredEndpoint | undefined;
  readonly model: HealthModel;
  /** Whether the relevant attempts were settled in the order of their start. */
  readonly inOrder: boolean;
  readonly now: number;
}

export const ofEndpoints: readonly Invariant<StoredEndpoint, EndpointMoment>[] = [
  {
    says: "its health knows the last of each",
    holds: ({ health }, { model }) =>
      (["lastAttemptAt", "lastSuccessAt", "lastFailureAt"] as const).every(
        (member) => health[member] === model[member],
      ) && model.oldNewsUntil.includes(health.oldNewsUntil),
  },
  {
    says: "its health knows why it failed last",
    holds: ({ health }, { model }) =>
      model.lastFailureAt === null
        ? health.lastFailureCode === null
        : model.lastFailureCodes.includes(health.lastFailureCode),
  },
  {
    says: "its streak is that of its attempts in the order of their start",
    holds: ({ health }, { inOrder, model }) =>
      !inOrder ||
      (health.consecutiveFailures === model.streak.length &&
        health.streakBeganAt === (model.streak[0] ?? null) &&
        health.failingSince === model.failingSince),
  },
  {
    // A success within a streak leaves one failure that is known to be later.
    says: "old news makes no streak longer, nor forgets that there is one",
    holds: ({ health }, { model }) =>
      health.consecutiveFailures <= model.streak.length &&
      (health.consecutiveFailures === 0) === (model.streak.length === 0) &&
      (health.failingSince === null) ===
        health.consecutiveFailures < webhookLimits.failingFromFailures,
  },
  {
    says: "it is paused once it has failed for seven days",
    holds: ({ health, status }, { now }) =>
      status !== "active" ||
      health.failingSince === null ||
      now - health.failingSince < webhookLimits.pausedAfterFailingMs + MINUTE,
  },
  {
    says: "it is paused for its health after seven days of failures, and not before",
    holds: ({ pauseReason }, { before, model, now }) =>
      pauseReason !== "health" ||
      before?.pauseReason === "health" ||
      (model.failingSince !== null &&
        now - model.failingSince > webhookLimits.pausedAfterFailingMs - MINUTE),
  },
  {
    says: "it is active once a verification of its URL was answered",
    holds: ({ deliveries, destinationVersion, status }) =>
      status !== "active" ||
      deliveries.some(
        (delivery) =>
          delivery.kind === "verification" &&
          delivery.destinationVersion === destinationVersion &&
          delivery.status === "delivered",
      ),
  },
  {
    says: "its hours count what was recorded",
    holds: ({ counted, deliveries }) => {
      const production = deliveries.filter(({ kind }) => kind === "production");
      const attempts = production.flatMap(theirsOf);
      const ended = (...states: string[]) =>
        production.filter(({ status }) => states.includes(status)).length;
      return (
        counted.attempts === attempts.length &&
        counted.retries === attempts.filter(({ number }) => number > 1).length &&
        counted.succeeded === ended("delivered") &&
        counted.failed === ended("failed-permanent", "exhausted")
      );
    },
  },
];

// -- All of it ----------------------------------------------------------------------------------------------------------

export const ofEverything: readonly Invariant<Snapshot, { readonly owed: number }>[] = [
  {
    says: "each event has a delivery to each endpoint that was active and subscribed",
    holds: ({ deliveries }, { owed }) =>
      [...deliveries.values()].filter(
        ({ isRedelivery, kind }) => kind === "production" && !isRedelivery,
      ).length === owed,
  },
  {
    says: "each place in the queue is a delivery's",
    holds: ({ deliveries, places }) => places.every(({ deliveryId }) => deliveries.has(deliveryId)),
  },
  {
    says: "nothing is held beyond its lease, and nothing waits beyond its time",
    holds: ({ now, places }) =>
      places.every(({ dueAt, isReady }) => isReady || dueAt > now - MINUTE),
  },
];
