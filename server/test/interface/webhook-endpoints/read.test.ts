import { assignments } from "../../../src/store/sql.ts";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { failureMessage, failures } from "../../../src/webhooks/engine/attempt-codes.ts";
import { HOUR } from "../../../src/base/clock.ts";
import { latenciesOf } from "../../../src/webhooks/history/metrics.ts";
import { failureMessageSql } from "../../../src/webhooks/endpoints/endpoint-expressions.ts";
import { effectiveHealth } from "../../../src/webhooks/endpoints/health.ts";
import {
  activeEndpoint,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
  verify,
} from "../../support/endpoints.ts";
import { recordAttempt } from "../../support/history.ts";
import { one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const OVERLAP = "previous-secret-valid-until";

const health = (id: string, columns: Record<string, string | number | null>) => db`
  update webhook_endpoint_health set ${assignments(columns)}
  where account_id = ${account.id} and endpoint_id = ${id}`;

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

const shown = async (id: string, names: string) =>
  one(await service.get(`/v1/webhook-endpoints/${id}?fields[webhook-endpoints]=${names}`))
    .attributes;

test("200 · `verification` is the newest one, and only sent if `fields` names it", async () => {
  const { id } = await postEndpoint(service);
  assert.equal("verification" in (await readEndpoint(service, id)), false);
  const [delivery] = await db<{ id: string; expires: string }[]>`
    select id, expires_at as expires from webhook_deliveries
    where account_id = ${account.id} and endpoint_id = ${id}`;
  assert.ok(delivery);
  const { verification } = await shown(id, "verification");
  const { "next-attempt-at": next, ...rest } = verification as Record<string, unknown>;
  assert.match(String(next), /Z$/);
  assert.deepEqual(rest, {
    "delivery-id": delivery.id,
    "status": "pending",
    "attempt-count": 0,
    "last-error-code": null,
    "expires-at": delivery.expires,
  });

  const startedAt = new Date().toISOString();
  await recordAttempt(db, account.id, delivery.id, {
    sequence: 1,
    errorCode: "http-503",
    startedAt,
  });
  for (const [state, expected] of [
    ["retry-scheduled", "pending"],
    ["failed-permanent", "failed"],
    ["exhausted", "failed"],
    ["suppressed", "failed"],
    ["expired", "expired"],
    ["delivered", "succeeded"],
  ] as const) {
    await db`update webhook_deliveries set status = ${state}
      where account_id = ${account.id} and id = ${delivery.id}`;
    const { verification: now } = await shown(id, "verification");
    const { "last-error-code": code, status } = now as Record<string, unknown>;
    assert.deepEqual([status, code], [expected, "http-503"]);
  }
});

test("200 · `previous-secret-valid-until` is the end of the overlap, while it lasts", async () => {
  const { id } = await activeEndpoint(service);
  const { [OVERLAP]: before } = await readEndpoint(service, id);
  assert.equal(before, null);
  const until = new Date(Date.now() + HOUR).toISOString();
  const endsAt = (at: string) => db`
    update webhook_endpoints set secret_overlap_until = ${at}
    where account_id = ${account.id} and id = ${id}`;
  await endsAt(until);
  assert.equal((await readEndpoint(service, id))[OVERLAP], until);
  await endsAt(new Date(Date.now() - HOUR).toISOString());
  assert.equal((await readEndpoint(service, id))[OVERLAP], null);
});

test("200 · `hours` has the hours of seven days that have numbers, whose sums are those of `metrics`", async () => {
  const { id } = await activeEndpoint(service);
  assert.deepEqual(await shown(id, "hours"), { hours: [] });
  for (const hoursAgo of [168, 167, 24, 3, 0])
    await db`
      insert into webhook_hours values (${account.id}, ${id},
        date_trunc('hour', now(), 'UTC') - ${hoursAgo} * interval '1 hour', 4, 1, 2, 1, 90,
        ${latenciesOf([15, 15, 30, 30])}::int[])`;
  const { hours, metrics } = await shown(id, "hours,metrics");
  const rows = hours as Record<string, unknown>[];
  assert.equal(rows.length, 4);
  const numbers = { attempts: 4, retries: 1, succeeded: 2, failed: 1 };
  for (const { at, ...rest } of rows) {
    assert.match(String(at), /T\d\d:00:00\.000Z$/);
    assert.deepEqual(rest, { ...numbers, "p95-ms": 47 });
  }
  assert.deepEqual(
    rows.map(({ at }) => at),
    rows.map(({ at }) => String(at)).sort(),
  );
  const week = (metrics as Record<string, Record<string, unknown>>)["7d"];
  for (const [name, value] of Object.entries(numbers)) assert.equal(week?.[name], 4 * value);
});
