import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogLevel } from "./config.ts";
import { startLog } from "./log.ts";
import { type Observation, observe } from "../base/observe.ts";
import { report } from "../jobs/boss.ts";
import { CannotDecryptError, Cipher } from "../store/cipher.ts";

function logged(level: LogLevel, ...observations: Observation[]): string {
  let text = "";
  const log = startLog(level, { write: (line) => void (text += line) });
  for (const observation of observations) observe(observation);
  log.stop();
  return text;
}

const parsed = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const finished: Observation = {
  kind: "request-finished",
  requestId: "0198",
  method: "GET",
  route: "/v1/people",
  status: 200,
  milliseconds: 1.23456,
  client: "192.0.2.0/24",
  accountId: "a",
  personId: "p",
};

test("a request is one line of JSON with its time, route, status and caller", () => {
  const [line, ...others] = parsed(logged("info", finished));
  assert.equal(others.length, 0);
  const { time, ...rest } = line ?? {};
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(rest, { level: "info", ...finished, milliseconds: 1.23 });
});

test("LOG_LEVEL keeps quieter lines out, and silent all of them", () => {
  const failed: Observation = {
    kind: "request-failed",
    requestId: "r",
    route: "/",
    error: new Error("no"),
  };
  assert.equal(parsed(logged("error", finished, failed)).length, 1);
  assert.equal(logged("silent", finished, failed), "");
});

test("a request that failed here is a warning; what was wrong has a line of its own with the same id", () => {
  const error = new TypeError("x is not a function");
  const lines = parsed(
    logged("info", { kind: "request-failed", requestId: "r", route: "/", error }, {
      ...finished,
      status: 500,
    } as Observation),
  );
  assert.deepEqual(
    lines.map(({ level }) => level),
    ["error", "warn"],
  );
  const shown = lines[0]?.["error"] as { message: string; stack: string[] };
  assert.equal(shown.message, "x is not a function");
  assert.match(shown.stack[0] ?? "", /log\.test\.ts/);
});

test("an unreachable database is logged once, and again after it was reachable", () => {
  const lost: Observation = { kind: "database-lost", error: new Error("gone") };
  const lines = parsed(logged("info", lost, lost, { kind: "database-back" }, lost));
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    ["database-lost", "database-back", "database-lost"],
  );
});

test("a database that answers late on a busy machine is logged without places in the code", () => {
  let text = "";
  const log = startLog("info", { write: (line) => void (text += line) });
  // The pool of the queues gives its errors no code.
  for (const message of ["timeout exceeded when trying to connect", "Query read timeout"])
    report(new Error(message));
  const late = Object.assign(new Error("canceling statement due to statement timeout"), {
    code: "57014",
    cause: new Error("late"),
  });
  observe({ kind: "engine-failed", what: "claim", error: late });
  observe({ kind: "job-failed", job: "partitions", error: late });
  log.stop();
  assert.deepEqual(
    parsed(text).map(({ kind }) => kind),
    ["database-lost", "engine-failed", "job-failed"],
  );
  assert.doesNotMatch(text, /stack|\bat .*\.ts/);
});

test("a secret that cannot be decrypted names its key", () => {
  const cipher = new Cipher([{ id: "2025-01", bytes: () => Buffer.alloc(32, 1) }]);
  const other = new Cipher([{ id: "2026-01", bytes: () => Buffer.alloc(32, 1) }]);
  const encrypted = cipher.encrypt(Buffer.from("secret"), ["a"]);
  const errorOf = (act: () => unknown) => {
    try {
      return assert.fail(String(act()));
    } catch (error) {
      assert.ok(error instanceof CannotDecryptError);
      return error;
    }
  };
  for (const error of [
    errorOf(() => other.decrypt(encrypted, ["a"])),
    errorOf(() => cipher.decrypt(encrypted, ["b"])),
  ]) {
    const { keyId } = error;
    const [line] = parsed(
      logged("error", { kind: "secret-unreadable", accountId: "a", endpointId: "e", keyId, error }),
    );
    assert.deepEqual([line?.["endpointId"], line?.["keyId"]], ["e", "2025-01"]);
  }
});

test("the log contains the first 300 characters of an error and three causes", () => {
  const error = Array.from({ length: 5 }, (_, index) => index).reduce<Error | undefined>(
    (cause, index) => new Error(`${index} ${"x".repeat(400)}`, { cause }),
    undefined,
  );
  const [line] = parsed(
    logged("info", { kind: "request-failed", requestId: "r", route: "/", error }),
  );
  const told: string[] = [];
  interface Told {
    message: string;
    cause?: Told;
  }
  for (let each = line?.["error"] as Told | undefined; each; each = each.cause)
    told.push(each.message);
  assert.deepEqual(
    told.map((message) => [message[0], message.length]),
    ["4", "3", "2", "1"].map((first) => [first, 300]),
  );
});

const attempt = {
  kind: "attempt-finished",
  accountId: "a",
  endpointId: "e",
  deliveryId: "d",
  deliveryKind: "production",
  attempt: 2,
  outcome: "retryable-failure",
  code: "connection-refused",
  status: "retry-scheduled",
  milliseconds: 12.345,
  lagMs: 1_500,
  connection: "new",
  detail: "connecting: ECONNREFUSED",
} as const satisfies Observation;

test("an attempt is one line: how it ended and in which detail, how long it took and how long it had been due", () => {
  const [line, ...others] = parsed(logged("info", attempt));
  assert.equal(others.length, 0);
  const { time: _, ...rest } = line ?? {};
  assert.deepEqual(rest, { level: "info", ...attempt, milliseconds: 12.35 });
});

test("an attempt that fails for a reason of our own is a warning, whatever receivers do is none", () => {
  const outcomes = ["success", "retryable-failure", "permanent-failure", "system-failure"] as const;
  const lines = parsed(logged("info", ...outcomes.map((outcome) => ({ ...attempt, outcome }))));
  assert.deepEqual(
    lines.map(({ level }) => level),
    ["info", "info", "info", "warn"],
  );
});

test("failures and repairs of the engine are errors, and a run without repairs is not logged", () => {
  const mended = { kind: "reconciled", requeued: 0, removed: 0 } as const;
  const lines = parsed(
    logged(
      "info",
      mended,
      { ...mended, requeued: 1 },
      { ...mended, removed: 1 },
      { kind: "engine-failed", what: "settle", error: new Error("gone") },
      { kind: "queue-seen", server: 1, depth: 1, ready: 1, oldestMs: 1, inFlight: 1 },
    ),
  );
  assert.deepEqual(
    lines.map(({ kind, level, removed, requeued, what }) => [kind, level, requeued, removed, what]),
    [
      ["reconciled", "error", 1, 0, undefined],
      ["reconciled", "error", 0, 1, undefined],
      ["engine-failed", "error", undefined, undefined, "settle"],
    ],
  );
});

// -- Secrets -------------------------------------------------------------------------------------------------------

const accessToken = `vat_${"A".repeat(64)}`;
const clientToken = `vct_${"B".repeat(43)}`;
const webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const password = "correct-horse";
const passwordHash = "$argon2id$v=19$m=47104,t=1,p=1$c2FsdA$dGFn";
const body = "a message that somebody sent";
const hidden = [accessToken, clientToken, webhookSecret, password, passwordHash, body];

/** As a careless caller might make them: with more in them than the type has, and secrets in what it has. */
function hostile(): Observation[] {
  const carried = {
    headers: { authorization: `Bearer ${accessToken}`, "x-svc-api-token": clientToken },
    body: { password, text: body },
    secret: webhookSecret,
    password,
  };
  const errors = [
    Object.assign(new Error(`cannot use Bearer ${accessToken} and ${clientToken}`), carried),
    Object.assign(new Error(`insert failed for ${passwordHash}`), {
      code: "23505",
      detail: `Key (email)=(${body}) already exists.`,
      query: `update person_credentials set password_hash = '${passwordHash}'`,
      parameters: [password, accessToken],
      where: body,
    }),
    Object.assign(new Error(`invalid input syntax for type date: "${body}"`), { code: "22007" }),
    new SyntaxError(`Unexpected token in JSON: {"text": "${body}", "password": "${password}"}`),
    // A line of what was sent may look like a frame of the stack.
    Object.assign(new Error(`invalid input syntax for type date: "x\n    at ${body}"`), {
      code: "22007",
    }),
    new SyntaxError(`Unexpected token in JSON: "\n at ${body}"`),
    new Error(`connect to postgres://vestry:${password}@db.example/vestry failed`),
    new Error(`{"password": "${password}"} password=${password} token: '${accessToken}'`),
    new Error(`whsec: ${webhookSecret}\n${body}`),
    new Error(`cannot call\n    at ${webhookSecret}`),
    new assert.AssertionError({ message: `Expected nothing, and there is ${body}` }),
    // Cut off where a secret cannot be told from other words any more.
    new Error(`${"x".repeat(268)} postgres://vestry:${password}@db.example/vestry`),
    new Error("outer", { cause: new Error(`inner Authorization: ${clientToken}`) }),
    new AggregateError([new Error(`nested ${accessToken}`)], `several ${webhookSecret}`),
    carried,
    `a thrown string with ${accessToken} and ${body}`,
  ];
  const failures = errors.flatMap((error) => [
    { kind: "request-failed", requestId: "r", route: "/", error, ...carried } as Observation,
    { kind: "database-lost", error, ...carried } as Observation,
    { kind: "database-back", ...carried } as Observation,
  ]);
  const texts = [`Bearer ${accessToken}`, clientToken, webhookSecret, passwordHash];
  const strange = texts.flatMap((text) => [
    { ...finished, ...carried, route: text, codes: [text, carried] } as unknown as Observation,
    { kind: "login", outcome: "failed", accountId: text, ...carried } as Observation,
    { kind: "service-stopping", reason: text, ...carried } as Observation,
    { kind: "job-finished", job: text, rows: carried, ...carried } as unknown as Observation,
    { kind: "rate-limited", policy: carried, ...carried } as unknown as Observation,
    {
      kind: "event-happened",
      accountId: "a",
      eventType: "person.created",
      subjectType: "people",
      subjectId: text,
      snapshot: body,
      ...carried,
    } as Observation,
  ]);
  return [...failures, ...strange];
}

test("no token, password, secret or body is ever in a line, whatever an observation carries", () => {
  const text = logged("trace", ...hostile());
  assert.ok(text.split("\n").length > hostile().length, "everything was logged");
  for (const each of hidden) assert.ok(!text.includes(each), `${each} is in the log`);
});
