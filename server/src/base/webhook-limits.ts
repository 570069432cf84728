import assert from "node:assert/strict";
import { DAY, HOUR, MINUTE, SECOND } from "./clock.ts";

/** The limits of webhooks. Each name contains the unit. */
export const webhookLimits = {
  endpointNameLengthMax: 120,
  /** Endpoints that are not deleted. A write waits until a delivery is captured for each of them. */
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
  /** The part of an answer that the history keeps. */
  answerTextBytesMax: 1_024,
  interimAnswersMax: 100,

  urlLengthMax: 2_048,
  /** For resolving the host of a new URL. The caller waits for it. */
  registrationMsMax: 5 * SECOND,
  /** Short, so that addresses are judged often. Many receivers close idle connections after five seconds. */
  connectionIdleMsMax: 4 * SECOND,
  /** The maximum age of a connection that is never idle. */
  connectionMsMax: MINUTE,
  connectionsIdleMax: 512,
  tlsSessionsMax: 4_096,
  tlsSessionMsMax: 10 * MINUTE,

  /** The wait before each attempt, counted from the end of the previous one. There are as many attempts as waits. */
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
  /** The range that Standard Webhooks allows. The service generates secrets of `secretBytes`. */
  secretBytesMin: 24,
  secretBytesMax: 64,
  secretOverlapMs: 2 * DAY,

  failingFromFailures: 5,
  pausedAfterFailingMs: 7 * DAY,

  /** The upper bounds of the latency histogram. `latency_within` in the database has the same bounds. */
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
  /** One statement creates all deliveries of a replay. The next replay continues where this one stopped. */
  deliveriesPerReplay: 10_000,
  /** Deliveries per statement when an endpoint is changed. A million would exceed the time limit of a request. */
  suppressedAtOnce: 50_000,
  /** The longest wait for concurrent requests that count the same action. */
  actionTurnMsMax: 2 * SECOND,
} as const;

const sum = (waits: readonly number[]) => waits.reduce((total, wait) => total + wait, 0);
const longest = 1 + webhookLimits.waitJitter;

assert.ok(webhookLimits.pageSizeDefault <= webhookLimits.pageSizeMax);
// If a lease ended while its worker still waited for an answer, every request would be sent twice.
assert.ok(webhookLimits.leaseMs > 2 * webhookLimits.attemptMsMax);
// The longest Retry-After after every attempt must end before the history of the delivery expires.
assert.ok(
  (webhookLimits.productionWaitsMs.length - 1) * webhookLimits.retryAfterMsMax <
    webhookLimits.retentionMs,
);
// A schedule longer than the lifetime would never reach its last attempts.
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
// A delivery that waits for a retry when the secret changes has another attempt within the overlap.
assert.ok(webhookLimits.secretOverlapMs > Math.max(...webhookLimits.productionWaitsMs) * longest);
// The history still contains the failures that paused an endpoint.
assert.ok(webhookLimits.pausedAfterFailingMs < webhookLimits.retentionMs);
// Attempts that time out are counted in the bucket after the last bound.
assert.equal(webhookLimits.latencyBoundsMs.at(-1), webhookLimits.attemptMsMax);
// Only one rotation fits into an overlap. The signature header has no place for a third secret.
assert.ok(webhookLimits.rotationsMs >= webhookLimits.secretOverlapMs);
