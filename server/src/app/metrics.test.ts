import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { startMetrics } from "./metrics.ts";
import { startMetricsServer } from "./metrics-server.ts";
import { type Observation, observe } from "../base/observe.ts";

/** Returns the metrics that Prometheus reads after these observations, by name and labels. */
async function readAfter(...observations: Observation[]): Promise<Record<string, number>> {
  const metrics = startMetrics({ poolSize: 7 });
  for (const observation of observations) observe(observation);
  const text = await metrics.text();
  metrics.stop();
  const lines = text.split("\n").filter((line) => line.startsWith("vestry_"));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" ") + 1)),
    ]),
  );
}

const error = new Error("gone");
const request = {
  requestId: "r",
  method: "GET",
  route: "/v1/people",
  client: "192.0.2.0/24",
  milliseconds: 30,
};
const delivery = { accountId: "a", endpointId: "e", deliveryId: "d", deliveryKind: "production" };
const attempt = {
  kind: "attempt-finished",
  ...delivery,
  attempt: 1,
  outcome: "success",
  code: undefined,
  status: "delivered",
  milliseconds: 250,
  lagMs: 1_500,
  connection: "new",
  detail: undefined,
} as const;

const counted: readonly [line: string, observation: Observation][] = [
  [
    'vestry_request_duration_seconds_count{route="/v1/people",method="GET",status="4xx"}',
    { kind: "request-finished", ...request, status: 404 },
  ],
  ["vestry_requests_aborted_total", { kind: "request-aborted", ...request }],
  ["vestry_request_failures_total", { kind: "request-failed", ...request, error }],
  [
    "vestry_request_failures_total",
    { kind: "action-not-counted", action: "test", accountId: "a", error },
  ],
  [
    "vestry_transactions_repeated_total",
    { kind: "transaction-repeated", accountId: "a", code: "40P01" },
  ],
  [
    'vestry_events_total{type="person.created"}',
    {
      kind: "event-happened",
      accountId: "a",
      eventType: "person.created",
      subjectType: "people",
      subjectId: "p",
    },
  ],
  ['vestry_logins_total{outcome="throttled"}', { kind: "login", outcome: "throttled" }],
  ['vestry_rate_limited_total{policy="user"}', { kind: "rate-limited", policy: "user" }],
  ["vestry_file_storage_errors_total", { kind: "file-storage-failed", error }],
  ["vestry_database_errors_total", { kind: "database-lost", error }],
  [
    'vestry_job_rows_total{job="access-tokens"}',
    { kind: "job-finished", job: "access-tokens", rows: 1 },
  ],
  ['vestry_job_failures_total{job="history"}', { kind: "job-failed", job: "history", error }],
  [
    'vestry_mails_refused_total{queue="invitations"}',
    { kind: "mail-refused", queue: "invitations", error },
  ],
  [
    "vestry_webhook_secrets_unreadable_total",
    { kind: "secret-unreadable", accountId: "a", endpointId: "e", keyId: "old", error },
  ],
  ['vestry_webhook_attempts_total{kind="production",outcome="success"}', attempt],
  [
    'vestry_webhook_attempts_total{kind="verification",outcome="system-failure"}',
    { ...attempt, deliveryKind: "verification", outcome: "system-failure" },
  ],
  [
    "vestry_webhook_leases_lost_total",
    { kind: "attempt-abandoned", ...delivery, attempt: 1, status: "blocked-system" },
  ],
  [
    "vestry_webhook_claims_dropped_total",
    {
      kind: "claim-dropped",
      ...delivery,
      attempt: 1,
      outcome: undefined,
      code: undefined,
      milliseconds: undefined,
    },
  ],
  [
    'vestry_webhook_engine_failures_total{what="settle"}',
    { kind: "engine-failed", what: "settle", error },
  ],
];

for (const [line, observation] of counted)
  test(`${observation.kind} is counted by ${line}, and by no other counter`, async () => {
    const [before, after] = [await readAfter(), await readAfter(observation, observation)];
    const counters = Object.keys(after).filter(
      (name) => /_total\b/.test(name) && after[name] !== (before[name] ?? 0),
    );
    assert.equal(after[line], 2);
    assert.deepEqual(
      counters,
      counters.filter((name) => name === line),
    );
  });

test("requests are counted by route, method and class of status, and how long they took in seconds", async () => {
  const after = await readAfter(
    ...[200, 204, 299, 404, 500].map(
      (status) => ({ kind: "request-finished", ...request, status }) as const,
    ),
  );
  const of = (status: string) => `{route="/v1/people",method="GET",status="${status}"}`;
  const name = "vestry_request_duration_seconds";
  const counts = ["2xx", "4xx", "5xx"].map((status) => after[`${name}_count${of(status)}`]);
  assert.deepEqual(counts, [3, 1, 1]);
  assert.equal(after[`${name}_sum${of("2xx")}`], 0.09);
});

test("an attempt is measured in seconds: how long it took, and how long it had been due", async () => {
  const after = await readAfter(attempt, { ...attempt, milliseconds: 750, lagMs: 1_800_000 });
  const measured = (name: string) =>
    ["sum", "count"].map((each) => after[`vestry_webhook_${name}_seconds_${each}`]);
  assert.deepEqual(measured("attempt_duration"), [1, 2]);
  assert.deepEqual(measured("send_lag"), [1_801.5, 2]);
  const within = (name: string, seconds: number) =>
    after[`vestry_webhook_${name}_seconds_bucket{le="${seconds}"}`];
  assert.deepEqual([within("attempt_duration", 0.5), within("attempt_duration", 1)], [1, 2]);
  // A wait may be longer than any answer.
  assert.deepEqual([within("send_lag", 300), within("send_lag", 3_600)], [1, 2]);
});

test("the queue metrics show the last observation", async () => {
  const after = await readAfter(
    { kind: "queue-seen", server: 1, depth: 90, ready: 80, oldestMs: 70_000, inFlight: 60 },
    { kind: "queue-seen", server: 1, depth: 9, ready: 8, oldestMs: 7_500, inFlight: 6 },
  );
  const told = ["queue_depth", "queue_ready", "queue_oldest_due_seconds", "in_flight"].map(
    (name) => after[`vestry_webhook_${name}`],
  );
  assert.deepEqual(told, [9, 8, 7.5, 6]);
});

test("repairs of the reconciler are counted by kind, starting at 0", async () => {
  const mended = async (...observations: Observation[]) => {
    const after = await readAfter(...observations);
    return ["requeued", "removed"].map(
      (what) => after[`vestry_webhook_reconciled_total{what="${what}"}`],
    );
  };
  assert.deepEqual(await mended(), [0, 0]);
  const reconciled = { kind: "reconciled", requeued: 2, removed: 3 } as const;
  assert.deepEqual(await mended(reconciled, reconciled), [4, 6]);
});

test("the database is up until it is lost, and when it is back", async () => {
  const isUp = async (...observations: Observation[]) =>
    (await readAfter(...observations))["vestry_database_up"];
  const lost: Observation = { kind: "database-lost", error };
  assert.deepEqual(
    [await isUp(), await isUp(lost), await isUp(lost, { kind: "database-back" })],
    [1, 0, 1],
  );
});

test("with several servers, each has a value from the start, and the database is the home", async () => {
  const read = async (...observations: Observation[]) => {
    const metrics = startMetrics({ poolSize: 1, servers: 2 });
    for (const one of observations) observe(one);
    const text = await metrics.text();
    metrics.stop();
    return [...text.matchAll(/^vestry_database(?:_server)?_up\S* (\d)$/gm)].map(([, up]) =>
      Number(up),
    );
  };
  assert.deepEqual(await read(), [1, 1, 1]);
  const lost = (server: number): Observation => ({ kind: "server-lost", server, error });
  assert.deepEqual(await read(lost(2), { kind: "database-lost", error }), [1, 1, 0]);
  assert.deepEqual(await read(lost(1)), [0, 0, 1]);
  assert.deepEqual(await read(lost(1), { kind: "server-back", server: 1 }), [1, 1, 1]);
});

test("the accounts that refuse changes are counted for each server", async () => {
  const after = await readAfter(
    { kind: "moves-seen", server: 1, accounts: 2, oldestMs: 150_000 },
    { kind: "moves-seen", server: 2, accounts: 0, oldestMs: 0 },
  );
  const [first, second] = ["1", "2"].map((server) => [
    after[`vestry_accounts_moving{server="${server}"}`],
    after[`vestry_accounts_moving_oldest_seconds{server="${server}"}`],
  ]);
  assert.deepEqual(
    [first, second],
    [
      [2, 150],
      [0, 0],
    ],
  );
});

test("a request whose client went away is in flight no longer", async (context) => {
  const metrics = startMetrics({ poolSize: 1 });
  const inFlight = async () => /^vestry_requests_in_flight (\d+)$/m.exec(await metrics.text())?.[1];
  const open: ServerResponse[] = [];
  const server = createServer((_request, response) => void open.push(response)).listen(0);
  context.after(() => (metrics.stop(), server.close()));
  await once(server, "listening");
  metrics.watch(server);
  const client = connect((server.address() as AddressInfo).port);
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  while ((await inFlight()) !== "1") await turn();
  assert.equal(open.length, 1);
  client.destroy();
  while ((await inFlight()) !== "0") await turn();
});

test("the port for metrics answers GET and HEAD, at three paths, and says 503 when it is not ready", async (context) => {
  const metrics = startMetrics({ poolSize: 1 });
  let ready: () => Promise<boolean> = async () => true;
  const server = await startMetricsServer({
    host: "127.0.0.1",
    port: 0,
    metrics,
    isReady: () => ready(),
  });
  context.after(() => (metrics.stop(), server.close()));
  const ask = async (path: string, method = "GET") => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return [answer.status, await answer.text()] as const;
  };
  const [status, text] = await ask("/metrics?name[]=x");
  assert.equal(status, 200);
  assert.match(text, /^# HELP vestry_request_duration_seconds /m);
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
  assert.deepEqual(await ask("/metrics", "HEAD"), [200, ""]);
  assert.equal((await ask("/metrics", "POST"))[0], 405);
  assert.equal((await ask("/v1/people"))[0], 404);
  assert.deepEqual(await ask("/readyz"), [200, "ready\n"]);
  ready = async () => false;
  assert.deepEqual(await ask("/readyz"), [503, "stopping\n"]);
  ready = () => Promise.reject(error);
  assert.deepEqual(await ask("/readyz"), [503, "The database cannot be reached.\n"]);
  assert.deepEqual(await ask("/livez"), [200, "ok\n"]);
});

test("every metric that docs/operations.md names is there", async () => {
  const page = await readFile(new URL("../../../docs/operations.md", import.meta.url), "utf8");
  const named = new Set(page.match(/\bvestry_\w+/g));
  assert.ok(named.size >= 8);
  const metrics = startMetrics({ poolSize: 1 });
  const text = await metrics.text();
  metrics.stop();
  for (const name of named) assert.match(text, new RegExp(`^# TYPE ${name} `, "m"));
});
