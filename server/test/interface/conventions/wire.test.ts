import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { onObservation, type Observation } from "../../../src/observe.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { makeCourse } from "../../support/make.ts";
import { document, FIRST_PARTY, startService } from "../../support/service.ts";
import { untilWaiting } from "../../support/together.ts";

/** What arrives when a client does not speak HTTP, or stops in the middle of it. */

const service = await startService({ requestMsMax: 1_000 });
after(() => service.stop());
const course = await makeCourse(service.db, service.church.id);
const { hostname, port } = new URL(service.url);

const head = (line: string, more: readonly string[] = []) =>
  [
    `${line} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Origin: ${FIRST_PARTY}`,
    `Authorization: Bearer ${service.church.administrator.token}`,
    ...more,
    "",
    "",
  ].join("\r\n");
const body = JSON.stringify(document("courses", { name: "From the wire" }));
const post = (more: readonly string[] = [`Content-Length: ${body.length}`]) =>
  head("POST /v1/courses", ["Content-Type: application/vnd.api+json", ...more]);
const get = head(`GET /v1/courses/${course}`);

/** Sends the parts, and answers all that came back when the server ended the connection. */
async function exchange(...parts: (string | Uint8Array)[]): Promise<string> {
  const socket = await open();
  for (const part of parts) socket.write(part);
  return ended(socket);
}

const open = () =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once("error", reject);
  });

function ended(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (data) => {
      text += String(data);
    });
    // A reset after the answer is an end as well.
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const count = async () => (await service.get("/v1/courses")).document.meta?.["total"];

function assertRefused(text: string, status: number, code: string) {
  assert.equal(statuses(text).at(-1), status, text);
  const answered = JSON.parse(text.slice(text.lastIndexOf("\r\n\r\n"))) as {
    errors: { code: string; id: string }[];
  };
  assert.equal(answered.errors[0]?.code, code);
  assert.match(text, /Content-Type: application\/vnd\.api\+json\r\n/i);
}

test("408 · a client that stops in the middle of a body is answered and let go, and nothing is kept", async () => {
  const before = await count();
  for (const more of [[`Content-Length: ${body.length}`], ["Transfer-Encoding: chunked"]]) {
    const start = more[0]?.startsWith("T")
      ? `${body.length.toString(16)}\r\n${body.slice(0, 9)}`
      : body.slice(0, 9);
    assertRefused(await exchange(post(more), start), 408, "request-timeout");
  }
  assert.equal(await count(), before);
});

test("408 · headers that never end, or come a byte at a time", async () => {
  assertRefused(await exchange("GET /v1/courses HTTP/1.1\r\nHost: x\r\n"), 408, "request-timeout");
  assertRefused(await exchange("GET /v1/cou"), 408, "request-timeout");
  const socket = await open();
  const drip = setInterval(() => socket.write("X-A: b\r\n"), 50);
  socket.write("GET /v1/courses HTTP/1.1\r\nHost: x\r\n");
  const text = await ended(socket);
  clearInterval(drip);
  assertRefused(text, 408, "request-timeout");
});

test("400 · what is not HTTP, also behind a request that was", async () => {
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
    assert.ok(statuses(text).at(-1) === 400, text);
  }
});

test("400 · lengths that contradict each other: nobody can smuggle a request behind another", async () => {
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
  assert.equal(await count(), before);
});

test("413 · a body that announces more than 1 MiB, or turns out to be more", async () => {
  const announced = await exchange(post(["Content-Length: 1048577", "Connection: close"]));
  assertRefused(announced, 413, "body-too-large");
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  const grown = await exchange(
    post(["Transfer-Encoding: chunked", "Connection: close"]),
    ...Array<string>(17).fill(chunk),
  );
  assert.equal(statuses(grown)[0], 413);
});

test("431 · headers without end", async () => {
  const text = await exchange(head("GET /v1/courses", [`X-Long: ${"x".repeat(20_000)}`]));
  assertRefused(text, 431, "headers-too-large");
  const many = Array.from({ length: 2_000 }, (_, n) => `X-${n}: ${n}`);
  assert.equal(statuses(await exchange(head("GET /v1/courses", many)))[0], 431);
});

test("4xx · headers that stand twice or say absurd things end in an answer, never in 500", async () => {
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

test("200 · requests sent ahead are answered in their order", async () => {
  const text = await exchange(
    get,
    post(),
    body,
    head("GET /v1/courses/x"),
    head("GET /v1/courses?nonsense=1", ["Connection: close"]),
  );
  assert.deepEqual(statuses(text), [200, 201, 404, 400]);
});

test("200 · a body may come in many pieces", async () => {
  const socket = await open();
  socket.setNoDelay(true);
  const answer = ended(socket);
  for (const letter of post([`Content-Length: ${body.length}`, "Connection: close"]) + body) {
    await new Promise((resolve) => socket.write(letter, resolve));
  }
  assert.deepEqual(statuses(await answer), [201]);
});

test("200 · behind an upgrade that nobody takes the connection ends, so that nothing waits for an answer", async () => {
  for (const more of [
    ["Connection: Upgrade", "Upgrade: websocket"],
    ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"],
  ]) {
    const text = await exchange(head(`GET /v1/courses/${course}`, more) + get);
    assert.deepEqual(statuses(text), [200]);
    assert.match(text, /^connection: close\r$/im);
  }
});

test("a client that hangs up is no failure of the database or the service, and leaves one line in the log", async () => {
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
    await inTransaction(service.db, async (tx) => {
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
    // Who it was is known once the whole request was there.
    assert.partialDeepStrictEqual(left[0], {
      client: "127.0.0.0/24",
      ...(until === waiting
        ? { method: "PATCH", accountId: service.church.id }
        : { method: "POST" }),
    });
  }
});

test("400 and 417 · a request without Host, and an expectation nobody meets", async () => {
  const close = "Connection: close\r\n\r\n";
  assertRefused(await exchange(`GET /v1/courses HTTP/1.1\r\n${close}`), 400, "malformed-request");
  assertRefused(
    await exchange(`GET /v1/courses HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n${close}`),
    417,
    "expectation-failed",
  );
});
