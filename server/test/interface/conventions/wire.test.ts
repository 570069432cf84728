import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { setImmediate as immediately } from "node:timers/promises";
import { MINUTE } from "../../../src/base/clock.ts";
import { onObservation, type Observation } from "../../../src/base/observe.ts";
import { inGlobalTransaction } from "../../../src/store/db.ts";
import { makeAssignment, makeCourse, makePerson } from "../../support/make.ts";
import { document, FIRST_PARTY, one, type Problem, startService } from "../../support/service.ts";
import { untilWaiting } from "../../support/together.ts";

/** Malformed, incomplete and slow HTTP, sent over a plain socket. */

/** Headers have half of it. It is longer than a busy machine takes for a request. */
const service = await startService({ requestMsMax: 2_500 });
after(() => service.stop());

/** The log lines about requests: their status and outcome. */
const lines = new Map<string, Line[]>();
type Line = Extract<Observation, { kind: "request-finished" | "request-aborted" }>;
const stopListening = onObservation((one) => {
  if (one.kind !== "request-finished" && one.kind !== "request-aborted") return;
  lines.set(one.requestId, [...(lines.get(one.requestId) ?? []), one]);
});
after(stopListening);

const course = await makeCourse(service.db, service.account.id);
const { hostname, port } = new URL(service.url);

const head = (line: string, more: readonly string[] = []) =>
  [
    `${line} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${FIRST_PARTY}`,
    `Authorization: Bearer ${service.account.administrator.token}`,
    ...more,
    "",
    "",
  ].join("\r\n");
const body = JSON.stringify(document("courses", { name: "From the wire" }));
const post = (more: readonly string[] = [`Content-Length: ${body.length}`]) =>
  head("POST /v1/courses", ["Content-Type: application/vnd.api+json", ...more]);
const get = head(`GET /v1/courses/${course}`);

/** Sends the parts, of which null ends the stream, and returns every byte that the server sent. */
async function exchange(...parts: (string | Uint8Array | null)[]): Promise<string> {
  const socket = await open();
  for (const part of parts)
    if (part === null) socket.end();
    else socket.write(part);
  return ended(socket);
}

const open = () =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once("error", reject);
  });

async function ended(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (data) => {
    text += String(data);
  });
  // A reset after the response also ends the connection.
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.on("close", resolve));
  assertTold(text);
  return text;
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const idsOf = (text: string) =>
  [...text.matchAll(/^x-request-id: (\S+)\r$/gim)].map(([, id = ""]) => id);

/** Each response has a request id, and one log line with the same id. */
function assertTold(text: string) {
  const told = idsOf(text).map((id) =>
    (lines.get(id) ?? []).map((line) =>
      line.kind === "request-finished" ? line.status : line.kind,
    ),
  );
  assert.deepEqual(
    told,
    statuses(text).map((status) => [status]),
    text,
  );
}
const count = async () => (await service.get("/v1/courses")).document.meta?.["total"];

function assertRefused(text: string, status: number, code: string) {
  assert.equal(statuses(text).at(-1), status, text);
  const answer = text.slice([...text.matchAll(/HTTP\/1\.1 \d{3} /g)].at(-1)?.index);
  const [headers = "", body = ""] = answer.split("\r\n\r\n");
  const [error] = (JSON.parse(body) as { errors: Problem[] }).errors;
  assert.equal(error?.code, code);
  assert.deepEqual([error.meta["request-id"]], idsOf(headers));
  if (status === 400) assert.ok(error.source, text);
  const [line] = lines.get(error.meta["request-id"]) ?? [];
  assert.deepEqual(line?.kind === "request-finished" && line.codes, [code]);
  assert.equal(line?.client, "127.0.0.0/24");
  for (const expected of [
    /^Content-Type: application\/vnd\.api\+json\r$/im,
    /^X-Content-Type-Options: nosniff\r$/im,
    /^Content-Security-Policy: default-src 'none'/im,
    /^Cache-Control: no-store\r$/im,
    /^Vary: Origin\r$/im,
  ])
    assert.match(headers, expected);
}

/** Without these headers, a page could not read the error. */
const assertReadable = (text: string) =>
  assert.ok(
    text.toLowerCase().includes(`\r\naccess-control-allow-origin: ${FIRST_PARTY}\r\n`),
    text,
  );

test("408 · an incomplete body times out, ends the connection and stores nothing", async () => {
  const before = await count();
  for (const more of [[`Content-Length: ${body.length}`], ["Transfer-Encoding: chunked"]]) {
    const start = more[0]?.startsWith("T")
      ? `${body.length.toString(16)}\r\n${body.slice(0, 9)}`
      : body.slice(0, 9);
    const text = await exchange(post(more), start);
    assertRefused(text, 408, "request-timeout");
    assertReadable(text);
    const [line] = lines.get(idsOf(text)[0] ?? "") ?? [];
    assert.deepEqual([line?.method, line?.route], ["POST", "/v1/courses"]);
  }
  assert.equal(await count(), before);
});

test("202 · 403 · a file may arrive slowly, and the rights of its sender are checked again", async () => {
  const { account, db } = service;
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
  const job = document("import-jobs", { kind: "people", mapping: { Name: "full-name" } });
  const file = "Name\nSlow Sue\n";
  const upload = async (token: string) => {
    const { id } = one(await service.post("/v1/import-jobs", job, { as: token }));
    const socket = await open();
    const more = ["Content-Type: text/csv", `Content-Length: ${file.length}`, "Connection: close"];
    const start = head(`PUT /v1/import-jobs/${id}/file`, more).replace(
      account.administrator.token,
      token,
    );
    socket.write(start + file.slice(0, 5));
    return { answer: ended(socket), end: () => socket.write(file.slice(5)) };
  };
  const uploads = [await upload(account.administrator.token), await upload(secretary.token)];
  assertRefused(await exchange(post(), body.slice(0, 9)), 408, "request-timeout");
  await db`delete from role_assignments where person_id = ${secretary.id}`;
  for (const { end } of uploads) end();
  const answers = await Promise.all(uploads.map(({ answer }) => answer));
  assert.deepEqual(answers.flatMap(statuses), [202, 403]);
});

test("408 · the log has one line about a timeout, and it is not an aborted request", async () => {
  const before = lines.size;
  const text = await exchange(
    head("POST /authenticate", ["Content-Type: application/json", "Content-Length: 50"]),
    "{}\n",
  );
  assertRefused(text, 408, "request-timeout");
  assert.equal(lines.size, before + 1);
});

test("an idle connection is closed without a response or a log line", async () => {
  const before = lines.size;
  assert.equal(await exchange(), "");
  assert.equal(lines.size, before);
});

test("an incomplete body after its response gets no second response", async () => {
  for (const start of [
    post(["Content-Length: 1048577"]),
    head(`GET /v1/courses/${course}`, ["Content-Length: 9"]),
  ]) {
    const before = lines.size;
    assert.equal(statuses(await exchange(start, "x")).length, 1);
    assert.equal(lines.size, before + 1);
  }
});

test("a rejected client that keeps its connection open is disconnected", async () => {
  for (const [sent, status, code] of [
    ["hello\r\n\r\n", 400, "malformed-request"],
    ["GET /v1/cou", 408, "request-timeout"],
    ["CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 405, "method-not-allowed"],
  ] as const) {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const accepted = once(service.app.server, "connection") as Promise<[Socket]>;
    const text = ended(socket);
    const [served] = await accepted;
    const closed = once(served, "close");
    socket.write(sent);
    await closed;
    socket.end();
    assertRefused(await text, status, code);
  }
});

test("408 · slow or endless headers time out", async () => {
  assertRefused(await exchange("GET /v1/courses HTTP/1.1\r\nHost: x\r\n"), 408, "request-timeout");
  assertRefused(await exchange("GET /v1/cou"), 408, "request-timeout");
  const socket = await open();
  const drip = setInterval(() => socket.write("X-A: b\r\n"), 50);
  socket.write("GET /v1/courses HTTP/1.1\r\nHost: x\r\n");
  const text = await ended(socket);
  clearInterval(drip);
  assertRefused(text, 408, "request-timeout");
});

test("400 · bytes that are not HTTP are rejected, also after a valid request", async () => {
  for (const garbage of [
    "hello\r\n\r\n",
    "\0\0\0\0\r\n\r\n",
    "FROB /v1/courses HTTP/1.1\r\n\r\n",
    "GET /v1/courses HTTP/9.9\r\n\r\n",
    "GET / v1 HTTP/1.1\r\n\r\n",
    "GET /v1/courses HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n",
    "GET /v1/courses HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
    Uint8Array.of(0x16, 3, 1, 0, 0xff, 1, 0, 0, 0xfb, 3, 3),
  ]) {
    assertRefused(await exchange(garbage), 400, "malformed-request");
    const text = await exchange(get, garbage);
    assert.deepEqual(statuses(text), [200, 400], text);
    assertRefused(text, 400, "malformed-request");
  }
  assertRefused(await exchange("PATCH /v1/courses HTTP/1.1\r\nHo", null), 400, "malformed-request");
  const half = await exchange(post(), body.slice(0, 9), null);
  assertRefused(half, 400, "malformed-request");
  assertReadable(half);
});

test("400 · contradictory lengths are rejected, which prevents request smuggling", async () => {
  const before = await count();
  for (const more of [
    ["Content-Length: 5", "Transfer-Encoding: chunked"],
    ["Content-Length: 5", "Content-Length: 6"],
    ["Content-Length: -1"],
    ["Content-Length: 5x"],
    ["Content-Length: 99999999999999999999999"],
    ["Transfer-Encoding: nonsense"],
    ["Transfer-Encoding: chunked, identity"],
  ]) {
    const text = await exchange(post(more), `${body}${post()}${body}`);
    assert.ok([400, 413, 501].includes(statuses(text)[0] ?? 0), `${more.join()} ${text}`);
    assert.equal(statuses(text).includes(201), false, text);
  }
  const chunks = await exchange(post(["Transfer-Encoding: chunked"]), "zz\r\nnonsense\r\n");
  assertRefused(chunks, 400, "malformed-request");
  assertReadable(chunks);
  assert.equal(await count(), before);
});

test("413 · a body over 1 MiB is rejected, with or without Content-Length", async () => {
  const announced = await exchange(post(["Content-Length: 1048577", "Connection: close"]));
  assertRefused(announced, 413, "body-too-large");
  assertReadable(announced);
  assert.match(announced, /"source":\{"pointer":""\}/);
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const grown = await exchange(
    post(["Transfer-Encoding: chunked", "Connection: close"]),
    ...Array<string>(17).fill(chunk),
  );
  assert.equal(statuses(grown)[0], 413);
});

test("431 · headers over the limit are rejected", async () => {
  const text = await exchange(head("GET /v1/courses", [`X-Long: ${"x".repeat(20_000)}`]));
  assertRefused(text, 431, "headers-too-large");
  const many = Array.from({ length: 2_000 }, (_, n) => `X-${n}: ${n}`);
  assert.equal(statuses(await exchange(head("GET /v1/courses", many)))[0], 431);
});

test("4xx · repeated and absurd headers never cause a 500", async () => {
  for (const more of [
    ["Authorization: Bearer x"],
    ["Origin: http://elsewhere.example"],
    ["Accept: a", "Accept: application/vnd.api+json;x=1"],
    ["If-None-Match: ", "If-None-Match: *, *"],
    ['If-Match: "1"', 'If-Match: "2"'],
    ["X-SVC-API-Token: a", "X-SVC-API-Token: b"],
    ["Idempotency-Key: a", "Idempotency-Key: b"],
    ["X-Request-Id: ' or 1=1"],
    ["X-Forwarded-For: , ,, ::::, 999.1.1.1"],
    ["X-HTTP-Method-Override: DELETE"],
    ["Content-Type: \xff\xfe"],
    ["Cookie: \x80"],
    ["Range: bytes=0-0"],
    ["Upgrade: websocket"],
    ["Connection: Keep-Alive, x, ,"],
    ["Content-Encoding: gzip"],
    ["__proto__: x", "constructor: y"],
  ]) {
    const text = await exchange(head(`GET /v1/courses/${course}`, [...more, "Connection: close"]));
    const [status = 0] = statuses(text);
    assert.ok(status >= 200 && status < 500, `${more.join()} ${text}`);
  }
});

test("200 · pipelined requests are answered in order", async () => {
  const text = await exchange(
    get,
    post(),
    body,
    head("GET /v1/courses/x"),
    head("GET /v1/courses?nonsense=1", ["Connection: close"]),
  );
  assert.deepEqual(statuses(text), [200, 201, 404, 400]);
});

test("200 · a body may arrive in many chunks", async () => {
  const socket = await open();
  socket.setNoDelay(true);
  const answer = ended(socket);
  for (const letter of post([`Content-Length: ${body.length}`, "Connection: close"]) + body) {
    await new Promise((resolve) => socket.write(letter, resolve));
  }
  assert.deepEqual(statuses(await answer), [201]);
});

test("200 · an unsupported upgrade is ignored and ends the connection", async () => {
  for (const more of [
    ["Connection: Upgrade", "Upgrade: websocket"],
    ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"],
  ]) {
    const text = await exchange(head(`GET /v1/courses/${course}`, more) + get);
    assert.deepEqual(statuses(text), [200]);
    assert.match(text, /^connection: close\r$/im);
  }
});

test("a client that disconnects causes one log line and no error", async () => {
  const changed = JSON.stringify(document("courses", { name: "From afar" }, { id: course }));
  const lines = [
    "Content-Type: application/vnd.api+json",
    `Content-Length: ${Buffer.byteLength(changed)}`,
  ];
  const patch = head(`PATCH /v1/courses/${course}`, lines) + changed;
  const begun = () => service.get("/livez");
  const waiting = () => untilWaiting(service.db, 1);
  for (const [route, sent, until] of [
    ["/v1/courses", post() + body.slice(0, 9), begun],
    ["/v1/courses/:id", patch, waiting],
  ] as const) {
    const told: Observation[] = [];
    const end = onObservation((one) => told.push(one));
    await inGlobalTransaction(service.db, async (tx) => {
      await tx`select from courses where id = ${course} for update`;
      const accepted = once(service.app.server, "connection") as Promise<[Socket]>;
      const socket = await open();
      const [served] = await accepted;
      const gone = new Promise((resolve) => served.once("close", resolve));
      await new Promise((resolve) => socket.write(sent, resolve));
      await until();
      socket.resetAndDestroy();
      await gone;
      await service.get("/livez");
    });
    end();
    const failures = told.filter(
      ({ kind }) => kind === "request-failed" || kind === "database-lost",
    );
    assert.deepEqual(failures, []);
    const left = told.filter((one) => "route" in one && one.route === route);
    assert.deepEqual(
      left.map(({ kind }) => kind),
      ["request-aborted"],
    );
    // The service identifies the caller only after the whole request has arrived.
    assert.partialDeepStrictEqual(left[0], {
      client: "127.0.0.0/24",
      ...(until === waiting
        ? { method: "PATCH", accountId: service.account.id }
        : { method: "POST" }),
    });
  }
});

test("400 · 417 · a missing Host and an unknown Expect are rejected", async () => {
  const close = "Connection: close\r\n\r\n";
  assertRefused(await exchange(`GET /v1/courses HTTP/1.1\r\n${close}`), 400, "malformed-request");
  const expecting = head("GET /v1/courses", ["Expect: miracles", "Connection: close"]);
  const text = await exchange(expecting);
  assertRefused(text, 417, "expectation-failed");
  assertReadable(text);
  assert.match(text, /"source":\{"header":"Expect"\}/);
});

test("404 · a malformed path is absent", async () => {
  for (const path of ["/v1/courses/%E9", "/v1/%zz", `/v1/courses/${"x".repeat(300)}`]) {
    const text = await exchange(head(`GET ${path}`, ["Connection: close"]));
    assertRefused(text, 404, "not-found");
    assertReadable(text);
  }
});

test("405 · CONNECT is rejected, also after another request", async () => {
  const tunnel = "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n";
  for (const end of ["\r\n", "\r\nhello", "Content-Length: 9\r\n\r\nhello"]) {
    const text = await exchange(tunnel + end);
    assertRefused(text, 405, "method-not-allowed");
    assert.match(text, /^Allow: GET, /m);
  }
  const behind = await exchange(get + tunnel, "\r\n");
  assert.deepEqual(statuses(behind), [200, 405]);
  assertRefused(behind, 405, "method-not-allowed");
});

test("200 · 201 · a stopping service still serves requests on open connections", async () => {
  const stopping = await startService({ requestMsMax: MINUTE });
  const { hostname: host, port: at } = new URL(stopping.url);
  const socket = connect(Number(at), host);
  const answer = ended(socket);
  const arrived = once(stopping.app.server, "request");
  socket.write(authorized(stopping.account.administrator.token, post()));
  await arrived;
  const stopped = stopping.app.close();
  while (stopping.app.server.listening) await immediately();
  socket.write(body + authorized(stopping.account.administrator.token, head("GET /v1/people/me")));
  assert.deepEqual(statuses(await answer), [201, 200]);
  await stopped;
});

const authorized = (token: string, request: string) =>
  request.replace(/^Authorization: .*$/m, `Authorization: Bearer ${token}`);
