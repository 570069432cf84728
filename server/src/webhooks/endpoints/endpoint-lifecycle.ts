import { type Health, isFailingTooLong } from "./health.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { SuppressionReason } from "./suppression-reasons.ts";

/**
 * The state machine of an endpoint: allowed changes, version counters, and the effect on waiting deliveries.
 * `docs/states.md` is generated from this table. The first matching row applies. If no row matches, nothing changes.
 */
export const endpointStatuses = {
  "pending-verification": "the current URL is not verified",
  "active": "events are sent",
  "paused": "nothing is sent; `pause-reason` says why",
  "deleted": "deleted permanently; never shown",
} as const satisfies Record<string, string>;

export type EndpointStatus = keyof typeof endpointStatuses;

export const pauseReasons = {
  "manual": "a person paused it",
  "health": "it failed for 7 days",
  "security-policy": "its host is, or resolves to, an address that is not public",
} as const satisfies Record<string, string>;

export type PauseReason = keyof typeof pauseReasons;

export interface EndpointState {
  readonly status: EndpointStatus;
  readonly pauseReason: PauseReason | null;
  readonly configurationVersion: number;
  readonly destinationVersion: number;
  readonly verifiedDestinationVersion: number | null;
  readonly verifiedAt: number | null;
  readonly secretGeneration: number;
  /** The previous secret also signs until this time. */
  readonly secretOverlapUntil: number | null;
  readonly verificationGeneration: number;
}

export type EndpointTrigger =
  | { readonly kind: "created" }
  /** PATCH of `name` or `events`. `differs` is false if it sets the stored values. */
  | { readonly kind: "edited"; readonly differs: boolean }
  | { readonly kind: "destination-set" }
  | { readonly kind: "pause-requested" }
  | { readonly kind: "resume-requested" }
  | { readonly kind: "verification-requested" }
  | {
      readonly kind: "challenge-answered";
      readonly destinationVersion: number;
      readonly verificationGeneration: number;
      readonly expiresAt: number;
    }
  | { readonly kind: "rotation-requested"; readonly secretGeneration: number }
  | { readonly kind: "health-judged"; readonly health: Health }
  /** A delivery to this version of the destination found an address that is not public. */
  | { readonly kind: "address-refused"; readonly destinationVersion: number }
  | { readonly kind: "deleted" };

export const endpointTriggers: Readonly<Record<EndpointTrigger["kind"], string>> = {
  "created": "POST",
  "edited": "PATCH of `name`, `events` or both",
  "destination-set": "PATCH with `url`, even the same one",
  "pause-requested": "PATCH of `status` to `paused`",
  "resume-requested": "PATCH of `status` to `active`",
  "verification-requested": "a verification is requested",
  "challenge-answered": "the response to a verification is 2xx with the exact challenge",
  "rotation-requested": "a rotation of the secret is requested",
  "health-judged": "time passes",
  "address-refused": "a delivery finds an address that is not public",
  "deleted": "DELETE",
};

/** Error texts for requests that the endpoint's state does not allow. */
export const lifecycleRefusals = {
  "endpoint-not-verified": "The endpoint's current URL is not verified. Verify it first.",
  "endpoint-security-paused":
    "The endpoint is paused because its host is, or resolves to, an address that is not public. Set a public URL, or the same one if it is public now, and verify it.",
  "endpoint-paused": "The endpoint is paused. Resume it first.",
  "stale-secret-generation":
    "The endpoint's secret has changed. Read the endpoint again before you retry.",
  "secret-overlap-active":
    "The secret was rotated less than 48 hours ago, and the previous one is still valid. To replace it at once, set the URL again.",
} as const satisfies Record<string, string>;

export type LifecycleRefusal = keyof typeof lifecycleRefusals;

type Counter =
  | "configurationVersion"
  | "destinationVersion"
  | "secretGeneration"
  | "verificationGeneration";

/** Other writes of the same transaction. */
export interface Effects {
  /** The undelivered work to suppress, and the reason. */
  readonly suppresses?: readonly [work: SuppressedWork, reason: SuppressionReason];
  /** `renewed` replaces the secret at once. `rotated` keeps the previous one for a while. */
  readonly secrets?: "renewed" | "rotated" | "cleared";
  readonly resetsStreak?: boolean;
  readonly sendsVerification?: boolean;
}

/** All work, work for removed event types, or verifications other than the newest. */
export type SuppressedWork = "all" | "unsubscribed" | "older-verifications";

export interface EndpointRow extends Effects {
  /** `none` means that the endpoint does not exist yet. */
  readonly from: readonly (EndpointStatus | "none")[];
  readonly trigger: EndpointTrigger["kind"];
  readonly when?: Condition;
  /** If absent, the status and the pause reason stay. */
  readonly to?: EndpointStatus;
  readonly pauseReason?: PauseReason;
  readonly grows?: readonly Counter[];
  readonly verifies?: boolean;
  readonly refuses?: LifecycleRefusal;
}

interface Moment {
  readonly endpoint: EndpointState;
  readonly trigger: EndpointTrigger;
  readonly now: number;
}

interface Condition {
  readonly says: string;
  readonly holds: (moment: Moment) => boolean;
}

const live = ["pending-verification", "active", "paused"] as const;

const differs: Condition = {
  says: "something differs",
  holds: ({ trigger }) => trigger.kind === "edited" && trigger.differs,
};
const securityPaused: Condition = {
  says: "paused for `security-policy`",
  holds: ({ endpoint }) => endpoint.pauseReason === "security-policy",
};
const isVerified: Condition = {
  says: "the current destination is still verified",
  holds: ({ endpoint }) => endpoint.verifiedDestinationVersion === endpoint.destinationVersion,
};
const newestInTime: Condition = {
  says: "the newest verification of the current destination, within 15 minutes",
  holds: ({ endpoint, trigger, now }) =>
    trigger.kind === "challenge-answered" &&
    trigger.destinationVersion === endpoint.destinationVersion &&
    trigger.verificationGeneration === endpoint.verificationGeneration &&
    now < trigger.expiresAt,
};
const staleGeneration: Condition = {
  says: "the generation in the request is not the current one",
  holds: ({ endpoint, trigger }) =>
    trigger.kind === "rotation-requested" && trigger.secretGeneration !== endpoint.secretGeneration,
};
const overlapActive: Condition = {
  says: "an overlap is active",
  holds: ({ endpoint, now }) =>
    endpoint.secretOverlapUntil !== null && now < endpoint.secretOverlapUntil,
};
const unattended: Condition = {
  says: "at least 5 failures in a row, unresolved for 7 days",
  holds: ({ trigger, now }) =>
    trigger.kind === "health-judged" && isFailingTooLong(trigger.health, now),
};
const currentDestination: Condition = {
  says: "for the current destination, and not already paused for `security-policy`",
  holds: (moment) =>
    moment.trigger.kind === "address-refused" &&
    moment.trigger.destinationVersion === moment.endpoint.destinationVersion &&
    !securityPaused.holds(moment),
};

export const endpointTransitions: readonly EndpointRow[] = [
  {
    from: ["none"],
    trigger: "created",
    to: "pending-verification",
    grows: [
      "configurationVersion",
      "destinationVersion",
      "secretGeneration",
      "verificationGeneration",
    ],
    secrets: "renewed",
    sendsVerification: true,
  },
  {
    from: live,
    trigger: "edited",
    when: differs,
    grows: ["configurationVersion"],
    suppresses: ["unsubscribed", "subscription-removed"],
  },
  { from: live, trigger: "edited" },
  {
    from: live,
    trigger: "destination-set",
    to: "pending-verification",
    grows: [
      "configurationVersion",
      "destinationVersion",
      "secretGeneration",
      "verificationGeneration",
    ],
    suppresses: ["all", "url-changed"],
    secrets: "renewed",
    resetsStreak: true,
    sendsVerification: true,
  },
  {
    from: ["active"],
    trigger: "pause-requested",
    to: "paused",
    pauseReason: "manual",
    grows: ["configurationVersion"],
    suppresses: ["all", "manual-pause"],
  },
  { from: ["paused"], trigger: "pause-requested" },
  { from: ["pending-verification"], trigger: "pause-requested", refuses: "endpoint-not-verified" },
  {
    from: ["paused"],
    trigger: "resume-requested",
    when: securityPaused,
    refuses: "endpoint-security-paused",
  },
  {
    from: ["paused"],
    trigger: "resume-requested",
    when: isVerified,
    to: "active",
    grows: ["configurationVersion"],
    resetsStreak: true,
  },
  { from: ["active"], trigger: "resume-requested" },
  {
    from: ["pending-verification", "paused"],
    trigger: "resume-requested",
    refuses: "endpoint-not-verified",
  },
  {
    from: ["paused"],
    trigger: "verification-requested",
    when: securityPaused,
    refuses: "endpoint-security-paused",
  },
  { from: ["paused"], trigger: "verification-requested", refuses: "endpoint-paused" },
  {
    from: ["pending-verification", "active"],
    trigger: "verification-requested",
    grows: ["verificationGeneration"],
    suppresses: ["older-verifications", "verification-superseded"],
    sendsVerification: true,
  },
  {
    from: ["pending-verification"],
    trigger: "challenge-answered",
    when: newestInTime,
    to: "active",
    grows: ["configurationVersion"],
    verifies: true,
  },
  { from: ["active"], trigger: "challenge-answered", when: newestInTime, verifies: true },
  {
    from: live,
    trigger: "rotation-requested",
    when: staleGeneration,
    refuses: "stale-secret-generation",
  },
  {
    from: live,
    trigger: "rotation-requested",
    when: overlapActive,
    refuses: "secret-overlap-active",
  },
  { from: live, trigger: "rotation-requested", grows: ["secretGeneration"], secrets: "rotated" },
  {
    from: ["active"],
    trigger: "health-judged",
    when: unattended,
    to: "paused",
    pauseReason: "health",
    grows: ["configurationVersion"],
    suppresses: ["all", "health-pause"],
  },
  {
    from: live,
    trigger: "address-refused",
    when: currentDestination,
    to: "paused",
    pauseReason: "security-policy",
    grows: ["configurationVersion"],
    suppresses: ["all", "security-policy"],
  },
  {
    from: live,
    trigger: "deleted",
    to: "deleted",
    suppresses: ["all", "deleted"],
    secrets: "cleared",
  },
];

export interface TakenStep {
  readonly trigger: EndpointTrigger["kind"];
  readonly endpoint: EndpointState;
  readonly effects: Effects;
  /** False if the endpoint is already in this state, so there is nothing to write. */
  readonly changes: boolean;
}

export type Step = { readonly refused: LifecycleRefusal } | TakenStep;

/** Returns undefined if the trigger does not apply to this state or comes too late. */
export function endpointStep(
  endpoint: EndpointState | undefined,
  trigger: EndpointTrigger,
  now: number,
): Step | undefined {
  const moment = { endpoint: endpoint ?? noEndpoint, trigger, now };
  const row = endpointRowFor(endpoint?.status ?? "none", moment);
  if (!row) return undefined;
  if (row.refuses) return { refused: row.refuses };
  return {
    trigger: row.trigger,
    endpoint: stateAfter(row, moment),
    effects: effectsOf(row),
    changes: [row.to, row.grows, row.verifies, row.secrets].some((each) => each !== undefined),
  };
}

/** Exported for tests, which compare each row with an example. */
export function endpointRowFor(
  from: EndpointStatus | "none",
  moment: Moment,
): EndpointRow | undefined {
  return endpointTransitions.find(
    (row) =>
      row.trigger === moment.trigger.kind &&
      row.from.includes(from) &&
      (row.when?.holds(moment) ?? true),
  );
}

/** Creation increments every counter from 0 to 1. */
const noEndpoint: EndpointState = {
  status: "pending-verification",
  pauseReason: null,
  configurationVersion: 0,
  destinationVersion: 0,
  verifiedDestinationVersion: null,
  verifiedAt: null,
  secretGeneration: 0,
  secretOverlapUntil: null,
  verificationGeneration: 0,
};

function stateAfter(row: EndpointRow, { endpoint, now }: Moment): EndpointState {
  const grown = (counter: Counter) => endpoint[counter] + (row.grows?.includes(counter) ? 1 : 0);
  return {
    ...endpoint,
    ...(row.to && { status: row.to, pauseReason: row.pauseReason ?? null }),
    ...(row.grows?.includes("destinationVersion") && { verifiedAt: null }),
    ...(row.verifies && {
      verifiedDestinationVersion: endpoint.destinationVersion,
      verifiedAt: now,
    }),
    ...(row.secrets && {
      secretOverlapUntil: row.secrets === "rotated" ? now + webhookLimits.secretOverlapMs : null,
    }),
    configurationVersion: grown("configurationVersion"),
    destinationVersion: grown("destinationVersion"),
    secretGeneration: grown("secretGeneration"),
    verificationGeneration: grown("verificationGeneration"),
  };
}

function effectsOf({ suppresses, secrets, resetsStreak, sendsVerification }: EndpointRow): Effects {
  return {
    ...(suppresses && { suppresses }),
    ...(secrets && { secrets }),
    ...(resetsStreak && { resetsStreak }),
    ...(sendsVerification && { sendsVerification }),
  };
}
