import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { startMetrics } from "./metrics.ts";
import { startMetricsServer } from "./metrics-server.ts";
import { type Observation, observe } from "./observe.ts";

const metrics = startMetrics({ poolSize: 7 });
after(() => metrics.stop());

async function valueOf(line: string): Promise<number | undefined> {
  const found = (await metrics.text()).split("\n").find((each) => each.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length));
}

const request = {
  requestId: "1",
  method: "GET",
  route: "/v1/people/:id",
  milliseconds: 30,
  client: "10.0.0.0/24",
};
const error = new Error("gone");

test("each thing that happens is counted where it says", async () => {
  const counted: [Observation, string][] = [
    [{ kind: "request-aborted", ...request }, "vestry_requests_aborted_total"],
    [
      { kind: "request-failed", requestId: "1", route: "/", error },
      "vestry_request_failures_total",
    ],
    [
      { kind: "action-not-counted", action: "test", accountId: "1", error },
      "vestry_request_failures_total",
    ],
    [
      {
        kind: "event-happened",
        accountId: "1",
        eventType: "person.created",
        subjectType: "people",
        subjectId: "1",
      },
      'vestry_events_total{type="person.created"}',
    ],
    [{ kind: "login", outcome: "throttled" }, 'vestry_logins_total{outcome="throttled"}'],
    [{ kind: "rate-limited", policy: "user" }, 'vestry_rate_limited_total{policy="user"}'],
    [{ kind: "database-lost", error }, "vestry_database_errors_total"],
    [
      { kind: "sweep-finished", what: "history", rows: 1 },
      'vestry_swept_rows_total{what="history"}',
    ],
    [
      { kind: "sweep-failed", what: "history", error },
      'vestry_sweep_failures_total{what="history"}',
    ],
  ];
  for (const [observation, line] of counted) {
    const before = (await valueOf(line)) ?? 0;
    observe(observation);
    assert.equal(await valueOf(line), before + 1, line);
  }
  assert.equal(await valueOf("vestry_database_pool_size"), 7);
});

test("requests are counted by route, method and class of status, and how long they took in seconds", async () => {
  for (const status of [200, 204, 299, 404, 500])
    observe({ kind: "request-finished", ...request, status });
  const of = (status: string) => `{route="/v1/people/:id",method="GET",status="${status}"}`;
  const name = "vestry_request_duration_seconds";
  const counts = ["2xx", "4xx", "5xx"].map((status) => valueOf(`${name}_count${of(status)}`));
  assert.deepEqual(await Promise.all(counts), [3, 1, 1]);
  assert.equal(await valueOf(`${name}_sum${of("2xx")}`), 0.09);
});

test("the database is up until a request finds that it is not, and again once it has answered", async () => {
  const up = () => valueOf("vestry_database_up");
  observe({ kind: "database-back" });
  assert.equal(await up(), 1);
  observe({ kind: "database-lost", error });
  assert.equal(await up(), 0);
  observe({ kind: "database-back" });
  assert.equal(await up(), 1);
});

test("a request whose client went away is in flight no longer", async (context) => {
  const open: ServerResponse[] = [];
  const server = createServer((_request, response) => void open.push(response)).listen(0);
  context.after(() => server.close());
  await once(server, "listening");
  metrics.watch(server);
  const client = connect((server.address() as AddressInfo).port);
  client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  while ((await valueOf("vestry_requests_in_flight")) !== 1) await turn();
  assert.equal(open.length, 1);
  client.destroy();
  while ((await valueOf("vestry_requests_in_flight")) !== 0) await turn();
});

test("the port for metrics answers GET and HEAD, at three paths, and says 503 when it is not ready", async (context) => {
  let ready: () => Promise<boolean> = async () => true;
  const server = await startMetricsServer({
    host: "127.0.0.1",
    port: 0,
    metrics,
    isReady: () => ready(),
  });
  context.after(() => server.close());
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
