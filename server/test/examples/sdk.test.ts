import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { messageHeaders } from "../../src/webhooks/engine/sign.ts";
import { startDemo } from "../support/guides.ts";
import { noise } from "../support/images.ts";
import { eventMessage, fenced, newSecret } from "../support/messages.ts";
import { many } from "../support/service.ts";

/** Installs the package of sdk/ in an empty folder, and runs its README and examples/absences there on the demo account. */

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const compiler = join(root, "node_modules/typescript/bin/tsc");

const folder = await mkdtemp(join(tmpdir(), "vestry-sdk-"));
const start = await startDemo({ after });
const login = start.logins[0] ?? assert.fail("no log-in");

before(async () => {
  await run("npm", ["pack", "--pack-destination", folder], {
    cwd: join(root, "sdk"),
    shell: process.platform === "win32",
  });
  const installed = join(folder, "node_modules/@vestry/sdk");
  await mkdir(installed, { recursive: true });
  const [archive = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  await run("tar", ["-xzf", join(folder, archive), "-C", installed, "--strip-components=1"]);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(join(root, "sdk/dist"), { recursive: true, force: true });
});

/** A block of the README as a reader fills it in. */
async function block(index: number): Promise<string> {
  const readme = await readFile(join(root, "sdk/README.md"), "utf8");
  const [open] = many(await start.read("/v1/course-classes?filter[status]=open&sort=name"));
  return (fenced(readme, "ts")[index] ?? assert.fail("no such block"))
    .replace("http://localhost:8080", start.service.url)
    .replace("<client token>", start.clientToken)
    .replace("<password>", login.password)
    .replace("<class id>", open?.id ?? "");
}

/** The errors of the compiler about a file in a new project. */
async function errorsIn(name: string, code: string): Promise<string[]> {
  await writeFile(join(folder, name), code);
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
  const flags = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", ...types];
  const { stdout } = await run(process.execPath, [compiler, ...flags, name], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.split("\n").filter(Boolean);
}

test("the lines of the README compile, and an attribute that was not selected does not", async () => {
  const code = await block(0);
  assert.deepEqual(await errorsIn("readme.ts", code), []);
  const wrong = code.replace('p["full-name"]', 'p["full-name"], p.email');
  const [error = "", ...others] = await errorsIn("wrong.ts", wrong);
  assert.match(error, /Property 'email' does not exist/);
  assert.deepEqual(others, []);
});

test("the lines of the README have the effects that they describe", async () => {
  await writeFile(join(folder, "readme.ts"), await block(0));
  await writeFile(join(folder, "ana.jpg"), await noise(64, 64).jpeg().toBuffer());
  const { stdout } = await run(process.execPath, ["readme.ts"], { cwd: folder });
  assert.match(stdout, /^Ana Beatriz Oliveira \[ 'Family Oliveira' \]$/m);
  assert.match(stdout, /minimum-age/);
  const [ana] = many(await start.read("/v1/people?filter[name]=Ana Souza"));
  assert.equal(ana?.attributes["occupation"], "Baker");
  assert.match(String(ana?.attributes["photo-url"]), /^http/);
});

test("the receiver of the README reads a message of the service", async () => {
  const secret = newSecret();
  const body = JSON.stringify(eventMessage);
  const message = {
    webhookId: eventMessage.data.id,
    deliveryId: eventMessage.meta["delivery-id"],
    body: Buffer.from(body),
  };
  const headers = messageHeaders(message, { current: secret }, Date.now(), "Vestry");
  const given = `const rawBody: string = ${JSON.stringify(body)};
    const headers: Record<string, string> = ${JSON.stringify(headers)};
    const [secret, oldSecret] = [${JSON.stringify(secret.revealOnce())}, undefined];\n`;
  const code = given + (await block(1));
  assert.deepEqual(await errorsIn("receiver.ts", code), []);
  const { stdout } = await run(process.execPath, ["receiver.ts"], { cwd: folder });
  const { snapshot } = eventMessage.data.attributes as {
    snapshot: { attributes: { "full-name": string } };
  };
  assert.equal(stdout, `${snapshot.attributes["full-name"]}\n`);
});

test("in this repository, a condition leads to the source", async () => {
  const code = `console.log(Object.keys(await import("@vestry/sdk")), import.meta.resolve("@vestry/sdk"))`;
  const flags = ["--conditions=@vestry/source", "--input-type=module", "--eval", code];
  const { stdout } = await run(process.execPath, flags, { cwd: join(root, "sdk") });
  assert.match(stdout, /'Vestry'[^]*\/sdk\/src\/index\.ts$/m);
});

test("the example writes one task for each absence, however often it runs", async () => {
  await copyFile(join(root, "examples/absences/absences.mjs"), join(folder, "absences.mjs"));
  const env = {
    VESTRY_URL: start.service.url,
    CLIENT_TOKEN: start.clientToken,
    ACCOUNT: start.alias,
    USERNAME: login.email,
    PASSWORD: login.password,
  };
  const once = () => run(process.execPath, ["absences.mjs"], { cwd: folder, env });
  const { stdout } = await once();
  assert.match(stdout, /^\S.* calls .* \(.*\)\.$/m);
  const notes = many(await start.read("/v1/notes?filter[kind]=Absences"));
  assert.equal(notes.length, stdout.trimEnd().split("\n").length);
  assert.equal((await once()).stdout, "");
  const failed = run(process.execPath, ["absences.mjs"], { cwd: folder, env: {} });
  await assert.rejects(failed, { code: 1, stderr: /^Set VESTRY_URL, .* first\.\n$/ });
});
