import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointState } from "../endpoints/endpoint-lifecycle.ts";
import { type DeliveryTarget, ineligibility } from "./eligibility.ts";

const active: EndpointState & { events: string[] } = {
  status: "active",
  pauseReason: null,
  configurationVersion: 2,
  destinationVersion: 3,
  verifiedDestinationVersion: 3,
  verifiedAt: 0,
  secretGeneration: 3,
  secretOverlapUntil: null,
  verificationGeneration: 4,
  events: ["person.created"],
};
const pending = {
  ...active,
  status: "pending-verification",
  verifiedDestinationVersion: 2,
} as const;
const event: DeliveryTarget = {
  kind: "production",
  destinationVersion: 3,
  eventType: "person.created",
};
const verification: DeliveryTarget = {
  kind: "verification",
  destinationVersion: 3,
  verificationGeneration: 4,
};
const trial: DeliveryTarget = { kind: "test", destinationVersion: 3 };

const cases: readonly [
  name: string,
  delivery: DeliveryTarget,
  endpoint: Parameters<typeof ineligibility>[1],
  reason: string | undefined,
][] = [
  ["an event it subscribes to", event, active, undefined],
  ["a test", trial, active, undefined],
  ["a verification of an active endpoint", verification, active, undefined],
  ["a verification of a pending endpoint", verification, pending, undefined],
  ["an event for a pending endpoint", event, pending, "pending-verification"],
  ["a test for a pending endpoint", trial, pending, "pending-verification"],
  [
    "an event for a paused endpoint",
    event,
    { ...active, status: "paused", pauseReason: "manual" },
    "manual-pause",
  ],
  [
    "an event for a failing endpoint",
    event,
    { ...active, status: "paused", pauseReason: "health" },
    "health-pause",
  ],
  [
    "a verification for a suspect endpoint",
    verification,
    { ...active, status: "paused", pauseReason: "security-policy" },
    "security-policy",
  ],
  [
    "an event no longer subscribed to",
    event,
    { ...active, events: ["cell.updated"] },
    "subscription-removed",
  ],
  [
    "an event for an earlier URL",
    event,
    { ...active, destinationVersion: 4, verifiedDestinationVersion: 4 },
    "destination-version-mismatch",
  ],
  [
    "an event for an earlier URL of a paused endpoint",
    event,
    { ...active, status: "paused", pauseReason: "manual", destinationVersion: 4 },
    "destination-version-mismatch",
  ],
  [
    "an event for a URL that is not the one that was verified",
    event,
    { ...active, verifiedDestinationVersion: 2 },
    "pending-verification",
  ],
  [
    "an older verification",
    { ...verification, verificationGeneration: 3 },
    pending,
    "verification-superseded",
  ],
  [
    "anything for a deleted endpoint",
    verification,
    { ...active, status: "deleted", destinationVersion: 9 },
    "deleted",
  ],
];

for (const [name, delivery, endpoint, reason] of cases)
  test(`${name}: ${reason ?? "sent"}`, () => {
    assert.equal(ineligibility(delivery, endpoint), reason);
  });
