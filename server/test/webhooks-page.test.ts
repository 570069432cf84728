import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { DAY, HOUR, MINUTE, SECOND } from "../src/base/clock.ts";
import { readMessage } from "../src/cli/receive/message.ts";
import { failureMessage, failures, type HttpCode } from "../src/webhooks/engine/attempt-codes.ts";
import { controlBody, productionBody } from "../src/webhooks/engine/message.ts";
import { type Outcome, outcomeOf } from "../src/webhooks/engine/outcome.ts";
import { webhookLimits } from "../src/base/webhook-limits.ts";
import { SigningSecret } from "../src/webhooks/endpoints/signing-secrets.ts";
import { suppressionReasons } from "../src/webhooks/endpoints/suppression-reasons.ts";
import {
  challengeAnswer,
  eventMessage,
  fenced,
  testMessage,
  verificationMessage,
  webhooksPage,
} from "./support/messages.ts";

/** Compares the tables and messages of docs/webhooks/ with the code. */

const reference = await webhooksPage("reference");
const receivers = await webhooksPage("receivers");
const troubleshooting = await webhooksPage("troubleshooting");

/** The cells of the table with this heading, without backticks. */
function table(page: string, ...heading: string[]): string[][] {
  const lines = page.split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${heading.join(" | ")}`));
  assert.ok(at >= 0, `no table with ${heading.join(", ")}`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("|"));
  return lines.slice(at + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.replaceAll("`", "").trim()),
  );
}

/** The result of an attempt, in the words of the pages. */
const results: Readonly<Record<Outcome["kind"], string>> = {
  delivered: "delivered",
  retryable: "retried",
  permanent: "failed permanently",
  refused: "suppressed, endpoint paused",
  system: "retried, no attempt used",
};

const withoutStatus = (status: number) =>
  failureMessage(`http-${status}` as HttpCode).replace(/^The receiver answered \d+\. /, "");

test("every attempt code is listed with its message", () => {
  assert.deepEqual(
    table(troubleshooting, "Code", "Result"),
    Object.entries(failures).map(([code, { kind, message }]) => [code, results[kind], message]),
  );
});

test("every response status is listed with its result and advice", () => {
  const rows = new Map(
    table(reference, "Response", "Result").map(([response = "", ...rest]) => [response, rest]),
  );
  const used = new Set<string>();
  for (let status = 0; status <= 999; status++) {
    const digit = Math.floor(status / 100);
    const names = [`${status}`, `${digit}xx`, `other ${digit}xx`, "any other number"];
    const name = names.find((each) => rows.has(each)) ?? assert.fail(`${status} has no row`);
    used.add(name);
    const { kind } = outcomeOf({ kind: "answered", status }, undefined, 0);
    const [means, advice] = rows.get(name) ?? [];
    assert.equal(means, results[kind], `${status}`);
    if (kind !== "delivered") assert.equal(advice, withoutStatus(status), `${status}`);
  }
  assert.deepEqual([...used].sort(), [...rows.keys()].sort());
});

test("the retry schedule matches the code", () => {
  const waits = webhookLimits.productionWaitsMs.map((ms, index) => [
    `${index + 1}`,
    ms === 0 ? "at once" : inWords(ms),
  ]);
  assert.deepEqual(table(reference, "Attempt", "Time after"), waits);
});

test("every suppression reason is listed with its meaning and next step", () => {
  const rows = table(reference, "Suppression reason");
  assert.deepEqual(
    rows.map(([reason, sentence]) => [reason, sentence]),
    Object.entries(suppressionReasons),
  );
  for (const [reason = "", , advice = ""] of rows) assert.match(advice, /^[A-Z].*\.$/, reason);
});

test("the limits match the code", () => {
  const lines = reference.slice(reference.indexOf("### Limits")).split("\n");
  const said = lines.filter((line) => line.startsWith("| ")).slice(1, 10);
  const { attemptMsMax, answerHeaderBytesMax, answerBodyBytesMax, snapshotBytesMax } =
    webhookLimits;
  const { retryAfterMsMax, controlMessageMs, secretOverlapMs, retentionMs } = webhookLimits;
  assert.deepEqual(
    said.map((line) => line.split(" | ").at(-1)?.replace(" |", "")),
    [
      inWords(attemptMsMax),
      inKiB(answerHeaderBytesMax),
      String(webhookLimits.interimAnswersMax),
      inKiB(answerBodyBytesMax),
      inKiB(snapshotBytesMax),
      inWords(retryAfterMsMax),
      inWords(controlMessageMs),
      inWords(secretOverlapMs),
      `${retentionMs / DAY} days`,
    ],
  );
});

test("the latency buckets match the code", () => {
  const [below, above] = [(ms: number) => ms < SECOND, (ms: number) => ms >= SECOND].map((holds) =>
    webhookLimits.latencyBoundsMs.filter(holds),
  );
  const seconds = above?.map((ms) => ms / SECOND);
  const steps = `${below?.join(", ")} ms, ${seconds?.slice(0, -1).join(", ")} and ${seconds?.at(-1)} s`;
  assert.ok(reference.includes(steps), steps);
});

const inKiB = (bytes: number) => `${bytes / 1_024} KiB`;

function inWords(ms: number): string {
  const units = [
    [HOUR, "hour"],
    [MINUTE, "minute"],
    [SECOND, "second"],
  ] as const;
  const [unit, name] = units.find(([each]) => ms % each === 0) ?? [SECOND, "second"];
  return `${ms / unit} ${name}${ms === unit ? "" : "s"}`;
}

test("the example signature is valid", () => {
  const [secret, id, timestamp, body, signature] = /\| Secret \|.*?\n\n/s
    .exec(receivers)?.[0]
    .split("\n")
    .map((line) => /`([^`]+)`[^`]*\|$/.exec(line)?.[1] ?? "") ?? [""];
  const signed = SigningSecret.parse(secret ?? "")?.sign(`${id}.${timestamp}.`, body ?? "");
  assert.equal(`v1,${signed}`, signature);
});

test("the example messages equal the bodies that the service builds", () => {
  const { data, meta } = eventMessage;
  const told = data.attributes as Record<string, never>;
  const { account, subject, actor } = data.relationships as Record<string, Linkage>;
  const event = productionBody(
    {
      id: data.id,
      accountId: account?.data.id ?? "",
      eventType: told["event-type"] ?? "",
      occurredAt: told["occurred-at"] ?? "",
      cause: told["cause"] ?? "",
      batchId: null,
      changedFields: told["changed-fields"] ?? null,
      subjectType: subject?.data.type ?? "",
      subjectId: subject?.data.id ?? "",
      actorId: actor?.data.id ?? "",
      snapshot: JSON.stringify(told["snapshot"]),
      snapshotBytes: told["truncation"]?.["original-bytes"] ?? 0,
      omittedFields: [],
      merge: null,
    },
    { deliveryId: meta["delivery-id"], attempt: 1 },
  );
  assert.equal(JSON.stringify(eventMessage), event.toString());

  for (const message of [verificationMessage, testMessage]) {
    const { attributes, id } = message.data;
    const body = controlBody(
      {
        id,
        controlType: String(attributes["control-type"]),
        createdAt: String(attributes["created-at"]),
        expiresAt: String(attributes["expires-at"]),
        destinationVersion: 1,
        verificationGeneration: 1,
        challenge: (attributes["challenge"] as string | undefined) ?? null,
      },
      { deliveryId: message.meta["delivery-id"], kind: message.meta["delivery-kind"], attempt: 1 },
    );
    assert.equal(JSON.stringify(message), body.toString());
  }
});

interface Linkage {
  data: { type: string; id: string };
}

test("the example messages parse, and the example response returns the challenge", () => {
  for (const message of [eventMessage, verificationMessage, testMessage])
    assert.ok(readMessage(Buffer.from(JSON.stringify(message))), message.meta["delivery-kind"]);
  const { challenge } = verificationMessage.data.attributes;
  assert.deepEqual(challengeAnswer, { meta: { challenge } });
  const { "created-at": created, "expires-at": expires } = verificationMessage.data.attributes;
  const lifetime = Date.parse(String(expires)) - Date.parse(String(created));
  assert.equal(lifetime, webhookLimits.controlMessageMs);
});

test("the quoted code is part of the example receiver", async () => {
  const receiver = await readFile(
    new URL("../../examples/receiver/receiver.mjs", import.meta.url),
    "utf8",
  );
  const quoted = fenced(receivers, "js").filter((text) => !text.startsWith("import"));
  assert.equal(quoted.length, 2);
  for (const text of quoted) assert.ok(receiver.includes(text), text);
});
