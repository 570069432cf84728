import assert from "node:assert/strict";
import { test } from "node:test";
import { type Failure, failureMessage, failures } from "./attempt-codes.ts";
import { attemptOutcomes, codeOf, type SendResult, outcomeOf } from "./outcome.ts";

const now = Date.UTC(2026, 0, 1);
const answered = (status: number, body = "", retryAfter?: string): SendResult => ({
  kind: "answered",
  status,
  bodyBytes: Buffer.from(body),
  retryAfter,
});

test("every status, from 100 to 599 and beyond, has its outcome", () => {
  for (let status = 100; status <= 999; status++) {
    const outcome = outcomeOf(answered(status), undefined, now);
    const expected =
      status >= 200 && status <= 299
        ? "delivered"
        : [408, 429].includes(status) || (status >= 500 && status <= 599)
          ? "retryable"
          : "permanent";
    assert.equal(outcome.kind, expected, String(status));
    assert.equal(codeOf(outcome), expected === "delivered" ? undefined : `http-${status}`);
  }
});

test("a redirect is permanent, and its message says that redirects are not followed", () => {
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    const outcome = outcomeOf(answered(status), undefined, now);
    assert.deepEqual(outcome, { kind: "permanent", code: `http-${status}` });
    assert.match(failureMessage(`http-${status}`), /not followed/);
  }
});

test("Retry-After counts only for 408, 429 and 5xx", () => {
  for (const status of [408, 429, 500, 503, 599])
    assert.deepEqual(outcomeOf(answered(status, "", "7"), undefined, now), {
      kind: "retryable",
      code: `http-${status}`,
      retryAfterMs: 7_000,
    });
  for (const status of [301, 404, 410])
    assert.deepEqual(outcomeOf(answered(status, "", "7"), undefined, now), {
      kind: "permanent",
      code: `http-${status}`,
    });
});

test("every other failure has the outcome of its code", () => {
  for (const reason of Object.keys(failures) as Failure[]) {
    const outcome = outcomeOf({ kind: "failed", reason }, "challenge", now);
    assert.deepEqual([outcome.kind, codeOf(outcome)], [failures[reason].kind, reason]);
  }
});

test("a response over the size limit is judged by its status if a retry may help", () => {
  const reason = "response-body-too-large";
  const outcomes = [200, 301, 404, 408, 429, 500, 599].map((status) =>
    outcomeOf({ kind: "failed", reason, status, retryAfter: "9" }, undefined, now),
  );
  const tooLarge = { kind: "permanent", code: reason };
  assert.deepEqual(outcomes, [
    tooLarge,
    tooLarge,
    tooLarge,
    ...[408, 429, 500, 599].map((status) => ({
      kind: "retryable",
      code: `http-${status}`,
      retryAfterMs: 9_000,
    })),
  ]);
});

test("a Retry-After counts even if the response ends early", () => {
  const reason = "connection-reset";
  const waits = [503, 404, undefined].map((status) => {
    const outcome = outcomeOf({ kind: "failed", reason, status, retryAfter: "9" }, undefined, now);
    return outcome.kind === "retryable" && outcome.retryAfterMs;
  });
  assert.deepEqual(waits, [9_000, undefined, undefined]);
});

const challenge = "kR0-x_9 ä\u0000";
const good = JSON.stringify({ meta: { challenge } });

const rightAnswers: Record<string, Buffer> = {
  "the exact challenge": Buffer.from(good),
  "other members beside it": Buffer.from(
    JSON.stringify({ data: null, meta: { challenge, at: 1 } }),
  ),
  "white space around it": Buffer.from(` \n${good}\n`),
  "escapes inside it": Buffer.from(good.replace("k", "\\u006b")),
  "a byte order mark before it": Buffer.from(`\ufeff${good}`),
};
for (const [name, body] of Object.entries(rightAnswers))
  test(`verified: ${name}`, () => {
    for (const status of [200, 202, 299])
      assert.deepEqual(outcomeOf({ kind: "answered", status, bodyBytes: body }, challenge, now), {
        kind: "delivered",
      });
  });

const missing: readonly (string | Buffer)[] = [
  "",
  "   ",
  challenge,
  JSON.stringify(challenge),
  JSON.stringify({ challenge }),
  JSON.stringify([{ meta: { challenge } }]),
  JSON.stringify({ meta: challenge }),
  JSON.stringify({ meta: [challenge] }),
  JSON.stringify({ meta: { Challenge: challenge } }),
  JSON.stringify({ Meta: { challenge } }),
  JSON.stringify({ data: { attributes: { challenge } } }),
  '{"__proto__": {"meta": {"challenge": "x"}}}',
  "null",
  "{}",
  '{"meta": null}',
  '{"meta": {"challenge": null}}',
  good.slice(0, -1),
  `${good}}`,
  `${good}${good}`,
  good.replaceAll('"', "'"),
  `callback(${good})`,
  `<html>${good}</html>`,
  "meta[challenge]=x",
  Buffer.concat([Buffer.from(good), Buffer.from([0xff])]),
  Buffer.from(good, "utf16le"),
  Buffer.from(good, "latin1"),
];
const mismatched = [
  "",
  "x",
  challenge.toUpperCase(),
  ` ${challenge}`,
  `${challenge} `,
  `${challenge}\n`,
  challenge.slice(0, -1),
  `${challenge}x`,
  challenge.normalize("NFD"),
  encodeURIComponent(challenge),
  Buffer.from(challenge).toString("base64"),
  [challenge],
  { challenge },
  0,
  true,
];

test("2xx without the challenge is a permanent failure of a verification", () => {
  for (const body of missing)
    assert.deepEqual(
      outcomeOf(
        { kind: "answered", status: 200, bodyBytes: Buffer.from(body as string) },
        challenge,
        now,
      ),
      { kind: "permanent", code: "challenge-missing" },
      body.toString(),
    );
});

test("2xx with another challenge is a permanent failure of a verification", () => {
  for (const wrong of mismatched)
    assert.deepEqual(
      outcomeOf(answered(200, JSON.stringify({ meta: { challenge: wrong } })), challenge, now),
      { kind: "permanent", code: "challenge-mismatch" },
      JSON.stringify(wrong),
    );
});

test("the challenge with another status than 2xx verifies nothing", () => {
  for (const status of [199, 300, 400, 404])
    assert.equal(outcomeOf(answered(status, good), challenge, now).kind, "permanent");
  for (const status of [408, 429, 500])
    assert.equal(outcomeOf(answered(status, good), challenge, now).kind, "retryable");
});

test("other deliveries accept any body with 2xx", () => {
  for (const body of ["", "ok", good, "\0"])
    assert.deepEqual(outcomeOf(answered(204, body), undefined, now), { kind: "delivered" });
});

test("every failure has a message with a next step", () => {
  const codes = [
    ...(Object.keys(failures) as Failure[]),
    ...Array.from({ length: 900 }, (_, index) => `http-${index + 100}` as const),
  ];
  for (const code of codes) assert.match(failureMessage(code), /^[A-Z].+\. .+\.$/, code);
});

test("the message of every status names the status and says whether the service retries", () => {
  for (let status = 0; status <= 999; status++) {
    const outcome = outcomeOf(answered(status), undefined, now);
    const code = codeOf(outcome);
    if (!code) continue;
    const message = failureMessage(code);
    assert.ok(message.includes(` ${String(status).padStart(3, "0")}. `), message);
    assert.equal(/will retry/.test(message), outcome.kind === "retryable", message);
    // These statuses belong to no class.
    if (status < 100 || status > 599) assert.match(message, /^[\w ]+\. Respond with 2xx\.$/);
  }
});

test("the system codes are exactly the failures of the service", () => {
  for (const [code, { kind }] of Object.entries(failures))
    assert.equal(kind === "system", code.startsWith("system-"), code);
  assert.equal(attemptOutcomes.system, "system-failure");
});
