import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { setImmediate as turn } from "node:timers/promises";
import { textOf } from "./support/command.ts";

/** `npm start` before anything is installed: the launcher in a repository of its own, with an npm that is none. */

const bin = fileURLToPath(new URL("../bin/", import.meta.url));
const directory = await mkdtemp(join(tmpdir(), "vestry-launch-"));
const running = new Set<ChildProcess>();
after(async () => {
  for (const child of running) child.kill("SIGKILL");
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
});

const locked = (version: string) => ({
  packages: {
    "": {},
    "node_modules/needed": { version },
    "node_modules/for-tests": { version: "1.0.0", dev: true },
    "node_modules/of-another-system": { version: "1.0.0", optional: true },
  },
});

/** Writes down how it was called, does as it is told in `npm-does`, and leaves what npm leaves. */
const npm = `
  const { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync } = require("node:fs");
  appendFileSync("npm-calls", process.argv.slice(2).join(" ") + "\\n");
  const told = existsSync("npm-does") ? readFileSync("npm-does", "utf8") : "";
  if (told.startsWith("fail")) {
    console.error(told.slice(5));
    process.exit(1);
  }
  while (told === "wait" && !existsSync("go"));
  mkdirSync("node_modules", { recursive: true });
  copyFileSync("package-lock.json", "node_modules/.package-lock.json");`;

const script = `
  console.log(process.argv.slice(2).join(" "));
  process.exitCode = 3;`;

let made = 0;
async function repository() {
  const root = join(directory, String(++made));
  await cp(bin, join(root, "server/bin"), { recursive: true });
  await mkdir(join(root, "server/test"));
  const at = (path: string) => join(root, path);
  const write = (path: string, text: string) => writeFile(at(path), text);
  await write("package.json", JSON.stringify({ type: "module" }));
  await write("package-lock.json", JSON.stringify(locked("1.0.0")));
  await mkdir(at("npm"));
  await write("npm/package.json", "{}");
  await write("npm/npm-cli.js", npm);
  await write("script.ts", script);
  await write("server/test/script.ts", script);

  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [at("server/bin/launch.mjs"), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        npm_execpath: at("npm/npm-cli.js"),
        NODE_COMPILE_CACHE: join(directory, "compiled"),
      },
    });
    running.add(child);
    const ended = once(child, "close").then(([code, signal]) => {
      running.delete(child);
      return (code ?? signal) as number | string;
    });
    return { child, ended, stdout: textOf(child.stdout), stderr: textOf(child.stderr) };
  };
  const run = async (...args: string[]) => {
    const { ended, stderr, stdout } = start(...args);
    return { status: await ended, stdout: await stdout, stderr: await stderr };
  };
  const calls = async () =>
    existsSync(at("npm-calls"))
      ? (await readFile(at("npm-calls"), "utf8")).trim().split("\n").length
      : 0;
  return { at, write, start, run, calls };
}

const INSTALLING = "Installing the packages Vestry needs (once; this may take a minute) …\n";
const done = { status: 3, stdout: "serve --role all\n", stderr: "" };
const command = ["script.ts", "serve", "--role", "all"];

test("the first run installs what is missing and says so, the second installs nothing and says nothing", async () => {
  const { calls, run, write } = await repository();
  assert.deepEqual(await run(...command), { ...done, stderr: INSTALLING });
  assert.deepEqual(await run(...command), done);
  assert.equal(await calls(), 1);
  await write("package-lock.json", JSON.stringify(locked("1.0.1")));
  assert.deepEqual(await run(...command), { ...done, stderr: INSTALLING });
  assert.equal(await calls(), 2);
});

test("what only tests need is installed for tests, and another system's packages for nobody", async () => {
  const { at, calls, run, write } = await repository();
  const { packages } = locked("1.0.0");
  await mkdir(at("node_modules"));
  const present = { "node_modules/needed": packages["node_modules/needed"] };
  await write("node_modules/.package-lock.json", JSON.stringify({ packages: present }));
  assert.deepEqual(await run(...command), done);
  const { stderr } = await run("server/test/script.ts");
  assert.equal(stderr, INSTALLING);
  assert.match(await readFile(at("npm-calls"), "utf8"), /^ci --include=dev /);
  assert.equal(await calls(), 1);
});

test("two that start at once install once: the second one says that it waits", async () => {
  const { calls, start, write } = await repository();
  await write("npm-does", "wait");
  const first = start(...command);
  while ((await calls()) === 0) await turn();
  const second = start(...command);
  await once(second.child.stderr, "data");
  await write("go", "");
  assert.deepEqual([await first.ended, await second.ended], [3, 3]);
  assert.equal(await first.stderr, INSTALLING);
  assert.equal(await second.stderr, "Another command is installing already: waiting for it …\n");
  assert.equal(await calls(), 1);
});

test("a lock that was left behind holds up nobody: of one who is gone, without a name, or older than any installation", async () => {
  const gone = spawn("true");
  await once(gone, "exit");
  for (const [pids, ageMs] of [
    [String(gone.pid), 0],
    [undefined, 6_000],
    [String(process.pid), 11 * 60_000],
  ] as const) {
    const { at, run, write } = await repository();
    await mkdir(at(".runtime/installing"), { recursive: true });
    if (pids !== undefined) await write(".runtime/installing/pids", pids);
    const then = new Date(Date.now() - ageMs);
    await utimes(at(".runtime/installing"), then, then);
    assert.deepEqual(await run(...command), { ...done, stderr: INSTALLING });
    assert.ok(!existsSync(at(".runtime/installing")));
  }
});

test("an installation that fails says why in npm's words and what to do; the next run tries again", async () => {
  const { calls, run, write } = await repository();
  await write("npm-does", "fail npm error code EAI_AGAIN");
  const offline = await run(...command);
  assert.deepEqual([offline.status, offline.stdout], [1, ""]);
  assert.match(
    offline.stderr,
    /EAI_AGAIN\nThe npm registry cannot be reached: connect .*again\.\n$/,
  );
  await write("npm-does", "fail npm error something else");
  assert.match(
    (await run(...command)).stderr,
    /something else\nnpm could not install .*again\.\n$/,
  );
  // What `npm ci` refuses, a lock without some other system's packages, is tried in another way.
  await write("npm-does", "fail npm error code EUSAGE");
  const before = await calls();
  assert.equal((await run(...command)).status, 1);
  assert.equal((await calls()) - before, 2);
  await write("npm-does", "");
  assert.deepEqual(await run(...command), { ...done, stderr: INSTALLING });
});

test("a signal is passed on, and an end is the script's own; a launcher that is killed takes the script along", async () => {
  const { start, write } = await repository();
  await write(
    "script.ts",
    `process.once("SIGTERM", () => {
      console.log("told");
      process.exit(5);
    });
    setInterval(() => undefined, 1_000);
    console.log("ready");`,
  );
  const told = start("script.ts");
  await once(told.child.stdout, "data");
  told.child.kill("SIGTERM");
  assert.deepEqual([await told.ended, await told.stdout], [5, "ready\ntold\n"]);

  const killed = start("script.ts");
  await once(killed.child.stdout, "data");
  killed.child.kill("SIGKILL");
  assert.deepEqual([await killed.ended, await killed.stdout], ["SIGKILL", "ready\ntold\n"]);

  const unheard = start("script.ts");
  await once(unheard.child.stdout, "data");
  unheard.child.kill("SIGHUP");
  assert.equal(await unheard.ended, "SIGHUP");
});
