import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { MINUTE } from "../../src/base/clock.ts";
import { textOf } from "../support/command.ts";
import {
  type DeliverOptions,
  eventMessage,
  type MessageDocument,
  newSecret,
  startPosting,
  testMessage,
  verificationMessage,
} from "../support/messages.ts";
import { goodCertificate, testAuthority } from "../support/receiver.ts";

/** Sends messages of the service to examples/receiver/receiver.mjs in its own process. */

const script = fileURLToPath(new URL("../../../examples/receiver/receiver.mjs", import.meta.url));
const directory = await mkdtemp(join(tmpdir(), "vestry-receiver-"));
const [certificateFile, keyFile, secretsFile, inboxFile] = ["cert", "key", "secrets", "inbox"].map(
  (name) => join(directory, name),
) as [string, string, string, string];
const { cert, key } = goodCertificate();
await writeFile(certificateFile, cert);
await writeFile(keyFile, key);

const [secret, next] = [newSecret(), newSecret()];
const posting = startPosting(testAuthority().cert);
const running = new Set<ChildProcess>();
after(async () => {
  posting.stop();
  for (const child of running) child.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true });
});

/** Resolves when the receiver has printed its address. */
async function start() {
  const child = spawn(process.execPath, [script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      CERTIFICATE_FILE: certificateFile,
      KEY_FILE: keyFile,
      SECRETS_FILE: secretsFile,
      INBOX_FILE: inboxFile,
      HOST: "127.0.0.1",
      PORT: "0",
    },
  });
  running.add(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  const [, port] = /port (\d+)/.exec(await line()) ?? [];
  const url = `https://127.0.0.1:${port}/webhooks`;
  return {
    url,
    /** The next line about a processed event. */
    worked: line,
    deliver: (document: MessageDocument, options: Partial<DeliverOptions> = {}) =>
      posting.deliver(url, document, { secrets: { current: secret }, ...options }),
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
      running.delete(child);
    },
  };
}

const again = (document: MessageDocument, id: string): MessageDocument => ({
  data: { ...document.data, id },
  meta: { ...document.meta, attempt: 2 },
});

let receiver = await start();

test("without a secret, the receiver requests a retry", async () => {
  assert.equal((await receiver.deliver(verificationMessage)).status, 503);
  await writeFile(secretsFile, `${secret.revealOnce()}\n`);
});

test("a verification gets its challenge back", async () => {
  const { challenge } = verificationMessage.data.attributes;
  assert.deepEqual(await receiver.deliver(verificationMessage), {
    status: 200,
    body: { meta: { challenge } },
  });
});

test("an event is acknowledged and then processed", async () => {
  assert.deepEqual(await receiver.deliver(eventMessage), { status: 204, body: undefined });
  assert.match(await receiver.worked(), /^person\.updated /);
});

test("a repeated event is acknowledged but not processed again, even after the receiver was killed", async () => {
  const same = () => receiver.deliver(again(eventMessage, eventMessage.data.id));
  assert.equal((await same()).status, 204);
  await receiver.kill();
  receiver = await start();
  assert.equal((await same()).status, 204);
  // The following event is processed next.
  assert.equal((await receiver.deliver(testMessage)).status, 204);
  assert.match(await receiver.worked(), /^webhook\.test This is a webhook test delivery/);
});

test("a stored event is processed after a crash", async () => {
  // After the restart, the receiver has processed the stored event.
  await receiver.deliver(testMessage);
  await receiver.kill();
  const inbox = new DatabaseSync(inboxFile);
  inbox
    .prepare("insert into messages values ('evt-kept', ?, 'waiting', unixepoch())")
    .run(JSON.stringify(eventMessage));
  inbox.close();
  receiver = await start();
  assert.match(await receiver.worked(), /^person\.updated /);
});

test("a message with another secret or an old timestamp is rejected", async () => {
  const other = again(eventMessage, "evt-never-kept");
  const at = Date.now() - 6 * MINUTE;
  assert.equal((await receiver.deliver(other, { secrets: { current: next } })).status, 401);
  assert.equal((await receiver.deliver(other, { at })).status, 401);
  assert.equal((await receiver.deliver(other)).status, 204);
  assert.match(await receiver.worked(), /^person\.updated /);
});

test("during a rotation, either secret verifies", async () => {
  const both = { current: next, previous: secret };
  assert.equal((await receiver.deliver(testMessage, { secrets: both })).status, 204);
  assert.equal((await receiver.deliver(testMessage, { secrets: { current: next } })).status, 401);
  await writeFile(secretsFile, `${next.revealOnce()}\n${secret.revealOnce()}\n`);
  assert.equal((await receiver.deliver(testMessage, { secrets: { current: next } })).status, 204);
  assert.equal((await receiver.deliver(testMessage)).status, 204);
});

test("a body larger than any message is rejected", async () => {
  const large = again(eventMessage, "evt-large");
  large.data.attributes = { ...large.data.attributes, more: "x".repeat(200_000) };
  const { status } = await receiver.deliver(large);
  // The response may arrive while the body is still being sent.
  assert.ok(status === 413 || status === "connection-reset", String(status));
});

test("an event that cannot be stored gets an error status and is sent again", async () => {
  const message = again(eventMessage, "evt-busy");
  const inbox = new DatabaseSync(inboxFile);
  inbox.exec("begin exclusive");
  assert.equal((await receiver.deliver(message)).status, 500);
  inbox.exec("rollback");
  inbox.close();
  assert.equal((await receiver.deliver(message)).status, 204);
  assert.match(await receiver.worked(), /^person\.updated /);
});

test("an event that cannot be processed is kept and retried at the next start", async () => {
  const { attributes, id } = again(eventMessage, "evt-hard").data;
  const hard = { ...eventMessage, data: { type: "webhook-events", id, attributes } };
  assert.equal((await receiver.deliver(hard)).status, 204);
  // Later events are still processed.
  assert.equal((await receiver.deliver(again(testMessage, "ctl-after"))).status, 204);
  assert.match(await receiver.worked(), /^webhook\.test /);
  await receiver.kill();
  const inbox = new DatabaseSync(inboxFile);
  const kept = inbox.prepare("select state, body from messages where id = ?").get(id);
  assert.equal(kept?.["state"], "failed");
  assert.deepEqual(JSON.parse(String(kept?.["body"])), hard);
  // The restart stands for a corrected `handle`.
  inbox.prepare("update messages set body = ? where id = ?").run(JSON.stringify(eventMessage), id);
  inbox.close();
  receiver = await start();
  assert.match(await receiver.worked(), /^person\.updated /);
});

test("only the id of a processed event is kept, as long as the event can be sent again", async () => {
  await receiver.deliver(testMessage);
  await receiver.kill();
  const inbox = new DatabaseSync(inboxFile);
  const bodies = inbox
    .prepare("select count(*) as all_of, count(body) as whole from messages")
    .get();
  assert.ok(Number(bodies?.["all_of"]) > 5);
  assert.equal(bodies?.["whole"], 0);
  for (const days of [30, 32])
    inbox
      .prepare("insert into messages values (?, null, 'done', unixepoch() - ? * 86400)")
      .run(`evt-of-${days}-days`, days);
  inbox.close();
  receiver = await start();
  const after = new DatabaseSync(inboxFile);
  const old = after.prepare("select id from messages where id like 'evt-of-%'").all();
  after.close();
  assert.deepEqual(
    old.map(({ id }) => id),
    ["evt-of-30-days"],
  );
});

test("the receiver accepts only POST and listens only on its HOST", async () => {
  const call = async (address: string) => {
    const sent = request(receiver.url, {
      hostname: address,
      ca: testAuthority().cert,
      agent: false,
    });
    sent.end();
    return once(sent, "response").then(
      ([answer]) => {
        answer.resume();
        return [answer.statusCode, answer.headers.allow];
      },
      (error: NodeJS.ErrnoException) => error.code,
    );
  };
  assert.deepEqual(await call("127.0.0.1"), [405, "POST"]);
  assert.equal(await call("127.0.0.2"), "ECONNREFUSED");
});

test("the receiver names its missing settings and exits", async () => {
  const child = spawn(process.execPath, [script], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { KEY_FILE: keyFile, INBOX_FILE: "" },
  });
  const [said, [status]] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
  assert.equal(status, 1);
  assert.match(said, /^Set CERTIFICATE_FILE, SECRETS_FILE, INBOX_FILE first\. .*\n$/);
});
