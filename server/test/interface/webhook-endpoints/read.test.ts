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
import { startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

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
