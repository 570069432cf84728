import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AnswerReader } from "./answer.ts";

const limits = { headBytesMax: 16_384, bodyBytesMax: 4_096 };

/** Read in these pieces, and then the connection ends. */
function read(pieces: readonly Buffer[]) {
  const reader = new AnswerReader(limits, true);
  let progress: ReturnType<AnswerReader["read"]> = "more";
  for (const piece of pieces) {
    progress = reader.read(piece);
    if (progress !== "more") break;
  }
  if (progress === "more") progress = reader.end();
  return { progress, status: reader.status, reader };
}

const bytes = (text: string) => Buffer.from(text, "latin1");

/** What became of it, in a word: the status of an answer, else the fault. */
function outcome(text: string): number | string | undefined {
  const { progress, status } = read([bytes(text)]);
  if (progress === "complete") return status;
  return typeof progress === "string" ? progress : progress.reason;
}

const OK = "HTTP/1.1 200 OK\r\n";
const chunked = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

const table: readonly [name: string, answer: string, outcome: number | string][] = [
  ["a length", `${OK}Content-Length: 2\r\n\r\nok`, 200],
  ["a length with blanks around it", `${OK}content-LENGTH: \t 2 \t\r\n\r\nok`, 200],
  ["chunks", `${chunked}2\r\nok\r\n00001;a="b"\r\n!\r\n0\r\nX: y\r\n\r\n`, 200],
  [
    "chunks in capitals",
    `${OK}Transfer-Encoding: CHUNKED\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n`,
    200,
  ],
  ["blanks behind a chunk's size", `${chunked}2 \t\r\nok\r\n0 ;a\r\n\r\n`, 200],
  ["a body to the end", `${OK}\r\nok`, 200],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nok", 200],
  ["no reason phrase", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200],
  ["an empty reason phrase", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", 200],
  ["bytes above 127 in a value", `${OK}X: \xe9\r\nContent-Length: 0\r\n\r\n`, 200],
  ["204", "HTTP/1.1 204 No Content\r\n\r\n", 204],
  [
    "304 with the length of what it does not send",
    "HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n",
    304,
  ],
  [
    "interim answers",
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nLink: a\r\n\r\n${OK}\r\n`,
    200,
  ],
  [
    "an interim answer that says it has no body",
    `HTTP/1.1 103 X\r\nContent-Length: 0\r\n\r\n${OK}\r\n`,
    200,
  ],
  ["101", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", 101],
  ["a status above 599, whatever its body", "HTTP/1.1 999 X\r\nContent-Length: 99999\r\n\r\n", 999],
  ["a status below 100", "HTTP/1.1 099 X\r\n\r\n", 99],

  ["nothing", "", "torn"],
  ["half a status line", "HTTP/1.1 2", "torn"],
  ["half the headers", `${OK}Content-Le`, "torn"],
  ["half a body", `${OK}Content-Length: 9\r\n\r\nok`, "torn"],
  ["half a chunk", `${chunked}9\r\nok`, "torn"],
  ["no last chunk", `${chunked}2\r\nok\r\n`, "torn"],
  ["half a trailer", `${chunked}0\r\nX: y\r\n`, "torn"],
  ["only an interim answer", "HTTP/1.1 100 Continue\r\n\r\n", "torn"],

  ["HTTP/0.9", "<html>ok</html>", "protocol-error"],
  ["HTTP/2", "\x00\x00\x12\x04\x00\x00\x00\x00\x00", "protocol-error"],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "protocol-error"],
  ["a newer version in the old form", "HTTP/2 200\r\n\r\n", "protocol-error"],
  ["HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n", "protocol-error"],
  ["another protocol", "ICY 200 OK\r\n\r\n", "protocol-error"],
  ["lower case", "http/1.1 200 OK\r\n\r\n", "protocol-error"],
  ["a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", "protocol-error"],
  ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n", "protocol-error"],
  ["two blanks before the status", "HTTP/1.1  200 OK\r\n\r\n", "protocol-error"],
  ["an empty line first", `\r\n${OK}\r\n`, "protocol-error"],
  ["lines without CR", "HTTP/1.1 200 OK\n\n", "protocol-error"],
  ["a stray CR in a value", `${OK}X: a\rb\r\n\r\n`, "protocol-error"],
  ["NUL in a value", `${OK}X: a\0b\r\n\r\n`, "protocol-error"],
  ["DEL in a value", `${OK}X: a\x7fb\r\n\r\n`, "protocol-error"],
  ["NUL in the status line", "HTTP/1.1 200 O\0K\r\n\r\n", "protocol-error"],
  ["a folded header", `${OK}X: a\r\n b\r\n\r\n`, "protocol-error"],
  ["a folded header, the first of all", `${OK} X: a\r\n\r\n`, "protocol-error"],
  ["a blank before the colon", `${OK}Content-Length : 2\r\n\r\nok`, "protocol-error"],
  ["a header without a name", `${OK}: 2\r\n\r\n`, "protocol-error"],
  ["a header without a colon", `${OK}Content-Length 2\r\n\r\n`, "protocol-error"],
  ["a name outside of ASCII", `${OK}X\xe9: a\r\n\r\n`, "protocol-error"],
  [
    "a length and chunks",
    `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    "protocol-error",
  ],
  ["two lengths", `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`, "protocol-error"],
  ["two equal lengths", `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`, "protocol-error"],
  ["a list of lengths", `${OK}Content-Length: 2, 2\r\n\r\nok`, "protocol-error"],
  ["a negative length", `${OK}Content-Length: -2\r\n\r\nok`, "protocol-error"],
  ["a length with a sign", `${OK}Content-Length: +2\r\n\r\nok`, "protocol-error"],
  ["a hexadecimal length", `${OK}Content-Length: 0x2\r\n\r\nok`, "protocol-error"],
  ["an empty length", `${OK}Content-Length:\r\n\r\n`, "protocol-error"],
  [
    "a length of many digits",
    `${OK}Content-Length: 99999999999999999999\r\n\r\n`,
    "protocol-error",
  ],
  [
    "a coding that was not asked for",
    `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n`,
    "protocol-error",
  ],
  ["identity as a coding", `${OK}Transfer-Encoding: identity\r\n\r\n`, "protocol-error"],
  ["a coding that looks like one", `${OK}Transfer-Encoding: xchunked\r\n\r\n`, "protocol-error"],
  [
    "chunked twice",
    `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n`,
    "protocol-error",
  ],
  [
    "chunks of HTTP/1.0",
    "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "protocol-error",
  ],
  [
    "an interim answer with a body",
    "HTTP/1.1 103 X\r\nContent-Length: 2\r\n\r\nok",
    "protocol-error",
  ],
  [
    "an interim answer in chunks",
    `HTTP/1.1 103 X\r\nTransfer-Encoding: chunked\r\n\r\n${OK}\r\n`,
    "protocol-error",
  ],
  ["a chunk's size that is none", `${chunked}xyz\r\n`, "protocol-error"],
  ["an empty chunk's size", `${chunked}\r\n`, "protocol-error"],
  ["a negative chunk's size", `${chunked}-1\r\n`, "protocol-error"],
  ["a chunk's size with a prefix", `${chunked}0x2\r\nok\r\n0\r\n\r\n`, "protocol-error"],
  ["a blank before a chunk's size", `${chunked} 2\r\nok\r\n0\r\n\r\n`, "protocol-error"],
  ["a chunk's size without CR", `${chunked}2\nok\r\n0\r\n\r\n`, "protocol-error"],
  ["NUL in a chunk's extension", `${chunked}2;a=\0\r\nok\r\n0\r\n\r\n`, "protocol-error"],
  ["a chunk longer than its size", `${chunked}2\r\nokay\r\n0\r\n\r\n`, "protocol-error"],
  ["a trailer without a name", `${chunked}0\r\noops\r\n\r\n`, "protocol-error"],
  ["a chunk's size beyond all numbers", `${chunked}fffffffff\r\n`, "protocol-error"],

  ["a body of 4,096 bytes", `${OK}Content-Length: 4096\r\n\r\n${"a".repeat(4096)}`, 200],
  [
    "a body of 4,097 bytes",
    `${OK}Content-Length: 4097\r\n\r\n${"a".repeat(4097)}`,
    "response-body-too-large",
  ],
  ["the promise of one", `${OK}Content-Length: 4097\r\n\r\n`, "response-body-too-large"],
  ["4,096 bytes to the end", `${OK}\r\n${"a".repeat(4096)}`, 200],
  ["4,097 bytes to the end", `${OK}\r\n${"a".repeat(4097)}`, "response-body-too-large"],
  ["4,096 bytes in two chunks", `${chunked}fff\r\n${"a".repeat(4095)}\r\n1\r\na\r\n0\r\n\r\n`, 200],
  [
    "4,097 bytes in two chunks",
    `${chunked}1000\r\n${"a".repeat(4096)}\r\n1\r\n`,
    "response-body-too-large",
  ],
  ["a huge chunk", `${chunked}ffffffff\r\n`, "response-body-too-large"],
];

for (const [name, answer, expected] of table)
  test(`${name}: ${expected}`, () => assert.equal(outcome(answer), expected));

/** An answer whose bytes that are not body are this many. */
const heads: Readonly<Record<string, (size: number) => string>> = {
  "in one header": (size) => padded(OK, "\r\n\r\n", size),
  "in the status line": (size) =>
    padded("HTTP/1.1 200 ", "\r\nContent-Length: 0\r\n\r\n", size, ""),
  "in many headers": (size) =>
    padded(`${OK}${"A: b\r\n".repeat(1_000)}`, "\r\nContent-Length: 0\r\n\r\n", size),
  "in interim answers": (size) =>
    padded(`${"HTTP/1.1 102 Processing\r\n\r\n".repeat(400)}${OK}`, "\r\n\r\n", size),
  "in a chunk's extension": (size) => padded(`${chunked}2`, "\r\nok\r\n0\r\n\r\n", size + 2, ";"),
  "in the extension of the last chunk": (size) => padded(`${chunked}0`, "\r\n\r\n", size, ";"),
  "in trailers": (size) => padded(`${chunked}0\r\n`, "\r\n\r\n", size),
};

function padded(before: string, after: string, size: number, begin = "X: "): string {
  const fill = "a".repeat(size - before.length - begin.length - after.length);
  return before + begin + fill + after;
}

for (const [where, make] of Object.entries(heads))
  test(`16,384 bytes of head pass and one more fails, ${where}`, () => {
    assert.equal(outcome(make(16_384)), 200);
    assert.equal(outcome(make(16_385)), "response-headers-too-large");
  });

test("a line that never ends is read no further than the limit", () => {
  const reader = new AnswerReader(limits);
  assert.equal(reader.read(bytes(`${OK}X: ${"a".repeat(16_384 - OK.length - 3)}`)), "more");
  const progress = reader.read(bytes("a"));
  assert.equal(typeof progress === "object" && progress.reason, "response-headers-too-large");
});

test("what is no HTTP is known by its first byte", () => {
  const progress = new AnswerReader(limits).read(bytes("<"));
  assert.equal(typeof progress === "object" && progress.reason, "protocol-error");
});

test("however the bytes are cut, the answer is the same", () => {
  const answers = [
    ...table.map(([, answer]) => answer),
    ...Object.values(heads).map((make) => make(16_384)),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...answers),
      fc.array(fc.nat(5_000), { maxLength: 12 }),
      (answer, places) => {
        const whole = bytes(answer);
        const cuts = [0, ...places.map((place) => place % (whole.length + 1)), whole.length];
        cuts.sort((a, b) => a - b);
        const pieces = cuts.slice(1).map((cut, index) => whole.subarray(cuts[index], cut));
        const one = read([whole]);
        const many = read(pieces);
        assert.deepEqual(many.progress, one.progress);
        assert.equal(many.status, one.status);
        if (one.progress === "complete") assert.deepEqual(many.reader.body, one.reader.body);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("it throws at nothing", () => {
  const words = fc.constantFrom(
    OK,
    chunked,
    "\r\n",
    "2\r\nok",
    "0\r\n\r\n",
    "Content-Length: 2",
    "\0",
    ":",
    ";",
    "HTTP/1.1 100 X\r\n\r\n",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string({ maxLength: 4 }))), (parts) => {
      read(parts.map(bytes));
    }),
  );
});

const reuse: readonly [name: string, answer: string, reusable: boolean][] = [
  ["a whole answer of HTTP/1.1", `${OK}Content-Length: 2\r\n\r\nok`, true],
  ["whole chunks", `${chunked}2\r\nok\r\n0\r\n\r\n`, true],
  ["204", "HTTP/1.1 204 X\r\n\r\n", true],
  ["204 with a length of nothing", "HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n", true],
  ["204 with a body announced", "HTTP/1.1 204 X\r\nContent-Length: 2\r\n\r\n", false],
  ["204 with chunks announced", "HTTP/1.1 204 X\r\nTransfer-Encoding: chunked\r\n\r\n", false],
  [
    "304 with the length of what it does not send",
    "HTTP/1.1 304 X\r\nContent-Length: 2\r\n\r\n",
    false,
  ],
  ["Connection: close", `${OK}Connection: Keep-Alive, Close\r\nContent-Length: 0\r\n\r\n`, false],
  ["HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", false],
  ["a body to the end", `${OK}\r\n`, false],
  ["101", "HTTP/1.1 101 X\r\n\r\n", false],
  ["bytes beyond the answer", `${OK}Content-Length: 2\r\n\r\nok!`, false],
  ["a second answer", `${OK}Content-Length: 0\r\n\r\n${OK}Content-Length: 0\r\n\r\n`, false],
  ["a fault", `${OK}Content-Length: x\r\n\r\n`, false],
];

for (const [name, answer, reusable] of reuse)
  test(`after ${name} the connection is ${reusable ? "" : "not "}used again`, () =>
    assert.equal(read([bytes(answer)]).reader.reusable, reusable));

test("Retry-After is handed on as it came, two of them as none that is valid", () => {
  const of = (headers: string) =>
    read([bytes(`HTTP/1.1 503 X\r\n${headers}\r\n`)]).reader.retryAfter;
  assert.equal(of(""), undefined);
  assert.equal(of("retry-after:  120 \r\n"), "120");
  assert.equal(of("Retry-After: 1\r\nRetry-After: 2\r\n"), "1, 2");
});

test("how long a connection is kept is told by Keep-Alive, wherever it stands in it", () => {
  const of = (headers: string, before = "") =>
    read([bytes(`${before}${OK}${headers}Content-Length: 0\r\n\r\n`)]).reader.keepAliveSeconds;
  assert.equal(of("Keep-Alive: timeout=5\r\n"), 5);
  assert.equal(of("Keep-Alive: timeout=5, max=100\r\n"), 5);
  assert.equal(of("Keep-Alive: max=100, Timeout=5\r\n"), 5);
  for (const none of ["", "5", "max=5", "xtimeout=5", "timeout=", "timeout=soon"])
    assert.equal(of(`Keep-Alive: ${none}\r\n`), undefined, none);
  assert.equal(of("", "HTTP/1.1 103 X\r\nKeep-Alive: timeout=1\r\n\r\n"), undefined);
});

test("an interim answer's headers are not the answer's", () => {
  const { reader } = read([
    bytes(
      `HTTP/1.1 103 X\r\nRetry-After: 9\r\nConnection: close\r\n\r\n${OK}Content-Length: 0\r\n\r\n`,
    ),
  ]);
  assert.equal(reader.retryAfter, undefined);
  assert.equal(reader.reusable, true);
});
