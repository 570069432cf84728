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
import { suppressionReasons } from "../src/webhooks/endpoints/suppression.ts";
import {
  challengeAnswer,
  eventMessage,
  fenced,
  testMessage,
  verificationMessage,
  webhooksPage,
} from "./support/messages.ts";

/** docs/webhooks.md, for people who write receivers, says what the code does. */

/** The rows of the table with this heading, cell by cell, without the marks of code. */
function table(...heading: string[]): string[][] {
  const lines = webhooksPage.split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${heading.join(" | ")}`));
  assert.ok(at >= 0, `there is a table with ${heading.join(", ")}`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("|"));
  return lines.slice(at + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.replaceAll("`", "").trim()),
  );
}

/** What becomes of a delivery, in the page's words. */
const becomes: Readonly<Record<Outcome["kind"], string>> = {
  delivered: "delivered",
  retryable: "sent again",
  permanent: "failed for good",
  refused: "suppressed, and the endpoint is paused",
  system: "sent again; no attempt is used",
};

const withoutStatus = (status: number) =>
  failureMessage(`http-${status}` as HttpCode).replace(/^The receiver answered \d+\. /, "");

test("the codes of attempts are all there, in their words", () => {
  assert.deepEqual(
    table("Code", "What becomes"),
    Object.entries(failures).map(([code, { kind, message }]) => [code, becomes[kind], message]),
  );
});

test("whatever a receiver answers is in the table of answers, with what becomes of it and the same advice", () => {
  const rows = new Map(
    table("Answer", "What becomes").map(([answer = "", ...rest]) => [answer, rest]),
  );
  const used = new Set<string>();
  for (let status = 0; status <= 999; status++) {
    const digit = Math.floor(status / 100);
    const names = [`${status}`, `${digit}xx`, `other ${digit}xx`, "any other number"];
    const name = names.find((each) => rows.has(each)) ?? assert.fail(`${status} has no row`);
    used.add(name);
    const { kind } = outcomeOf({ kind: "answered", status }, undefined, 0);
    const [means, advice] = rows.get(name) ?? [];
    assert.equal(means, becomes[kind], `${status}`);
    if (kind !== "delivered") assert.equal(advice, withoutStatus(status), `${status}`);
  }
  assert.deepEqual([...used].sort(), [...rows.keys()].sort());
});

test("the attempts come when the schedule says", () => {
  const waits = webhookLimits.productionWaitsMs.map((ms, index) => [
    `${index + 1}`,
    ms === 0 ? "at once" : inWords(ms),
  ]);
  assert.deepEqual(table("Attempt", "Time after"), waits);
});

test("the suppression reasons are all there, in their words, each with what to do", () => {
  const rows = table("Suppression reason");
  assert.deepEqual(
    rows.map(([reason, sentence]) => [reason, sentence]),
    Object.entries(suppressionReasons),
  );
  for (const [reason = "", , advice = ""] of rows) assert.match(advice, /^[A-Z].*\.$/, reason);
});

test("the limits are the code's", () => {
  const lines = webhooksPage.slice(webhooksPage.indexOf("### Limits")).split("\n");
  const said = lines.filter((line) => line.startsWith("| ")).slice(1, 9);
  const { attemptMsMax, answerHeaderBytesMax, answerBodyBytesMax, snapshotBytesMax } =
    webhookLimits;
  const { retryAfterMsMax, controlMessageMs, secretOverlapMs, retentionMs } = webhookLimits;
  assert.deepEqual(
    said.map((line) => line.split(" | ").at(-1)?.replace(" |", "")),
    [
      inWords(attemptMsMax),
      inKiB(answerHeaderBytesMax),
      inKiB(answerBodyBytesMax),
      inKiB(snapshotBytesMax),
      inWords(retryAfterMsMax),
      inWords(controlMessageMs),
      inWords(secretOverlapMs),
      `${retentionMs / DAY} days`,
    ],
  );
});

test("the steps in which latencies are counted are the code's", () => {
  const [below, above] = [(ms: number) => ms < SECOND, (ms: number) => ms >= SECOND].map((holds) =>
    webhookLimits.latencyBoundsMs.filter(holds),
  );
  const seconds = above?.map((ms) => ms / SECOND);
  const steps = `${below?.join(", ")} ms, ${seconds?.slice(0, -1).join(", ")} and ${seconds?.at(-1)} s`;
  assert.ok(webhooksPage.includes(steps), steps);
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

test("the example of a signature is signed as it says", () => {
  const [secret, id, timestamp, body, signature] = /\| Secret \|.*?\n\n/s
    .exec(webhooksPage)?.[0]
    .split("\n")
    .map((line) => /`([^`]+)`[^`]*\|$/.exec(line)?.[1] ?? "") ?? [""];
  const signed = SigningSecret.parse(secret ?? "")?.sign(`${id}.${timestamp}.`, body ?? "");
  assert.equal(`v1,${signed}`, signature);
});

test("the messages shown are what the service writes, word for word", () => {
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

test("the messages shown can be read, and the answer to the verification is its challenge", () => {
  for (const message of [eventMessage, verificationMessage, testMessage])
    assert.ok(readMessage(Buffer.from(JSON.stringify(message))), message.meta["delivery-kind"]);
  const { challenge } = verificationMessage.data.attributes;
  assert.deepEqual(challengeAnswer, { meta: { challenge } });
  const { "created-at": created, "expires-at": expires } = verificationMessage.data.attributes;
  const lifetime = Date.parse(String(expires)) - Date.parse(String(created));
  assert.equal(lifetime, webhookLimits.controlMessageMs);
});

test("what is quoted from the example receiver stands in it", async () => {
  const receiver = await readFile(
    new URL("../../examples/receiver/receiver.mjs", import.meta.url),
    "utf8",
  );
  const quoted = fenced("js").filter((text) => !text.startsWith("import"));
  assert.equal(quoted.length, 2);
  for (const text of quoted) assert.ok(receiver.includes(text), text);
});

test("links within the page lead somewhere", () => {
  const headings = [...webhooksPage.matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
  for (const [, anchor = ""] of webhooksPage.matchAll(/\(#([^)]+)\)/g))
    assert.ok(headings.includes(anchor), anchor);
});
