import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY, HOUR } from "../../base/clock.ts";
import {
  type EndpointRow,
  type EndpointState,
  type EndpointTrigger,
  endpointRowFor,
  endpointStep,
  endpointTransitions,
} from "./endpoint-lifecycle.ts";
import { newHealth } from "./health.ts";

const now = Date.UTC(2026, 0, 1);
const endpoint: EndpointState = {
  status: "active",
  pauseReason: null,
  configurationVersion: 10,
  destinationVersion: 3,
  verifiedDestinationVersion: 3,
  verifiedAt: now - DAY,
  secretGeneration: 5,
  secretOverlapUntil: null,
  verificationGeneration: 7,
};

const answered = {
  kind: "challenge-answered",
  destinationVersion: 3,
  verificationGeneration: 7,
  expiresAt: now + 1,
} as const;
const unattended: EndpointTrigger = {
  kind: "health-judged",
  health: { ...newHealth, consecutiveFailures: 5, failingSince: now - 7 * DAY },
};
const rotate: EndpointTrigger = { kind: "rotation-requested", secretGeneration: 5 };
const overlap = { secretOverlapUntil: now + 1 };
const suspect = { pauseReason: "security-policy" } as const;

/** One example for every row of the table, in the same order, with its changes. */
const examples: readonly (readonly [
  resource: string,
  endpoint: Partial<EndpointState>,
  trigger: EndpointTrigger,
  changes?: Partial<EndpointState>,
])[] = [
  [
    "created → pending-verification",
    {},
    { kind: "created" },
    {
      status: "pending-verification",
      configurationVersion: 1,
      destinationVersion: 1,
      verifiedDestinationVersion: null,
      verifiedAt: null,
      secretGeneration: 1,
      verificationGeneration: 1,
    },
  ],
  ["edited →", {}, { kind: "edited", differs: true }, { configurationVersion: 11 }],
  ["edited →", {}, { kind: "edited", differs: false }, {}],
  [
    "destination-set → pending-verification",
    overlap,
    { kind: "destination-set" },
    {
      status: "pending-verification",
      pauseReason: null,
      configurationVersion: 11,
      destinationVersion: 4,
      verifiedAt: null,
      secretGeneration: 6,
      secretOverlapUntil: null,
      verificationGeneration: 8,
    },
  ],
  [
    "pause-requested → paused",
    {},
    { kind: "pause-requested" },
    { status: "paused", pauseReason: "manual", configurationVersion: 11 },
  ],
  ["pause-requested →", {}, { kind: "pause-requested" }, {}],
  ["pause-requested → refused: endpoint-not-verified", {}, { kind: "pause-requested" }],
  ["resume-requested → refused: endpoint-security-paused", suspect, { kind: "resume-requested" }],
  [
    "resume-requested → active",
    {},
    { kind: "resume-requested" },
    { status: "active", pauseReason: null, configurationVersion: 11 },
  ],
  ["resume-requested →", {}, { kind: "resume-requested" }, {}],
  [
    "resume-requested → refused: endpoint-not-verified",
    { verifiedDestinationVersion: 2 },
    { kind: "resume-requested" },
  ],
  [
    "verification-requested → refused: endpoint-security-paused",
    suspect,
    { kind: "verification-requested" },
  ],
  ["verification-requested → refused: endpoint-paused", {}, { kind: "verification-requested" }],
  [
    "verification-requested →",
    {},
    { kind: "verification-requested" },
    { verificationGeneration: 8 },
  ],
  [
    "challenge-answered → active",
    { verifiedDestinationVersion: null, verifiedAt: null },
    answered,
    {
      status: "active",
      configurationVersion: 11,
      verifiedDestinationVersion: 3,
      verifiedAt: now,
    },
  ],
  ["challenge-answered →", {}, answered, { verifiedAt: now }],
  [
    "rotation-requested → refused: stale-secret-generation",
    overlap,
    { kind: "rotation-requested", secretGeneration: 4 },
  ],
  ["rotation-requested → refused: secret-overlap-active", overlap, rotate],
  [
    "rotation-requested →",
    { secretOverlapUntil: now },
    rotate,
    { secretGeneration: 6, secretOverlapUntil: now + 48 * HOUR },
  ],
  [
    "health-judged → paused",
    {},
    unattended,
    { status: "paused", pauseReason: "health", configurationVersion: 11 },
  ],
  [
    "address-refused → paused",
    {},
    { kind: "address-refused", destinationVersion: 3 },
    { status: "paused", pauseReason: "security-policy", configurationVersion: 11 },
  ],
  [
    "deleted → deleted",
    overlap,
    { kind: "deleted" },
    { status: "deleted", pauseReason: null, secretOverlapUntil: null },
  ],
];

const nameOf = (row: EndpointRow) =>
  `${row.trigger} → ${row.refuses ? `refused: ${row.refuses}` : (row.to ?? "")}`.trim();

test("every row of the table has an example", () => {
  assert.deepEqual(
    examples.map(([resource]) => resource),
    endpointTransitions.map(nameOf),
  );
});

const standing = (status: EndpointState["status"], rest: Partial<EndpointState>) => ({
  ...endpoint,
  status,
  pauseReason: status === "paused" ? ("manual" as const) : null,
  ...rest,
});

for (const [index, row] of endpointTransitions.entries())
  for (const from of row.from)
    test(`row ${index + 1}: ${from}, ${nameOf(row)}${row.when ? `, when ${row.when.says}` : ""}`, () => {
      const [, rest, trigger, changes] = examples[index] ?? assert.fail();
      const before = from === "none" ? undefined : standing(from, rest);
      const step = endpointStep(before, trigger, now);
      assert.equal(endpointRowFor(from, { endpoint: before ?? endpoint, trigger, now }), row);
      if (row.refuses) return assert.deepEqual(step, { refused: row.refuses });
      assert.ok(step && "endpoint" in step);
      assert.deepEqual(step.endpoint, { ...(before ?? endpoint), ...changes });
      const { suppresses, secrets, resetsStreak, sendsVerification } = row;
      assert.deepEqual(
        { suppresses: undefined, secrets: undefined, ...step.effects },
        {
          suppresses,
          secrets,
          ...(resetsStreak && { resetsStreak }),
          ...(sendsVerification && { sendsVerification }),
        },
      );
    });

const everyTrigger = examples.map(([, , trigger]) => trigger);

test("a deleted endpoint never changes", () => {
  for (const trigger of everyTrigger)
    assert.equal(endpointStep(standing("deleted", {}), trigger, now), undefined, trigger.kind);
});

test("an outdated verification activates nothing", () => {
  const pending = standing("pending-verification", { verifiedDestinationVersion: null });
  for (const outdated of [
    { destinationVersion: 2 },
    { verificationGeneration: 6 },
    { expiresAt: now },
  ])
    assert.equal(endpointStep(pending, { ...answered, ...outdated }, now), undefined);
  assert.equal(endpointStep(standing("paused", {}), answered, now), undefined);
});

test("a refused address of a previous destination pauses nothing", () => {
  const earlier = { kind: "address-refused", destinationVersion: 2 } as const;
  const present = { kind: "address-refused", destinationVersion: 3 } as const;
  assert.equal(endpointStep(endpoint, earlier, now), undefined);
  assert.equal(endpointStep(standing("paused", suspect), present, now), undefined);
});

test("an endpoint that has failed for less than 7 days stays active", () => {
  const health = { ...newHealth, consecutiveFailures: 99, failingSince: now - 7 * DAY + 1 };
  assert.equal(endpointStep(endpoint, { kind: "health-judged", health }, now), undefined);
});

test("versions never decrease, and the configuration version grows with every status", () => {
  for (const [index, row] of endpointTransitions.entries())
    for (const from of row.from) {
      const [, rest, trigger] = examples[index] ?? assert.fail();
      if (from === "none") continue;
      const before = standing(from, rest);
      const step = endpointStep(before, trigger, now);
      if (!step || "refused" in step) continue;
      const { endpoint: later } = step;
      for (const counter of [
        "configurationVersion",
        "destinationVersion",
        "secretGeneration",
        "verificationGeneration",
      ] as const)
        assert.ok(later[counter] >= before[counter], nameOf(row));
      // A deleted endpoint is never shown, so no client has its version.
      if (later.status !== before.status && later.status !== "deleted")
        assert.equal(later.configurationVersion, before.configurationVersion + 1, nameOf(row));
    }
});
