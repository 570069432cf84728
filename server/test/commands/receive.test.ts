import assert from "node:assert/strict";
import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { MINUTE } from "../../src/base/clock.ts";
import { makeAuthority } from "../../src/cli/receive/certificates.ts";
import { spawnVestry, textOf, vestry } from "../support/command.ts";
import { freePort } from "../../src/store/embedded.ts";
import {
  eventMessage,
  newSecret,
  startPosting,
  testMessage,
  verificationMessage,
} from "../support/messages.ts";

const dataDir = await mkdtemp(join(tmpdir(), "vestry-receive-"));
const file = (name: string) => join(dataDir, "receiver", name);
const port = await freePort();
const env = { DATA_DIR: dataDir, PORT: "8081" };
const args = ["receive", "--port", String(port)];
const url = `https://127.0.0.1:${port}/`;

const [secret, next, unknown] = [newSecret(), newSecret(), newSecret()];
const running = new Set<ChildProcess>();
after(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the receiver and resolves when it has printed its instructions. */
async function receive(...more: string[]) {
  const child = spawnVestry([...args, ...more], env);
  running.add(child);
  const ended = once(child, "exit").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  const linesOf = (stream: NodeJS.ReadableStream | null) =>
    createInterface({ input: stream ?? assert.fail() })[Symbol.asyncIterator]();
  const [said, printed] = [linesOf(child.stderr), linesOf(child.stdout)];
  const nextOf = async (lines: typeof said): Promise<string> => {
    const { value, done } = await lines.next();
    return done ? assert.fail("it has ended") : value;
  };
  const steps: string[] = [];
  for (let step = ""; !/^curl .*\/v1\/courses/.test(step); steps.push(step))
    step = await nextOf(said);
  await nextOf(said);

  const posting = startPosting(await readFile(file("authority.pem"), "utf8"));
  return {
    child,
    ended,
    steps,
    said: () => nextOf(said),
    printed: () => nextOf(printed),
    json: async () => JSON.parse(await nextOf(printed)),
    deliver: posting.deliver,
    type: (line: string) => child.stdin?.write(`${line}\n`),
    stop: async () => {
      posting.stop();
      child.kill("SIGTERM");
      assert.equal(await ended, 0);
    },
  };
}

test("it creates the file that WEBHOOK_CA_FILE names; every other command reports the missing file and names vestry receive", async () => {
  const settings = { ...env, WEBHOOK_CA_FILE: file("authority.pem") };
  for (const command of [["accounts", "list"], ["keys", "list"], ["doctor"], ["serve"]]) {
    const { status, stderr, stdout } = await vestry(command, { env: settings });
    assert.equal(status, 1, command.join(" "));
    assert.match(stdout + stderr, /WEBHOOK_CA_FILE .*authority\.pem.* npx vestry receive/);
  }
  const child = spawnVestry(args, settings);
  running.add(child);
  await once(child.stderr ?? assert.fail(), "data");
  assert.ok(new X509Certificate(await readFile(file("authority.pem"))).ca);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("it prints the settings and the lines to paste for this service and this receiver", async () => {
  const { steps, stop } = await receive();
  assert.ok(steps.includes("WEBHOOK_ALLOW_NETWORKS=127.0.0.0/8"));
  assert.ok(steps.includes(`WEBHOOK_CA_FILE=${file("authority.pem")}`));
  const lines = steps.filter((step) => /^(LOGIN|TOKEN|curl)/.test(step));
  assert.equal(lines.length, 4);
  for (const line of lines.slice(1)) assert.ok(line.includes("http://localhost:8081/"), line);
  // Run by a shell in which curl prints the body of each request.
  const sent = await promisify(execFile)("bash", [
    "-c",
    ['curl() { printf "%s\\n" "${@: -1}"; }', ...lines, 'echo "$LOGIN"'].join("\n"),
  ]);
  const [endpoint, course, login] = sent.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(endpoint.data.type, "webhook-endpoints");
  assert.equal(endpoint.data.attributes.url, url);
  assert.ok(endpoint.data.attributes.events.includes("course.created"));
  assert.equal(course.data.type, "courses");
  assert.equal(login.account, "demo");
  await stop();
});

test("the pasted log-in line prints the answer when log-in fails", async () => {
  const { steps, stop } = await receive();
  const [, logIn = ""] = steps.filter((step) => /^(LOGIN|TOKEN)/.test(step));
  const shell = (answer: string) => [`curl() { echo '${answer}'; }`, logIn, 'echo "token=$TOKEN"'];
  const paste = (answer: string) => promisify(execFile)("bash", ["-c", shell(answer).join("\n")]);
  assert.deepEqual(await paste('{"access_token":"abc","token_type":"Bearer"}'), {
    stdout: "token=abc\n",
    stderr: "",
  });
  const failed = '{"errors":[{"code":"login-failed"}]}';
  assert.deepEqual(await paste(failed), { stdout: "token=\n", stderr: `${failed}\n` });
  await stop();
});

test("signatures are checked once a secret has been entered; verifications are answered before", async () => {
  const { deliver, printed, type, said, stop } = await receive();
  const challenge = verificationMessage.data.attributes["challenge"];
  const verified = await deliver(url, verificationMessage, { secrets: { current: secret } });
  assert.deepEqual(verified, { status: 200, body: { meta: { challenge } } });
  assert.match(await printed(), /^\d\d:\d\d:\d\d {2}webhook\.verification$/);
  assert.match(await printed(), /verification, attempt 1 of delivery [\w-]+, Webhook-Id [\w-]+$/);
  assert.match(await printed(), /challenge/);
  assert.match(await printed(), /signature not checked/);
  assert.match(await printed(), /answered 200/);
  assert.equal(await printed(), "");

  type("");
  type("whsec_no");
  assert.match(await said(), /whsec_/);
  type(secret.revealOnce());
  assert.match(await said(), /signatures/);
  assert.equal((await deliver(url, eventMessage, { secrets: { current: secret } })).status, 200);
  assert.match(await printed(), /person\.updated · people [\w-]+$/);
  assert.match(await printed(), /production, attempt 1/);
  assert.match(await printed(), /changed: email, custom-properties\.shirt-size/);
  assert.match(await printed(), /signature ok/);
  while ((await printed()) !== "");

  const refused = await deliver(url, verificationMessage, { secrets: { current: unknown } });
  assert.equal(refused.status, 401);
  const lines: string[] = [];
  while (lines.at(-1) !== "") lines.push(await printed());
  assert.doesNotMatch(lines.join("\n"), /challenge/);
  assert.match(lines.join("\n"), /SIGNATURE WRONG[^]*answered 401/);
  await stop();
});

test("--json prints an object per message: signed, wrongly signed, too old, and during a rotation", async () => {
  const { deliver, json, type, said, stop } = await receive("--json");
  type(secret.revealOnce());
  await said();
  const outcome = async (secrets: Parameters<typeof deliver>[2]["secrets"], at = Date.now()) => {
    const { status } = await deliver(url, eventMessage, { secrets, at });
    const { signature, answered } = await json();
    assert.equal(answered, status);
    return [signature, status];
  };
  assert.deepEqual(await outcome({ current: secret }), ["ok", 200]);
  assert.deepEqual(await outcome({ current: unknown }), ["wrong", 401]);
  assert.deepEqual(await outcome({ current: secret }, Date.now() - 6 * MINUTE), ["wrong", 401]);
  assert.deepEqual(await outcome({ current: next, previous: secret }), ["ok", 200]);
  type(next.revealOnce());
  await said();
  assert.deepEqual(await outcome({ current: next }), ["ok", 200]);
  assert.deepEqual(await outcome({ current: secret }), ["ok", 200]);

  await deliver(url, testMessage, { secrets: { current: secret } });
  const { "received-at": at, "duration-ms": ms, document, ...rest } = await json();
  assert.ok(Date.parse(at) <= Date.now() && ms >= 0);
  assert.deepEqual(document, testMessage);
  assert.deepEqual(rest, {
    "kind": "test",
    "type": "webhook.test",
    "webhook-id": testMessage.data.id,
    "delivery-id": testMessage.meta["delivery-id"],
    "attempt": 1,
    "signature": "ok",
    "changed-fields": null,
    "answered": 200,
  });
  await stop();
});

test("--answer and --delay apply to events and not to verifications", async () => {
  const { deliver, json, stop } = await receive("--json", "--answer=503", "--delay=1ms");
  const secrets = { current: secret };
  assert.equal((await deliver(url, eventMessage, { secrets })).status, 503);
  assert.equal((await json()).answered, 503);
  assert.equal((await deliver(url, verificationMessage, { secrets })).status, 200);
  await stop();
});

/** Sends a request that the service would not send. */
async function ask(method: string, body: Buffer): Promise<{ status: number; allow: unknown }> {
  const ca = await readFile(file("authority.pem"), "utf8");
  const sent = request(url, { method, ca, agent: false });
  sent.end(body);
  const [answer] = await once(sent, "response");
  answer.resume();
  await once(answer, "close");
  return { status: answer.statusCode, allow: answer.headers.allow };
}

test("it rejects other methods than POST and bodies over 128 KiB", async () => {
  const { stop } = await receive();
  assert.deepEqual(await ask("PUT", Buffer.from("{}")), { status: 405, allow: "POST" });
  const largest = Buffer.alloc(128 * 1_024, " ");
  assert.equal((await ask("POST", largest)).status, 400);
  assert.equal((await ask("POST", Buffer.concat([largest, Buffer.from(" ")]))).status, 413);
  await stop();
});

test("it listens on 127.0.0.1 only", async () => {
  const { stop } = await receive();
  for (const [address, outcome] of [
    ["127.0.0.1", "connected"],
    ["127.0.0.2", "ECONNREFUSED"],
  ] as const) {
    const calling = createConnection(port, address);
    const told = once(calling, "connect").then(
      () => "connected",
      (error: NodeJS.ErrnoException) => error.code,
    );
    assert.equal(await told, outcome);
    calling.destroy();
  }
  await stop();
});

test("the last two secrets that were entered are valid", async () => {
  const { deliver, json, type, said, stop } = await receive("--json");
  for (const each of [secret, next, unknown]) {
    type(each.revealOnce());
    await said();
  }
  const signatures: unknown[] = [];
  for (const current of [secret, next, unknown]) {
    await deliver(url, eventMessage, { secrets: { current } });
    signatures.push((await json()).signature);
  }
  assert.deepEqual(signatures, ["wrong", "ok", "ok"]);
  await stop();
});

test("it reports when the service hangs up before the answer", async () => {
  const { deliver, printed, stop } = await receive("--delay", "2m");
  const options = { secrets: { current: secret }, timeoutMs: 1_500 };
  assert.equal((await deliver(url, eventMessage, options)).status, "timeout");
  const lines: string[] = [];
  while (!/hung up/.test(lines.at(-1) ?? "")) lines.push(await printed());
  assert.match(lines.join("\n"), /answers 200 after 120 s/);
  assert.match(lines.at(-1) ?? "", /hung up on delivery [\w-]+ after \d\.\d s/);
  await stop();
});

test("foreign messages are rejected and cannot control the terminal", async () => {
  const { deliver, printed, stop } = await receive();
  const secrets = { current: secret };
  const { meta } = eventMessage;
  const stray = { data: { id: "x", attributes: {} }, meta: { ...meta, attempt: 0.5 } };
  assert.equal((await deliver(url, stray, { secrets })).status, 400);
  assert.match(await printed(), /Not a .*message/);
  while ((await printed()) !== "");
  const attributes = { "event-type": "person.created\u001b[2J\u202e" };
  const nasty = { data: { id: "evt-1", attributes }, meta };
  assert.equal((await deliver(url, nasty, { secrets })).status, 200);
  assert.match(await printed(), /person\.created\ufffd\[2J\ufffd$/);
  await stop();
});

test("the certificate is created once, readable by its owner only, and replaced when it is no longer valid", async () => {
  const [authority, identity] = [file("authority.pem"), file("receiver.pem")];
  const before = await readFile(identity, "utf8");
  await (await receive()).stop();
  assert.equal(await readFile(identity, "utf8"), before);
  assert.equal((await stat(identity)).mode & 0o777, 0o600);
  const certificate = new X509Certificate(before);
  for (const name of ["127.0.0.1", "::1"]) assert.equal(certificate.checkIP(name), name);
  assert.equal(certificate.checkHost("localhost"), "localhost");

  // The private key of the authority is not kept.
  const vouched = await readFile(authority, "utf8");
  assert.doesNotMatch(vouched, /PRIVATE/);
  assert.equal(before.match(/BEGIN PRIVATE KEY/g)?.length, 1);
  assert.ok(certificate.checkPrivateKey(createPrivateKey(before)));

  const old = makeAuthority("old", { from: -9, to: 1 });
  const { cert, key } = old.issue(["127.0.0.1"]);
  for (const [vouching, text] of [
    [makeAuthority("another").cert, before],
    [old.cert, key + cert],
    [vouched, key + certificate.toString()],
    ["", ""],
  ] as const) {
    await writeFile(authority, vouching);
    await writeFile(identity, text);
    const { deliver, stop } = await receive();
    assert.equal((await deliver(url, eventMessage, { secrets: { current: secret } })).status, 200);
    await stop();
    assert.notEqual(await readFile(identity, "utf8"), text);
  }
});

test("a secret can come from a file by standard input, and is never printed", async () => {
  const child = spawnVestry(args, env);
  running.add(child);
  child.stdin?.end(secret.revealOnce());
  const stdout = textOf(child.stdout);
  const stderr: string[] = [];
  for await (const line of createInterface({ input: child.stderr ?? assert.fail() })) {
    stderr.push(line);
    if (line.startsWith("Checking signatures")) child.kill("SIGINT");
  }
  assert.equal(await new Promise((resolve) => child.once("close", resolve)), 0);
  const all = (await stdout) + stderr.join("\n");
  assert.ok(!all.includes(secret.revealOnce().slice(6)));
});

test("a port in use, an unusable data directory and invalid options are named", async () => {
  const { stop } = await receive();
  const taken = await vestry([...args, "--json"], { env });
  assert.equal(taken.status, 1);
  assert.match(taken.stdout, new RegExp(`port-unavailable.*Port ${port} is already in use`));
  await stop();
  const below = { ...env, DATA_DIR: "package.json/data" };
  const nowhere = await vestry([...args, "--json"], { env: below });
  assert.match(nowhere.stdout, /data-directory-unusable.*package\.json is not a directory/);
  for (const wrong of [
    ["--answer=99"],
    ["--answer=600"],
    ["--delay=12"],
    ["--delay=2h"],
    ["--port=70000"],
  ]) {
    const { status, stderr } = await vestry(["receive", ...wrong], { env });
    assert.equal(status, 2);
    assert.ok(stderr.includes(wrong[0]?.split("=")[0] ?? ""), stderr);
  }
});
