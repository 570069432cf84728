import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createConnection, createServer } from "node:net";
import { after, type TestContext, test } from "node:test";
import tls, { getCACertificates, setDefaultCACertificates } from "node:tls";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { MINUTE, SECOND } from "../../src/base/clock.ts";
import { webhookLimits } from "../../src/base/webhook-limits.ts";
import {
  createSender,
  type SenderOptions,
  type SendRequest,
} from "../../src/webhooks/http/send.ts";
import { ReceiverChild } from "../bench/webhooks/receiver.ts";
import { makeAuthority } from "../../src/cli/receive/certificates.ts";
import { selfSigned } from "../support/certificates.ts";
import { holdTimers } from "../support/held-timers.ts";
import { EMPTY, end, lyingReceivers, OK, reset } from "../support/lying-receivers.ts";
import { judgeLoopback } from "../support/loopback.ts";
import { type NameAnswer, startNameServer } from "../support/name-server.ts";
import {
  answering,
  goodCertificate,
  hanging,
  type Line,
  ok,
  type Receiver,
  type ReceiverOptions,
  startReceiver,
  testAuthority,
} from "../support/receiver.ts";

/** For receivers that never answer as they should, however long the sender waits. */
const SHORT_WALL_MS = 300;
/** For tests that end the time themselves. Nothing else takes so long. */
const LONG_WALL_MS = 29_999;

const cleanups: (() => unknown)[] = [];
after(async () => {
  for (const cleanup of cleanups) await cleanup();
});

function newSender(options: Partial<SenderOptions> = {}) {
  const sender = createSender({
    judge: judgeLoopback,
    authorities: testAuthority().cert,
    ...options,
  });
  cleanups.push(() => sender.close());
  return sender;
}

async function newReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver({ ...options, unsigned: true });
  cleanups.push(() => receiver.close());
  return receiver;
}

async function newNameServer(...how: Parameters<typeof startNameServer>) {
  const server = await startNameServer(...how);
  cleanups.push(() => server.close());
  return server;
}

const to = (url: string, rest: Partial<SendRequest> = {}): SendRequest => ({
  url,
  headers: { "Webhook-Id": "evt_1" },
  body: Buffer.from('{"a":1}'),
  destination: "endpoint 1",
  ...rest,
});

const inBrief = (sent: Awaited<ReturnType<ReturnType<typeof newSender>["send"]>>) =>
  sent.kind === "answered" ? sent.status : sent.reason;

/** Waits until the sender has processed the events of its sockets. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

/** Moves the monotonic clock forward. Timers are not affected. */
function clockOf(t: TestContext): (ms: number) => void {
  const now = performance.now.bind(performance);
  let passedMs = 0;
  t.mock.method(performance, "now", () => now() + passedMs);
  return (ms) => {
    passedMs += ms;
  };
}

/** Blocks this process. */
const holdUp = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

for (const [name, { expected, ...options }] of Object.entries(lyingReceivers))
  test(`${name}: ${expected}, and never a second request`, async () => {
    const receiver = await newReceiver(options);
    const timeoutMs = expected === "timeout" ? SHORT_WALL_MS : 60_000;
    const sent = await newSender().send(to(receiver.url, { timeoutMs }));
    assert.equal(inBrief(sent), expected, JSON.stringify(sent));
    assert.ok(sent.ms > 0);
    assert.equal(receiver.connections, 1);
    assert.ok(receiver.begun <= 1);
    // A failed attempt leaves no connection behind.
    if (sent.kind === "failed") await receiver.closed(1);
  });

test("an attempt has the time of all attempts, unless the caller gives it another one", async (t) => {
  const limit = holdTimers(t, webhookLimits.attemptMsMax);
  const receiver = await newReceiver();
  assert.equal(inBrief(await newSender().send(to(receiver.url))), 200);
  assert.equal(limit.started, 1);
});

test("one time limit covers all stages: two stages that each stay below it can exceed it together", async (t) => {
  const limit = holdTimers(t, LONG_WALL_MS);
  const later = clockOf(t);
  const receiver = await newReceiver({ behaviour: hanging });
  // A proxy that delays the TLS handshake.
  const [connected, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = createServer((socket) => {
    socket.on("error", () => {});
    // The sender begins the handshake.
    socket.once("readable", () => connected.resolve());
    void goOn.promise.then(() => {
      const onward = createConnection(receiver.port, "127.0.0.1");
      onward.on("error", () => {});
      socket.pipe(onward).pipe(socket);
    });
  }).listen(0, "127.0.0.1");
  t.after(() => slow.close());
  await once(slow, "listening");
  const { port } = slow.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}/`;
  const sending = newSender().send(to(url, { timeoutMs: LONG_WALL_MS }));
  await connected.promise;
  const securingMs = 0.7 * LONG_WALL_MS;
  later(securingMs);
  goOn.resolve();
  await receiver.received(1);
  // The second stage began no time of its own.
  assert.deepEqual([limit.started, limit.waiting], [1, 1]);
  limit.end();
  const sent = await sending;
  assert.equal(inBrief(sent), "timeout");
  assert.ok((sent.stages.securing ?? 0) >= securingMs);
  receiver.behave(ok);
  assert.equal((await newSender().send(to(url))).kind, "answered");
});

test("every status is reported, and interim answers are skipped", async () => {
  const receiver = await newReceiver();
  const sender = newSender();
  for (let status = 100; status <= 599; status++) {
    const interim = status < 200 && status !== 101;
    receiver.behave(
      answering(`HTTP/1.1 ${status} X\r\n${interim ? `\r\n${OK}` : ""}Content-Length: 0\r\n\r\n`),
    );
    const sent = await sender.send(to(receiver.url));
    assert.equal(inBrief(sent), interim ? 200 : status);
  }
  assert.equal(receiver.requests.length, 500);
});

test("the request has exactly these headers and bytes and is sent once", async () => {
  const receiver = await newReceiver();
  const body = Buffer.from('{"name":"Zoë \u2028"}');
  await newSender().send(
    to(`${receiver.url}/a%20b?c=d`, { body, headers: { "Webhook-Id": "1", "User-Agent": "x/1" } }),
  );
  assert.deepEqual(receiver.requests, [
    {
      method: "POST",
      path: "/hook/a%20b?c=d",
      rawHeaders: [
        ["Host", `127.0.0.1:${receiver.port}`],
        ["Connection", "keep-alive"],
        ["Webhook-Id", "1"],
        ["User-Agent", "x/1"],
        ["Accept-Encoding", "identity"],
        ["Content-Length", String(body.length)],
      ],
      headers: receiver.requests[0]?.headers,
      body,
      connection: 1,
      before: 0,
      receivedAt: receiver.requests[0]?.receivedAt,
    },
  ]);
});

test("a header that contains a second one is not sent", async () => {
  const receiver = await newReceiver();
  for (const headers of [{ "X": "a\r\nY: b" }, { "X: a\r\nY": "b" }]) {
    const sent = await newSender().send(to(receiver.url, { headers }));
    assert.equal(inBrief(sent), "system-fault");
  }
  assert.equal(receiver.requests.length, 0);
});

test("the body is returned unchanged", async () => {
  const zipped = gzipSync("{}");
  const head = `${OK}Content-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`;
  const receiver = await newReceiver({ behaviour: answering(head, zipped) });
  const sent = await newSender().send(to(receiver.url));
  assert.deepEqual(sent.kind === "answered" && sent.bodyBytes, zipped);
});

test("the status, Retry-After and the start of the body are reported even when the body is too large", async () => {
  const receiver = await newReceiver({
    behaviour: answering(
      "HTTP/1.1 503 X\r\nRetry-After: 7\r\nContent-Length: 9999\r\n\r\n",
      "a".repeat(9_999),
    ),
  });
  const sent = await newSender().send(to(receiver.url));
  assert.equal(inBrief(sent), "response-body-too-large");
  assert.deepEqual([sent.status, sent.retryAfter], [503, "7"]);
  // The history shows its start.
  assert.match(sent.bodyBytes?.toString() ?? "", /^a{1024}/);
});

test("an answer that arrives before the request is written counts, and the connection is closed", async () => {
  const receiver = await newReceiver({
    onSecure: (line) => {
      // It stops reading, so the request stays in the buffers of the sender.
      line.socket.pause();
      void line.write("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
    },
  });
  const sender = newSender();
  const sent = await sender.send(to(receiver.url, { body: Buffer.alloc(32 * 1_048_576) }));
  assert.equal(inBrief(sent), 413);
  assert.equal(sender.idleConnections, 0);
});

test("certificates are verified even with NODE_TLS_REJECT_UNAUTHORIZED=0", async (t) => {
  const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
  t.after(() => {
    if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
  });
  process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
  const receiver = await newReceiver({ certificate: selfSigned(["127.0.0.1"]) });
  assert.equal(inBrief(await newSender().send(to(receiver.url))), "tls-failure");
  assert.equal(receiver.requests.length, 0);
});

test("TLS 1.1 is not spoken even if the process allows it", async (t) => {
  const { DEFAULT_CIPHERS, DEFAULT_MIN_VERSION } = tls;
  t.after(() => Object.assign(tls, { DEFAULT_CIPHERS, DEFAULT_MIN_VERSION }));
  const ciphers = "DEFAULT@SECLEVEL=0";
  // Without these, OpenSSL refuses TLS 1.1 by itself.
  Object.assign(tls, { DEFAULT_CIPHERS: ciphers, DEFAULT_MIN_VERSION: "TLSv1" });
  const receiver = await newReceiver({
    tls: { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers },
  });
  assert.equal(inBrief(await newSender().send(to(receiver.url))), "tls-failure");
  assert.equal(receiver.handshakes, 0);
});

test("the operator's authorities are trusted in addition to the default ones", async (t) => {
  const usual = getCACertificates("default");
  t.after(() => setDefaultCACertificates(usual));
  setDefaultCACertificates([testAuthority().cert]);
  const own = makeAuthority("own");
  const authorities = own.cert + makeAuthority("another").cert;
  const receivers = [
    await newReceiver(),
    await newReceiver({ certificate: own.issue(["127.0.0.1"]) }),
  ];
  const sender = newSender({ authorities });
  for (const { url } of receivers) assert.equal(inBrief(await sender.send(to(url))), 200);
  const stranger = await newReceiver({
    certificate: makeAuthority("a stranger").issue(["127.0.0.1"]),
  });
  assert.equal(inBrief(await sender.send(to(stranger.url))), "tls-failure");
});

test("a port without a listener is connection-refused", async () => {
  const receiver = await startReceiver({ unsigned: true });
  await receiver.close();
  assert.equal(inBrief(await newSender().send(to(receiver.url))), "connection-refused");
});

test("running out of descriptors is a failure of the service, also while resolving a name", async () => {
  const receiver = await newReceiver();
  const names = await newNameServer(() => ["127.0.0.1"]);
  const file = new URL("../support/out-of-descriptors.ts", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)("/bin/sh", [
    "-c",
    'ulimit -n 60 && exec "$@"',
    "sh",
    process.execPath,
    file,
    receiver.url,
    testAuthority().cert,
    `https://hooks.receiver.example:${receiver.port}/hook`,
    names.address,
  ]);
  const [before, without, again, byName, after] = JSON.parse(stdout);
  // The first failure closed the idle connection, which freed a descriptor.
  assert.deepEqual(
    [before, without, again, byName, after],
    [200, "system-descriptors", 200, "system-descriptors", 200],
  );
});

test("a connection is reused only by its destination", async () => {
  const receiver = await newReceiver();
  const sender = newSender();
  const kinds: unknown[] = [];
  for (const destination of ["1", "1", "1", "2", "2"])
    kinds.push((await sender.send(to(receiver.url, { destination }))).connection);
  assert.deepEqual(kinds, ["new", "reused", "reused", "new", "reused"]);
  assert.equal(receiver.handshakes, 2);
});

test("a connection never serves another host, even under the same destination name", async () => {
  const [one, other] = [await newReceiver(), await newReceiver()];
  const sender = newSender();
  for (const { url } of [one, other, one, other])
    assert.equal(inBrief(await sender.send(to(url, { destination: "1" }))), 200);
  assert.deepEqual([one.requests.length, other.requests.length], [2, 2]);
});

test("the most recently used idle connection is reused", async () => {
  const receiver = await newReceiver();
  const sender = newSender();
  await Promise.all([sender.send(to(receiver.url)), sender.send(to(receiver.url))]);
  for (let more = 0; more < 3; more++) await sender.send(to(receiver.url));
  const [, last, ...following] = receiver.requests.map(({ connection }) => connection);
  assert.deepEqual(following, [last, last, last]);
});

test("a connection is closed after a minute, even if it was never idle", async (t) => {
  const receiver = await newReceiver();
  const sender = newSender({ idleMs: 10 * MINUTE });
  const later = clockOf(t);
  for (const ms of [0, MINUTE - 5 * SECOND, 10 * SECOND, 0]) {
    later(ms);
    await sender.send(to(receiver.url));
  }
  assert.deepEqual(
    receiver.requests.map(({ connection }) => connection),
    [1, 1, 2, 2],
  );
});

test("a connection that was idle for too long is not reused, even if its timer is late", async () => {
  const receiver = await newReceiver();
  const sender = newSender({ idleMs: 20 });
  await sender.send(to(receiver.url));
  holdUp(30);
  assert.notEqual((await sender.send(to(receiver.url))).connection, "reused");
  assert.equal(receiver.connections, 2);
});

test("concurrent requests use separate connections, and all are kept", async () => {
  const receiver = await newReceiver();
  const sender = newSender();
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 5 }, () => sender.send(to(receiver.url))));
  assert.equal(receiver.requests.length, 15);
  assert.equal(receiver.handshakes, 5);
  assert.equal(sender.idleConnections, 5);
});

test("an answer that overtakes the write callback keeps its connection", async () => {
  // The receiver runs in another process and answers while this one is blocked.
  await using receiver = await new ReceiverChild().start("counts");
  const sender = newSender();
  const send = () => sender.send(to(`${receiver.origin}/`));
  await send();
  for (let round = 0; round < 20; round++) {
    // The engine starts most requests in this phase, in which input is read before write callbacks run.
    await turn();
    const sending = send();
    holdUp(3);
    assert.equal((await sending).connection, "reused");
  }
});

for (const version of ["TLSv1.2", "TLSv1.3"] as const)
  test(`a new connection resumes the last TLS session: ${version}`, async () => {
    const receiver = await newReceiver({
      tls: { minVersion: version, maxVersion: version },
      behaviour: answering(`${OK}Connection: close\r\nContent-Length: 0\r\n\r\n`),
    });
    const sender = newSender();
    const kinds: unknown[] = [];
    for (const destination of ["1", "1", "1", "2"])
      kinds.push((await sender.send(to(receiver.url, { destination }))).connection);
    assert.deepEqual(kinds, ["new", "resumed", "resumed", "new"]);
    assert.deepEqual([receiver.handshakes, receiver.resumed], [4, 2]);
  });

test("a certificate is verified again after ten minutes, however often its session was resumed", async (t) => {
  const receiver = await newReceiver({
    behaviour: answering(`${OK}Connection: close\r\nContent-Length: 0\r\n\r\n`),
  });
  const sender = newSender();
  const later = clockOf(t);
  const kinds: unknown[] = [];
  for (const minutes of [0, 6, 3, 2, 6]) {
    later(minutes * MINUTE);
    kinds.push((await sender.send(to(receiver.url))).connection);
  }
  assert.deepEqual(kinds, ["new", "resumed", "resumed", "new", "resumed"]);
});

test("a session that failed to resume is dropped", async () => {
  const receiver = await newReceiver({
    behaviour: answering(`${OK}Connection: close\r\nContent-Length: 0\r\n\r\n`),
    onConnection: (socket, number) =>
      number === 2 && Boolean(socket.once("data", () => socket.resetAndDestroy())),
  });
  const sender = newSender();
  const seen: unknown[] = [];
  for (let count = 0; count < 4; count++) {
    const sent = await sender.send(to(receiver.url));
    seen.push(sent.connection ?? inBrief(sent));
  }
  assert.deepEqual(seen, ["new", "connection-reset", "new", "resumed"]);
});

test("an idle connection that the receiver closed is not reused", async () => {
  const receiver = await newReceiver();
  const sender = newSender();
  await sender.send(to(receiver.url));
  receiver.endAll();
  await until(() => sender.idleConnections === 0);
  assert.equal(inBrief(await sender.send(to(receiver.url))), 200);
  assert.deepEqual([receiver.connections, receiver.requests.length], [2, 2]);
});

for (const [how, behaviour] of [
  ["reset", reset],
  ["closed", end],
] as const)
  test(`a kept connection that is ${how} by the next request fails it, and the request is not repeated`, async () => {
    const receiver = await newReceiver();
    const sender = newSender();
    await sender.send(to(receiver.url));
    receiver.behave(behaviour);
    const sent = await sender.send(to(receiver.url));
    assert.deepEqual([sent.connection, inBrief(sent)], ["reused", "connection-reset"]);
    assert.match(sent.kind === "failed" ? sent.detail : "", /kept connection/);
    assert.deepEqual([receiver.connections, receiver.requests.length], [1, 2]);
  });

const closing: Readonly<Record<string, string>> = {
  "the answer says so": `${OK}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  "the answer is HTTP/1.0": "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
  "more bytes follow the answer": EMPTY + EMPTY,
  "the receiver keeps connections for one second only": `${OK}Keep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n`,
  "the protocol has changed": "HTTP/1.1 101 X\r\n\r\n",
};
for (const [why, bytes] of Object.entries(closing))
  test(`a connection is not kept if ${why}`, async () => {
    const receiver = await newReceiver({ behaviour: answering(bytes) });
    const sender = newSender();
    await sender.send(to(receiver.url));
    assert.equal(sender.idleConnections, 0);
    await receiver.closed(1);
  });

test("an idle connection that receives unexpected bytes is closed", async () => {
  let line: Line | undefined;
  const receiver = await newReceiver({ onSecure: (opened) => (line = opened) });
  const sender = newSender({ idleMs: 10 * MINUTE });
  await sender.send(to(receiver.url));
  assert.equal(sender.idleConnections, 1);
  await line?.write(EMPTY);
  await receiver.closed(1);
  assert.equal(sender.idleConnections, 0);
});

for (const [what, answer] of [
  ["without a hint of the receiver", EMPTY],
  [
    "even if the receiver would keep it longer",
    `${OK}Keep-Alive: timeout=30\r\nContent-Length: 0\r\n\r\n`,
  ],
] as const)
  test(`an idle connection is closed after its time, ${what}`, async () => {
    const receiver = await newReceiver({ behaviour: answering(answer) });
    const [slow, quick] = [newSender({ idleMs: 10 * MINUTE }), newSender({ idleMs: 20 })];
    await slow.send(to(receiver.url));
    await quick.send(to(receiver.url));
    // The timer does not keep the process alive. This does.
    await receiver.closed(1);
    await until(() => slow.idleConnections + quick.idleConnections < 2);
    assert.deepEqual([slow.idleConnections, quick.idleConnections], [1, 0]);
  });

test("a closed sender keeps no connections and finishes requests", async () => {
  const receiver = await newReceiver();
  const sender = newSender({ idleMs: 10 * MINUTE });
  await sender.send(to(receiver.url));
  sender.close();
  await receiver.closed(1);
  assert.equal(inBrief(await sender.send(to(receiver.url))), 200);
  assert.equal(sender.idleConnections, 0);
  await receiver.closed(2);
});

/** A sender with its own name server. Addresses in 127.0.9.0/24 stand for private ones. */
async function named(
  say: (family: "A" | "AAAA", name: string) => NameAnswer,
  root: NameAnswer = [],
) {
  const names = await newNameServer((name, family) => (family === "NS" ? root : say(family, name)));
  const judged: string[][] = [];
  const sender = newSender({
    dnsServers: [names.address],
    judge(addresses) {
      judged.push([...addresses].sort());
      const judgement = judgeLoopback(addresses);
      if (judgement.verdict !== "usable") return judgement;
      const found = judgement.addresses.find(({ address }) => address.startsWith("127.0.9."));
      return found ? { verdict: "refused", address: found.address, range: "private" } : judgement;
    },
  });
  return { names, judged, sender };
}

const at = (receiver: Receiver, host = "hooks.receiver.example") =>
  `https://${host}:${receiver.port}/hook`;

test("the host name is sent in SNI and in the Host header", async () => {
  const receiver = await newReceiver();
  const { sender, names } = await named(() => ["127.0.0.1"]);
  assert.equal(inBrief(await sender.send(to(at(receiver)))), 200);
  assert.deepEqual(receiver.serverNames, ["hooks.receiver.example"]);
  assert.equal(receiver.requests[0]?.headers["host"], `hooks.receiver.example:${receiver.port}`);
  assert.deepEqual(names.asked.map(({ family }) => family).sort(), ["A", "AAAA"]);
});

test("a certificate for another name is tls-failure", async () => {
  const receiver = await newReceiver();
  const { sender } = await named(() => ["127.0.0.1"]);
  assert.equal(inBrief(await sender.send(to(at(receiver, "a.other.example")))), "tls-failure");
  assert.equal(receiver.requests.length, 0);
});

const answers: readonly [name: string, says: Readonly<Record<"A" | "AAAA", NameAnswer>>, string][] =
  [
    ["a private address", { A: ["127.0.9.1"], AAAA: [] }, "dns-private-address"],
    [
      "a private address among others",
      { A: ["127.0.0.1", "127.0.9.1"], AAAA: [] },
      "dns-private-address",
    ],
    [
      "a private address of the other family",
      { A: ["127.0.0.1"], AAAA: ["::ffff:7f00:903"] },
      "dns-private-address",
    ],
    [
      "a private address, the last of so many that they come over TCP",
      { A: [...Array.from({ length: 60 }, (_, n) => `127.0.1.${n}`), "127.0.9.1"], AAAA: [] },
      "dns-private-address",
    ],
    ["no address", { A: [], AAAA: [] }, "dns-failure"],
    ["no such name", { A: "NXDOMAIN", AAAA: "NXDOMAIN" }, "dns-failure"],
    ["name servers that fail", { A: "SERVFAIL", AAAA: "SERVFAIL" }, "dns-failure"],
    ["name servers that refuse", { A: "REFUSED", AAAA: "REFUSED" }, "dns-failure"],
    ["name servers that are silent", { A: "silence", AAAA: "silence" }, "dns-failure"],
    ["name servers that send garbage", { A: "garbage", AAAA: "garbage" }, "dns-failure"],
    ["one family that is missing, one that fails", { A: "SERVFAIL", AAAA: [] }, "dns-failure"],
  ];
for (const [name, says, expected] of answers)
  test(`a name with ${name}: ${expected}, and no connection is made`, async () => {
    const receiver = await newReceiver();
    const { sender } = await named((family) => says[family]);
    const sent = await sender.send(to(at(receiver), { timeoutMs: 2_000 }));
    assert.equal(inBrief(sent), expected, JSON.stringify(sent));
    assert.equal(receiver.connections, 0);
  });

test("all addresses are judged, of both families and of answers over TCP", async () => {
  const receiver = await newReceiver();
  const four = Array.from({ length: 60 }, (_, n) => `127.0.0.${n === 1 ? 1 : n + 100}`);
  const { sender, judged, names } = await named((family) => (family === "A" ? four : ["::1"]));
  assert.equal(inBrief(await sender.send(to(at(receiver)))), 200);
  assert.deepEqual(judged, [[...four, "::1"].sort()]);
  assert.ok(names.asked.some(({ over }) => over === "tcp"));
});

test("a family that is never answered delays the connection but does not prevent it", async () => {
  const receiver = await newReceiver();
  const { sender } = await named((family) => (family === "A" ? ["127.0.0.1"] : "silence"));
  assert.equal(inBrief(await sender.send(to(at(receiver), { timeoutMs: 5_000 }))), 200);
});

for (const delayMs of [1_200, 3_000])
  test(`a name is resolved if its name server takes ${delayMs} ms to answer`, async () => {
    const receiver = await newReceiver();
    const names = await newNameServer(
      (_name, family) => (family === "A" ? ["127.0.0.1"] : []),
      delayMs,
    );
    const sender = newSender({ dnsServers: [names.address] });
    assert.equal(inBrief(await sender.send(to(at(receiver)))), 200);
  });

test("a lost DNS query is repeated", async () => {
  const receiver = await newReceiver();
  const asked: string[] = [];
  const { sender } = await named((family) => {
    const isFirst = !asked.includes(family);
    asked.push(family);
    return isFirst ? "silence" : family === "A" ? ["127.0.0.1"] : [];
  });
  assert.equal(inBrief(await sender.send(to(at(receiver), { timeoutMs: 6_000 }))), 200);
});

test("an address that refuses connections gives way to the next", async () => {
  const receiver = await newReceiver({ host: "127.0.0.1" });
  const { sender } = await named((family) => (family === "A" ? ["127.0.0.1"] : ["::1"]));
  assert.equal(inBrief(await sender.send(to(at(receiver)))), 200);
});

for (const [count, expected] of [
  [5, 200],
  [6, "connection-refused"],
] as const)
  test(`a name with ${count} addresses that refuse connections before one that accepts: ${expected}`, async () => {
    const receiver = await newReceiver({ host: "127.0.0.1" });
    const shut = Array.from({ length: count }, (_, index) => `127.0.1.${index}`);
    const { sender } = await named((family) => (family === "A" ? [...shut, "127.0.0.1"] : []));
    assert.equal(inBrief(await sender.send(to(at(receiver)))), expected);
  });

test("a name that changes between two connections is judged again", async () => {
  const receiver = await newReceiver();
  let address = "127.0.0.1";
  const { sender, judged } = await named((family) => (family === "A" ? [address] : []));
  assert.equal(inBrief(await sender.send(to(at(receiver)))), 200);
  address = "127.0.9.2";
  // An open connection needs no lookup.
  assert.equal((await sender.send(to(at(receiver)))).connection, "reused");
  receiver.endAll();
  await until(() => sender.idleConnections === 0);
  assert.equal(inBrief(await sender.send(to(at(receiver)))), "dns-private-address");
  assert.deepEqual(judged, [["127.0.0.1"], ["127.0.9.2"]]);
  assert.deepEqual([receiver.connections, receiver.requests.length], [1, 2]);
});

test("a name is resolved once: the connection goes to the address that was judged", async () => {
  const receiver = await newReceiver();
  let asked = 0;
  const { sender } = await named((family) =>
    family === "AAAA" ? [] : asked++ === 0 ? ["127.0.0.1"] : ["127.0.9.1"],
  );
  assert.equal(inBrief(await sender.send(to(at(receiver)))), 200);
  assert.equal(asked, 1);
});

test("the sender dials the canonical form of a judged address", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, "close");
  const { sender, judged } = await named((family) => (family === "A" ? [] : ["::ffff:7f00:1"]));
  const sent = await sender.send(to(`https://hooks.receiver.example:${port}/hook`));
  assert.equal(inBrief(sent), "connection-refused");
  assert.deepEqual(judged, [["::ffff:127.0.0.1"]]);
  assert.ok(sent.kind === "failed");
  assert.match(sent.detail, new RegExp(`ECONNREFUSED 127\\.0\\.0\\.1:${port}`));
});

for (const root of ["silence", "SERVFAIL"] as const)
  test(`a name server that answers no query (${root}) is a failure of the service`, async () => {
    const receiver = await newReceiver();
    const { sender } = await named(() => root, root);
    const sent = await sender.send(to(at(receiver), { timeoutMs: 1_500 }));
    assert.equal(inBrief(sent), "system-resolver", JSON.stringify(sent));
    assert.ok(sent.ms < 1_500);
  });

test("an unknown name is the receiver's failure, even if the other family fails", async () => {
  const receiver = await newReceiver();
  const { sender } = await named(
    (family) => (family === "A" ? "NXDOMAIN" : "SERVFAIL"),
    "SERVFAIL",
  );
  const sent = await sender.send(to(at(receiver), { timeoutMs: 2_000 }));
  assert.equal(inBrief(sent), "dns-failure", JSON.stringify(sent));
});

test("a missing name server is a failure of the service", async () => {
  const names = await startNameServer(() => []);
  await names.close();
  const receiver = await newReceiver();
  const sender = newSender({ dnsServers: [names.address] });
  const sent = await sender.send(to(at(receiver), { timeoutMs: 2_000 }));
  assert.equal(inBrief(sent), "system-resolver", JSON.stringify(sent));
});

test("an address in the URL is judged like a resolved one", async () => {
  const receiver = await newReceiver();
  const { sender, judged, names } = await named(() => "NXDOMAIN");
  const results = [
    await sender.send(to(receiver.url)),
    await sender.send(to(at(receiver, "127.0.9.2"))),
    await sender.send(to(at(receiver, "[::ffff:7f00:903]"))),
  ];
  assert.deepEqual(results.map(inBrief), [200, "dns-private-address", "dns-private-address"]);
  assert.deepEqual(judged, [["127.0.0.1"], ["127.0.9.2"], ["::ffff:7f00:903"]]);
  assert.deepEqual([names.asked.length, receiver.connections], [0, 1]);
});

test("an IPv6 address in the URL is dialed and its certificate verified", async () => {
  const receiver = await newReceiver({ host: "::1", certificate: goodCertificate() });
  assert.equal(inBrief(await newSender().send(to(receiver.url))), 200);
  assert.deepEqual(receiver.serverNames, []);
});

test("an answer that arrived while the process was suspended is read before the time limit applies", async (t) => {
  const limit = holdTimers(t, LONG_WALL_MS);
  const receiver = await newReceiver({ behaviour: hanging });
  let line: Line | undefined;
  receiver.behave((opened) => {
    line = opened;
  });
  const sender = newSender();
  const sending = sender.send(to(receiver.url, { timeoutMs: LONG_WALL_MS }));
  await receiver.received(1);
  // The answer waits in the socket when the timers run, as they do first after the process was suspended.
  await turn();
  void line?.write(EMPTY);
  limit.end();
  assert.equal(inBrief(await sending), 200);
});
