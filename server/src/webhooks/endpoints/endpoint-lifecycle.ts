import { type Health, isFailingTooLong } from "./health.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import type { SuppressionReason } from "./suppression.ts";

/**
 * The life of an endpoint: who may change it when, which versions grow, and what becomes of work that is under way.
 * What the interface puts in a table is one here, and `docs/states.md` is made from it. The first row that fits is
 * taken; where none fits nothing has happened.
 */
export const endpointStatuses = {
  "pending-verification": "its present URL has not yet answered the challenge",
  "active": "events are sent to it",
  "paused": "nothing is sent; `pause-reason` says why",
  "deleted": "gone for good; never shown",
} as const satisfies Record<string, string>;

export type EndpointStatus = keyof typeof endpointStatuses;

export const pauseReasons = {
  "manual": "a person paused it",
  "health": "it had failed for 7 days",
  "security-policy": "its host was, or resolved to, an address that is not public",
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
  /** Until then the previous secret signs too. */
  readonly secretOverlapUntil: number | null;
  readonly verificationGeneration: number;
}

export type EndpointTrigger =
  | { readonly kind: "created" }
  /** PATCH with `name` or `events` alone; whether anything differs from what is stored. */
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
  /** A delivery to this version of the destination met an address that is not public. */
  | { readonly kind: "address-refused"; readonly destinationVersion: number }
  | { readonly kind: "deleted" };

export const endpointTriggers: Readonly<Record<EndpointTrigger["kind"], string>> = {
  "created": "POST",
  "edited": "PATCH of `name`, `events` or both",
  "destination-set": "PATCH with `url`, even the same one",
  "pause-requested": "PATCH of `status` to `paused`",
  "resume-requested": "PATCH of `status` to `active`",
  "verification-requested": "a verification is asked for",
  "challenge-answered": "a verification's delivery is answered with 2xx and the exact challenge",
  "rotation-requested": "a rotation of the secret is asked for",
  "health-judged": "time passes",
  "address-refused": "a delivery meets an address that is not public",
  "deleted": "DELETE",
};

/** Why a request is refused in the state the endpoint is in. */
export const lifecycleRefusals = {
  "endpoint-not-verified": "The endpoint's present URL is not verified. Verify it first.",
  "endpoint-security-paused":
    "The endpoint is paused because its host was, or resolved to, an address that is not public. Set a valid public URL, the same one too if it is so by now, then verify it.",
  "endpoint-paused": "The endpoint is paused. Resume it first.",
  "stale-secret-generation":
    "The endpoint has another secret by now. Read the endpoint again before retrying.",
  "secret-overlap-active":
    "The secret was rotated less than 48 hours ago, and the previous one is still valid. To have a new one at once, set the URL, the same one too.",
} as const satisfies Record<string, string>;

export type LifecycleRefusal = keyof typeof lifecycleRefusals;

type Counter =
  | "configurationVersion"
  | "destinationVersion"
  | "secretGeneration"
  | "verificationGeneration";

/** What goes with a step, for whoever writes it to the database in the same transaction. */
export interface Effects {
  /** Which work that has not been delivered is suppressed, and with which reason. */
  readonly suppresses?: readonly [work: SuppressedWork, reason: SuppressionReason];
  /** `renewed`: a new one, and the old one is invalid at once. `rotated`: a new one beside the old one. */
  readonly secrets?: "renewed" | "rotated" | "cleared";
  readonly resetsStreak?: boolean;
  readonly sendsVerification?: boolean;
}

/** All of the endpoint's, that of event types it no longer subscribes to, or verifications that are not the newest. */
export type SuppressedWork = "all" | "unsubscribed" | "older-verifications";

export interface EndpointRow extends Effects {
  /** `none`: there was no endpoint before. */
  readonly from: readonly (EndpointStatus | "none")[];
  readonly trigger: EndpointTrigger["kind"];
  readonly when?: Condition;
  /** Without one the status stays; so does its reason. */
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
  says: "the present destination is still verified",
  holds: ({ endpoint }) => endpoint.verifiedDestinationVersion === endpoint.destinationVersion,
};
const newestInTime: Condition = {
  says: "the newest verification of the present destination, within its 15 minutes",
  holds: ({ endpoint, trigger, now }) =>
    trigger.kind === "challenge-answered" &&
    trigger.destinationVersion === endpoint.destinationVersion &&
    trigger.verificationGeneration === endpoint.verificationGeneration &&
    now < trigger.expiresAt,
};
const staleGeneration: Condition = {
  says: "the generation named is not the current one",
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
const presentDestination: Condition = {
  says: "of the present destination, and not paused for `security-policy` already",
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
    when: presentDestination,
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
  /** Nothing does: it was so already, and there is nothing to write. */
  readonly changes: boolean;
}

export type Step = { readonly refused: LifecycleRefusal } | TakenStep;

/** undefined: this cannot happen to an endpoint in this state, or comes too late; change nothing. */
export function endpointStep(
  endpoint: EndpointState | undefined,
  trigger: EndpointTrigger,
  now: number,
): Step | undefined {
  const moment = { endpoint: endpoint ?? nothing, trigger, now };
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

/** The row that decides; for tests, which hold each row against an example. */
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

/** From which the first versions, all 1, have grown. */
const nothing: EndpointState = {
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
