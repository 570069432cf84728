import type { SuppressionReason } from "../endpoints/suppression-reasons.ts";
import type { Outcome } from "./outcome.ts";
import { type DeliveryKind, nextAttemptAt, systemWaitMs } from "./schedule.ts";

/**
 * The state machine of a delivery. `docs/states.md` is generated from this table. The first matching row applies. If no
 * row matches, nothing changes, so a terminal state is final.
 *
 * All times are database times.
 */
export const deliveryStates = {
  "pending": { final: false, means: "ready for the first attempt" },
  "processing": { final: false, means: "claimed by a worker" },
  "retry-scheduled": { final: false, means: "the receiver failed and a retry is scheduled" },
  "blocked-system": {
    final: false,
    means: "the service failed and will retry without using an attempt",
  },
  "delivered": { final: true, means: "the receiver accepted it" },
  "failed-permanent": { final: true, means: "the receiver failed permanently" },
  "exhausted": { final: true, means: "no attempt or no time is left" },
  "suppressed": { final: true, means: "the endpoint is no longer eligible" },
  "expired": { final: true, means: "its lifetime ended before it was settled" },
} as const satisfies Record<string, { final: boolean; means: string }>;

export type DeliveryState = keyof typeof deliveryStates;

/** The states in four outcomes, for readers. The view `webhook_delivery_history` has the same. */
export const deliveryOutcomes = {
  delivered: ["delivered"],
  waiting: ["pending", "processing", "retry-scheduled", "blocked-system"],
  failed: ["failed-permanent", "exhausted", "expired"],
  suppressed: ["suppressed"],
} as const satisfies Record<string, readonly DeliveryState[]>;

/** The facts about a delivery that decide its transitions. */
export interface DeliveryRecord {
  readonly kind: DeliveryKind;
  readonly state: DeliveryState;
  /** Attempts that count against the receiver. */
  readonly attemptsMade: number;
  /** Consecutive failures of the service. */
  readonly systemFailures: number;
  readonly expiresAt: number;
}

export type Trigger =
  | { readonly kind: "claimed" }
  | { readonly kind: "lifetime-ended" }
  /** Found after a claim, or caused by a change of the endpoint. */
  | { readonly kind: "ineligible"; readonly reason: SuppressionReason }
  | {
      readonly kind: "attempted";
      readonly outcome: Outcome;
      /** The endpoint changed during the attempt, so there is no retry. A success still counts. */
      readonly ineligible?: SuppressionReason | undefined;
    }
  /** The worker is lost. The receiver may get the message again. */
  | { readonly kind: "lease-ended" }
  /** The worker stopped before it started the delivery. */
  | { readonly kind: "released" };

export type TriggerName = Exclude<Trigger["kind"], "attempted"> | `attempted: ${Outcome["kind"]}`;

export interface Verdict {
  readonly state: DeliveryState;
  readonly attemptsMade: number;
  readonly systemFailures: number;
  /** Set only in states that wait. */
  readonly nextAttemptAt?: number;
  readonly suppressionReason?: SuppressionReason;
}

interface Moment {
  readonly delivery: DeliveryRecord;
  readonly trigger: Trigger;
  readonly now: number;
  /** The time of the next attempt, or undefined if none is left. */
  readonly retryAt: number | undefined;
}

export interface DeliveryRow {
  readonly from: readonly DeliveryState[];
  readonly trigger: TriggerName;
  readonly when?: Condition;
  readonly to: DeliveryState;
  /** Additional explanation for `docs/states.md`. */
  readonly note?: string;
}

interface Condition {
  readonly says: string;
  readonly holds: (moment: Moment) => boolean;
}

const due: readonly DeliveryState[] = ["pending", "retry-scheduled", "blocked-system"];

const lifetimeLeft: Condition = {
  says: "its lifetime has not ended",
  holds: ({ delivery, now }) => now < delivery.expiresAt,
};
const lifetimeOver: Condition = {
  says: "its lifetime has ended",
  holds: ({ delivery, now }) => now >= delivery.expiresAt,
};
const verifiedTooLate: Condition = {
  says: "the response to a verification came after its lifetime",
  holds: (moment) => moment.delivery.kind === "verification" && lifetimeOver.holds(moment),
};
const noAttemptLeft: Condition = {
  says: "no attempt is left",
  holds: ({ retryAt }) => retryAt === undefined,
};
const noTimeLeft: Condition = {
  says: "the next attempt would pass the lifetime",
  holds: ({ delivery, retryAt }) => retryAt !== undefined && retryAt >= delivery.expiresAt,
};
const endpointChanged: Condition = {
  says: "the endpoint is no longer eligible",
  holds: ({ trigger }) => trigger.kind === "attempted" && trigger.ineligible !== undefined,
};
const afterOwnFailure: Condition = {
  says: "it came from `blocked-system`",
  holds: ({ delivery }) => delivery.systemFailures > 0,
};
const afterAttempt: Condition = {
  says: "attempts were made",
  holds: ({ delivery }) => delivery.attemptsMade > 0,
};

const processing: readonly DeliveryState[] = ["processing"];

export const deliveryTransitions: readonly DeliveryRow[] = [
  { from: due, trigger: "claimed", when: lifetimeLeft, to: "processing" },
  { from: due, trigger: "claimed", when: lifetimeOver, to: "expired", note: "nothing is sent" },
  { from: due, trigger: "lifetime-ended", when: lifetimeOver, to: "expired" },
  { from: due, trigger: "ineligible", to: "suppressed" },
  {
    from: processing,
    trigger: "ineligible",
    to: "suppressed",
    note: "checked after the claim; nothing was sent",
  },

  { from: processing, trigger: "attempted: delivered", when: verifiedTooLate, to: "expired" },
  { from: processing, trigger: "attempted: delivered", to: "delivered" },
  { from: processing, trigger: "attempted: permanent", to: "failed-permanent" },
  {
    from: processing,
    trigger: "attempted: refused",
    to: "suppressed",
    note: "reason `security-policy`, which pauses the endpoint too",
  },
  { from: processing, trigger: "attempted: retryable", when: noAttemptLeft, to: "exhausted" },
  { from: processing, trigger: "attempted: retryable", when: endpointChanged, to: "suppressed" },
  { from: processing, trigger: "attempted: retryable", when: noTimeLeft, to: "exhausted" },
  { from: processing, trigger: "attempted: retryable", to: "retry-scheduled" },
  { from: processing, trigger: "attempted: system", when: lifetimeOver, to: "expired" },
  { from: processing, trigger: "attempted: system", when: endpointChanged, to: "suppressed" },
  {
    from: processing,
    trigger: "attempted: system",
    to: "blocked-system",
    note: "30 s, doubling to 15 min; no attempt is used",
  },

  { from: processing, trigger: "lease-ended", when: lifetimeOver, to: "expired" },
  {
    from: processing,
    trigger: "lease-ended",
    to: "blocked-system",
    note: "due at once the first time: the lease was the wait",
  },
  { from: processing, trigger: "released", when: lifetimeOver, to: "expired" },
  { from: processing, trigger: "released", when: afterOwnFailure, to: "blocked-system" },
  { from: processing, trigger: "released", when: afterAttempt, to: "retry-scheduled" },
  { from: processing, trigger: "released", to: "pending" },
];

/** Returns undefined if the trigger does not apply to this state. */
export function transition(
  delivery: DeliveryRecord,
  trigger: Trigger,
  now: number,
  random: () => number,
): Verdict | undefined {
  const moment = { delivery, trigger, now, retryAt: retryAt(delivery, trigger, now, random) };
  const row = rowFor(moment);
  return row && verdict(row.to, moment);
}

/** Exported for tests, which compare each row with an example. */
export function rowFor(moment: Moment): DeliveryRow | undefined {
  const name = triggerName(moment.trigger);
  return deliveryTransitions.find(
    (row) =>
      row.trigger === name &&
      row.from.includes(moment.delivery.state) &&
      (row.when?.holds(moment) ?? true),
  );
}

const triggerName = (trigger: Trigger): TriggerName =>
  trigger.kind === "attempted" ? `attempted: ${trigger.outcome.kind}` : trigger.kind;

function retryAt(
  { kind, attemptsMade }: DeliveryRecord,
  trigger: Trigger,
  now: number,
  random: () => number,
): number | undefined {
  if (trigger.kind !== "attempted" || trigger.outcome.kind !== "retryable") return undefined;
  return nextAttemptAt(kind, attemptsMade + 1, now, random, trigger.outcome.retryAfterMs);
}

function verdict(state: DeliveryState, moment: Moment): Verdict {
  const counts = countsAfter(moment);
  if (state === "suppressed")
    return { state, ...counts, suppressionReason: reasonIn(moment.trigger) };
  if (state === "processing" || deliveryStates[state].final) return { state, ...counts };
  return { state, ...counts, nextAttemptAt: dueAt(moment) };
}

function countsAfter({ delivery, trigger }: Moment) {
  const { attemptsMade, systemFailures } = delivery;
  const isOurs =
    trigger.kind === "lease-ended" ||
    (trigger.kind === "attempted" && trigger.outcome.kind === "system");
  if (isOurs) return { attemptsMade, systemFailures: systemFailures + 1 };
  if (trigger.kind === "attempted") return { attemptsMade: attemptsMade + 1, systemFailures: 0 };
  return { attemptsMade, systemFailures };
}

function reasonIn(trigger: Trigger): SuppressionReason {
  if (trigger.kind === "ineligible") return trigger.reason;
  if (trigger.kind !== "attempted" || trigger.outcome.kind === "refused") return "security-policy";
  return trigger.ineligible ?? "security-policy";
}

function dueAt({ delivery, trigger, now, retryAt }: Moment): number {
  if (trigger.kind === "released") return now;
  if (retryAt !== undefined) return retryAt;
  const { systemFailures, expiresAt } = delivery;
  const isFirstLoss = trigger.kind === "lease-ended" && systemFailures === 0;
  // The last check is at the end of the lifetime.
  return isFirstLoss ? now : Math.min(now + systemWaitMs(systemFailures), expiresAt);
}
