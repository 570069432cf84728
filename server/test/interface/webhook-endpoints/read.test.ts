import { assignments } from "../../../src/store/sql.ts";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { failureMessage, failures } from "../../../src/webhooks/engine/attempt-codes.ts";
import { failureMessageSql } from "../../../src/webhooks/endpoints/endpoint-expressions.ts";
import { effectiveHealth } from "../../../src/webhooks/endpoints/health.ts";
import {
  activeEndpoint,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  verify,
} from "../../support/endpoints.ts";
import { etag, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const health = (id: string, columns: Record<string, string | number | null>) => db`
  update webhook_endpoint_health set ${assignments(columns)}
  where account_id = ${account.id} and endpoint_id = ${id}`;

test("200 · the ETag is the configuration version, and a read never returns 304", async () => {
  const { id } = await activeEndpoint(service);
  const answer = await service.get(`/v1/webhook-endpoints/${id}`);
  assert.equal(answer.status, 200);
  assert.equal(etag(answer), '"webhook-endpoint-2"');
  assert.equal(one(answer).attributes["configuration-version"], 2);
  await health(id, { consecutive_failures: 3 });
  const again = await service.get(`/v1/webhook-endpoints/${id}`, {
    headers: { "If-None-Match": '"webhook-endpoint-2"' },
  });
  assert.equal(again.status, 200);
  assert.equal(etag(again), '"webhook-endpoint-2"');
  assert.equal(one(again).attributes["consecutive-production-failures"], 3);
});

test("200 · a verified endpoint shows when and which destination was verified", async () => {
  const { id } = await postEndpoint(service);
  await verify(db, account, id);
  const attributes = await readEndpoint(service, id);
  assert.equal(attributes["status"], "active");
  assert.equal(attributes["effective-health"], "healthy");
  assert.equal(attributes["verified-destination-version"], 1);
  assert.match(String(attributes["verified-at"]), /^\d{4}-\d\d-\d\dT.*Z$/);
});

test("200 · an active endpoint is healthy, degraded from 1 failure or failing from 5", async () => {
  const { id } = await activeEndpoint(service);
  for (const failed of [0, 1, 4, 5, 6, 1_000]) {
    await health(id, { consecutive_failures: failed });
    const { "effective-health": shown } = await readEndpoint(service, id);
    const expected = failed === 0 ? "healthy" : failed < 5 ? "degraded" : "failing";
    assert.equal(shown, expected);
    assert.equal(effectiveHealth("active", { consecutiveFailures: failed }), expected);
  }
});

test("200 · the health of an endpoint that is not active is its status", async () => {
  const { id } = await activeEndpoint(service);
  await health(id, { consecutive_failures: 9 });
  await patchEndpoint(service, id, { status: "paused" });
  const paused = await readEndpoint(service, id);
  assert.deepEqual(
    [paused["status"], paused["pause-reason"], paused["effective-health"]],
    ["paused", "manual", "paused"],
  );
});

test("200 · the last production failure has a code and a message with the next step", async () => {
  const { id } = await activeEndpoint(service);
  const at = "2026-03-01T09:30:00.120Z";
  await health(id, {
    last_attempt_at: at,
    last_failure_at: at,
    last_failure_code: "http-503",
    last_success_at: "2026-03-01T08:00:00.000Z",
  });
  const attributes = await readEndpoint(service, id);
  assert.equal(attributes["last-production-attempt-at"], at);
  assert.equal(attributes["last-production-failure-at"], at);
  assert.equal(attributes["last-production-success-at"], "2026-03-01T08:00:00.000Z");
  assert.deepEqual(attributes["last-production-failure"], {
    code: "http-503",
    message: failureMessage("http-503"),
  });
});

test("200 · SQL and TypeScript have the same message for every code", async () => {
  const statuses = Array.from({ length: 1_000 }, (_, at) => `http-${at}` as const);
  const all = [...(Object.keys(failures) as (keyof typeof failures)[]), ...statuses];
  const rows = await db.query<{ code: string; message: string }[]>(
    `select code, ${failureMessageSql("code")} as message from unnest($1::text[]) as code`,
    [all],
  );
  const said = new Map(rows.map(({ code, message }) => [code, message]));
  for (const code of all) assert.equal(said.get(code), failureMessage(code), code);
});

test("200 · metrics cover production attempts of the last 24 hours and 7 days", async () => {
  const { id } = await activeEndpoint(service);
  await db`
    insert into webhook_hours (account_id, endpoint_id, hour, attempts, retries, succeeded, failed, latency_ms_sum, latencies)
    values (${account.id}, ${id}, date_trunc('hour', now()), 4, 1, 3, 1, 400, '{0,0,0,0,4,0,0,0,0,0,0,0}'),
      (${account.id}, ${id}, date_trunc('hour', now()) - interval '2 days', 6, 0, 6, 0, 600, '{0,0,0,0,6,0,0,0,0,0,0,0}')`;
  const metrics = (await readEndpoint(service, id))["metrics"] as Record<
    string,
    Record<string, unknown>
  >;
  const shown = (window: string) =>
    ["attempts", "retries", "succeeded", "failed", "success-rate"].map(
      (name) => metrics[window]?.[name],
    );
  assert.deepEqual(shown("24h"), [4, 1, 3, 1, 0.75]);
  assert.deepEqual(shown("7d"), [10, 1, 9, 1, 0.9]);
  const latency = metrics["24h"]?.["latency-ms"] as Record<string, number>;
  assert.equal(latency["average"], 100);
  assert.deepEqual(Object.keys(latency).toSorted(), ["average", "p50", "p95", "p99"]);
});
