import assert from "node:assert/strict";
import { DAY, HOUR, MINUTE, SECOND } from "./clock.ts";

/** Every limit of the webhooks, with its unit in its name. The interface names most of them. */
export const webhookLimits = {
  endpointNameLengthMax: 120,
  /** Live ones: so many deliveries an event may lead to, and a write has to wait for them to be captured. */
  endpointsPerAccount: 1_000,
  pageSizeMax: 100,
  pageSizeDefault: 25,
  idempotencyKeyLengthMax: 128,
  attemptsShownMax: 100,
  snapshotBytesMax: 64 * 1_024,

  /** One timer over everything: resolving, connecting, TLS, sending and reading. */
  attemptMsMax: 10 * SECOND,
  leaseMs: MINUTE,
  answerHeaderBytesMax: 16 * 1_024,
  answerBodyBytesMax: 4 * 1_024,

  urlLengthMax: 2_048,
  /** For resolving the host that somebody registers. They are waiting. */
  registrationMsMax: 5 * SECOND,
  /** Short, so that addresses are judged anew often. Many receivers close after five seconds. */
  connectionIdleMsMax: 4 * SECOND,
  /** Of one that is never idle. */
  connectionMsMax: MINUTE,
  connectionsIdleMax: 512,
  tlsSessionsMax: 4_096,
  tlsSessionMsMax: 10 * MINUTE,

  /** The wait before each attempt, counted from the end of the one before. As many attempts as waits. */
  productionWaitsMs: [0, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
  verificationWaitsMs: [0, MINUTE, 5 * MINUTE],
  testWaitsMs: [0],
  waitJitter: 0.1,
  retryAfterMsMax: DAY,
  systemWaitMsMin: 30 * SECOND,
  systemWaitMsMax: 15 * MINUTE,

  retentionMs: 30 * DAY,
  controlMessageMs: 15 * MINUTE,

  secretBytes: 32,
  /** What Standard Webhooks allows: secrets of this length are read, though we make none but our own. */
  secretBytesMin: 24,
  secretBytesMax: 64,
  secretOverlapMs: 2 * DAY,

  failingFromFailures: 5,
  pausedAfterFailingMs: 7 * DAY,

  /** What attempts are counted up to, by how long they took; `latency_within` in the database knows the same. */
  latencyBoundsMs: [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],

  verificationsPerAccount: 20,
  verificationsPerEndpoint: 5,
  verificationsMs: HOUR,
  testsPerAccount: 60,
  testsPerEndpoint: 10,
  testsMs: HOUR,
  redeliveriesPerAccount: 100,
  redeliveriesPerEndpoint: 20,
  redeliveriesMs: HOUR,
  rotationsPerAccount: 10,
  rotationsPerEndpoint: 1,
  rotationsMs: 2 * DAY,
  replaysPerAccount: 20,
  replaysPerEndpoint: 10,
  replaysMs: HOUR,
  /** What is left of the range is for the next replay: one statement makes them all. */
  deliveriesPerReplay: 10_000,
  /** Of an endpoint that is changed. A million would take longer than a request may. */
  suppressedAtOnce: 50_000,
  /** How long a request waits for those before it to be counted. */
  actionTurnMsMax: 2 * SECOND,
} as const;

const sum = (waits: readonly number[]) => waits.reduce((total, wait) => total + wait, 0);
const longest = 1 + webhookLimits.waitJitter;

assert.ok(webhookLimits.pageSizeDefault <= webhookLimits.pageSizeMax);
// A worker that lost its lease while it still waits for an answer would have everything sent twice.
assert.ok(webhookLimits.leaseMs > 2 * webhookLimits.attemptMsMax);
// Even the longest Retry-After after every attempt must end before the history it is recorded in expires.
assert.ok(
  (webhookLimits.productionWaitsMs.length - 1) * webhookLimits.retryAfterMsMax <
    webhookLimits.retentionMs,
);
// A whole schedule fits into the lifetime, or its last attempts would be a promise nobody can keep.
assert.ok(sum(webhookLimits.productionWaitsMs) * longest < webhookLimits.retentionMs);
assert.ok(
  sum(webhookLimits.verificationWaitsMs) * longest +
    webhookLimits.verificationWaitsMs.length * webhookLimits.attemptMsMax <
    webhookLimits.controlMessageMs,
);
assert.ok(webhookLimits.systemWaitMsMin < webhookLimits.systemWaitMsMax);
assert.ok(
  webhookLimits.secretBytesMin <= webhookLimits.secretBytes &&
    webhookLimits.secretBytes <= webhookLimits.secretBytesMax,
);
// Every retry that is under way when the secret changes has a second chance within the overlap.
assert.ok(webhookLimits.secretOverlapMs > Math.max(...webhookLimits.productionWaitsMs) * longest);
// An endpoint that failed for long enough to be paused is still in the history that tells why.
assert.ok(webhookLimits.pausedAfterFailingMs < webhookLimits.retentionMs);
// Whatever takes as long as an attempt may has a bucket of its own behind the last bound.
assert.equal(webhookLimits.latencyBoundsMs.at(-1), webhookLimits.attemptMsMax);
// One rotation per overlap: a third generation would have no place in the header.
assert.ok(webhookLimits.rotationsMs >= webhookLimits.secretOverlapMs);
