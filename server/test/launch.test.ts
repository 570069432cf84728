import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { textOf } from "./support/command.ts";

/** Runs the launcher in a repository of its own, with a script that stands in for npm. */

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

/** Records each call, follows `npm-does`, and leaves behind what `npm ci` leaves behind. It can wait for the end of a connection. */
const npm = `
  const { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } = require("node:fs");
  const { connect } = require("node:net");
  const { join } = require("node:path");
  const root = join(__dirname, "..");
  appendFileSync(join(root, "npm-calls"), process.argv.slice(2).join(" ") + "\\n");
  const does = existsSync(join(root, "npm-does")) ? readFileSync(join(root, "npm-does"), "utf8") : "";
  if (does.startsWith("fail")) {
    console.error(does.slice(5));
    process.exit(1);
  }
  if (does.startsWith("wait")) connect(Number(does.slice(5)), "127.0.0.1").resume().on("end", install);
  else install();
  function install() {
    mkdirSync("node_modules", { recursive: true });
    if (does === "omit") return;
    copyFileSync("package-lock.json", "node_modules/.package-lock.json");
    for (const path of Object.keys(JSON.parse(readFileSync("package-lock.json")).packages))
      if (/node-/.test(path)) {
        mkdirSync(join(path, "bin"), { recursive: true });
        symlinkSync(process.execPath, join(path, "bin/node"));
      }
  }`;

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

const INSTALLING =
  "Installing the packages that Vestry needs. This happens once and may take a minute.\n";
const done = { status: 3, stdout: "serve --role all\n", stderr: "" };
const command = ["script.ts", "serve", "--role", "all"];

test("the first run installs the packages, the second installs nothing, and a changed lockfile installs again", async () => {
  const { calls, run, write } = await repository();
  assert.deepEqual(await run(...command), { ...done, stderr: INSTALLING });
  assert.deepEqual(await run(...command), done);
  assert.equal(await calls(), 1);
  await write("package-lock.json", JSON.stringify(locked("1.0.1")));
  assert.deepEqual(await run(...command), { ...done, stderr: INSTALLING });
  assert.equal(await calls(), 2);
});

test("only tests need development packages, and packages of other systems are not needed", async () => {
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

test("an old Node installs the locked Node once and runs the script with it", async () => {
  const { at, calls, run, write } = await repository();
  const launcher = await readFile(at("server/bin/launch.mjs"), "utf8");
  await write(
    "server/bin/launch.mjs",
    launcher.replace("OLDEST_NODE = [24, 7]", "OLDEST_NODE = [99, 0]"),
  );
  await write("script.ts", "console.log(process.execArgv.length > 0, process.argv0);");
  const first = await run("script.ts");
  assert.match(first.stderr, /^Installing the packages.*\n.*needs 99\.0.*Installing Node \d+\./);
  assert.match(first.stdout, /^true .*\.runtime\/node\/node_modules\/node-.*\/bin\/node\n$/);
  assert.deepEqual(await run("script.ts"), { ...first, stderr: "" });
  assert.equal(await calls(), 2);
  await rm(at(".runtime/node"), { recursive: true });
  await write("npm-does", "omit");
  const failed = await run("script.ts");
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /npm could not install Node\./);
});

test("two starts at the same time install once, and the second says that it waits", async (context) => {
  const { calls, start, write } = await repository();
  const installing = createServer().listen(0, "127.0.0.1");
  context.after(() => installing.close());
  await once(installing, "listening");
  await write("npm-does", `wait ${(installing.address() as AddressInfo).port}`);
  const first = start(...command);
  const [installation] = (await once(installing, "connection")) as [Socket];
  const second = start(...command);
  await once(second.child.stderr, "data");
  installation.end();
  assert.deepEqual([await first.ended, await second.ended], [3, 3]);
  assert.equal(await first.stderr, INSTALLING);
  assert.match(await second.stderr, /^Another command is installing.*\n$/);
  assert.equal(await calls(), 1);
});

test("a lock that a killed start left behind is removed", async () => {
  const { at, run, write } = await repository();
  await mkdir(at(".runtime"));
  await write(".runtime/installing", "1");
  const old = new Date(Date.now() - 60_000);
  await utimes(at(".runtime/installing"), old, old);
  const { status } = await run(...command);
  assert.equal(status, 3);
  assert.ok(!existsSync(at(".runtime/installing")));
});

test("a failed installation prints npm's error and what to do, and the next run tries again", async () => {
  const { run, write } = await repository();
  await write("npm-does", "fail npm error code EAI_AGAIN");
  const offline = await run(...command);
  assert.deepEqual([offline.status, offline.stdout], [1, ""]);
  assert.match(offline.stderr, /EAI_AGAIN\nThe npm registry is unreachable\./);
  await write("npm-does", "fail npm error something else");
  assert.match((await run(...command)).stderr, /something else\nnpm could not install/);
  await write("npm-does", "");
  assert.deepEqual(await run(...command), { ...done, stderr: INSTALLING });
});

/** A web app whose build records the sources that it was made of. */
async function withWebApp({ at, write }: Awaited<ReturnType<typeof repository>>) {
  await mkdir(at("web"));
  await write("web/package-lock.json", JSON.stringify(locked("1.0.0")));
  await write("web/source", "one");
  await write(
    "web/sources.mjs",
    `import { readFileSync } from "node:fs";
     export const sourcesHash = () => readFileSync(${JSON.stringify(at("web/source"))}, "utf8");`,
  );
  await write(
    "web/build.ts",
    `import { mkdirSync, writeFileSync } from "node:fs";
     import { sourcesHash } from "./sources.mjs";
     const hash = sourcesHash();
     if (hash === "broken") throw new Error("a mistake of many lines");
     mkdirSync("dist", { recursive: true });
     writeFileSync("dist/build.json", JSON.stringify({ hash }));`,
  );
  await write("server/bin/vestry.ts", script);
  return async () => JSON.parse(await readFile(at("web/dist/build.json"), "utf8")) as unknown;
}

const serve = ["server/bin/vestry.ts", "serve", "--role", "all"];
const INSTALLING_WEB =
  "Installing the packages that build the web app. This happens once and may take a minute.\n";
const BUILDING = "Building the web app.\n";
const UNBUILT = "The web app could not be built, and the service starts without a new one.";

test("a start builds the web app when it is missing or old, and installs its packages once", async () => {
  const clone = await repository();
  const { calls, run, write } = clone;
  const built = await withWebApp(clone);
  assert.deepEqual(await run(...serve), {
    ...done,
    stderr: INSTALLING + INSTALLING_WEB + BUILDING,
  });
  assert.deepEqual(await built(), { hash: "one" });
  assert.deepEqual(await run(...serve), done);
  await write("web/source", "two");
  assert.deepEqual(await run("server/bin/vestry.ts", "serve", "--role", "worker"), {
    ...done,
    stdout: "serve --role worker\n",
  });
  assert.equal((await run("server/bin/vestry.ts", "doctor")).stderr, "");
  assert.deepEqual(await run(...serve), { ...done, stderr: BUILDING });
  assert.deepEqual(await built(), { hash: "two" });
  assert.equal(await calls(), 2);
});

test("a web app that cannot be built is one line, and the service starts", async () => {
  const clone = await repository();
  const { run, write } = clone;
  assert.equal((await run(...command)).stderr, INSTALLING);
  const built = await withWebApp(clone);
  await write("npm-does", "fail npm error code EAI_AGAIN");
  const unreachable =
    "The npm registry is unreachable. Connect this machine to the network and run the command again.";
  assert.deepEqual(await run(...serve), {
    ...done,
    stderr: `${INSTALLING_WEB}${UNBUILT} ${unreachable}\n`,
  });
  await write("npm-does", "");
  await run(...serve);
  await write("web/source", "broken");
  const advice = "Run `npm run build` in web/ for the reason.";
  assert.deepEqual(await run(...serve), { ...done, stderr: `${BUILDING}${UNBUILT} ${advice}\n` });
  assert.deepEqual(await built(), { hash: "one" });
});

test("a start without the sources of the web app uses the build that it finds", async () => {
  const clone = await repository();
  await withWebApp(clone);
  await rm(clone.at("web/sources.mjs"));
  assert.deepEqual(await clone.run(...serve), { ...done, stderr: INSTALLING });
});

test("signals are forwarded, the exit status is that of the script, and a killed launcher stops the script", async () => {
  const { start, write } = await repository();
  await write(
    "script.ts",
    `process.once("SIGTERM", () => {
      console.log("stopped");
      process.exit(5);
    });
    setInterval(() => undefined, 1_000);
    console.log("ready");`,
  );
  const forwarded = start("script.ts");
  await once(forwarded.child.stdout, "data");
  forwarded.child.kill("SIGTERM");
  assert.deepEqual([await forwarded.ended, await forwarded.stdout], [5, "ready\nstopped\n"]);

  const killed = start("script.ts");
  await once(killed.child.stdout, "data");
  killed.child.kill("SIGKILL");
  assert.deepEqual([await killed.ended, await killed.stdout], ["SIGKILL", "ready\nstopped\n"]);

  const unhandled = start("script.ts");
  await once(unhandled.child.stdout, "data");
  unhandled.child.kill("SIGHUP");
  assert.equal(await unhandled.ended, "SIGHUP");
});
