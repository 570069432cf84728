/**
 * Runs a TypeScript file of this repository on a machine that has nothing but npm and any Node from 20 up:
 *
 *     node server/bin/launch.mjs [--watch] <script.ts> [arguments…]
 *
 * Three steps: the packages are there, a Node that can run the script is there, the script runs. Each of the first
 * two installs what is missing and says so; when nothing is missing, nothing is said and no network is needed.
 * This file is plain JavaScript and imports no package, because it runs before there are any. Everything it says
 * goes to standard error, so that standard output belongs to the script.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The service needs argon2 from `node:crypto` and runs TypeScript by type stripping. */
const OLDEST_NODE = [24, 7];
/** What is installed when the machine's Node is older. The one place that names it. */
const OWN_NODE = "26.10.0";

const root = fileURLToPath(new URL("../../", import.meta.url));
const runtime = join(root, ".runtime");
const ownNode = join(runtime, `node-${OWN_NODE}`);

class Trouble extends Error {}

const say = (line) => process.stderr.write(`${line}\n`);

async function main(args) {
  const watch = args[0] === "--watch";
  const [script, ...rest] = watch ? args.slice(1) : args;
  if (script === undefined)
    throw new Trouble("Usage: node server/bin/launch.mjs [--watch] <script.ts> [arguments…]");

  const file = isAbsolute(script) ? script : join(root, script);
  await ensure({
    isThere: () => packagesMissing(file) === undefined,
    install: () => installPackages(file),
  });
  if (!canRunTheService(process.version))
    await ensure({ isThere: () => existsSync(ownNodeBinary()), install: installNode });
  run(canRunTheService(process.version) ? process.execPath : ownNodeBinary(), watch, file, rest);
}

// -- What is missing ---------------------------------------------------------------------------------------------

/**
 * The first locked package that is not installed as locked, if any.
 *
 * npm writes `node_modules/.package-lock.json` as the last act of an install. Comparing the two therefore notices an
 * interrupted install, and an `npm ci` that somebody ran by hand counts as well. No package is compiled against a
 * version of Node, so changing between Nodes installs nothing.
 */
function packagesMissing(script) {
  const installed = readJson(join(root, "node_modules", ".package-lock.json"))?.packages;
  if (installed === undefined) return "all";
  const locked = Object.entries(readJson(join(root, "package-lock.json"))?.packages ?? {});
  return locked.find(([path, entry]) => {
    if (!path.includes("node_modules/")) return false; // The repository itself and its workspaces.
    const there = installed[path];
    // Optional packages are mostly other platforms' binaries. An installation with `--omit=dev` is complete for
    // the service, but not for its tests.
    if (there === undefined) return !entry.optional && (!entry.dev || isTest(script));
    return there.version !== entry.version || there.integrity !== entry.integrity;
  })?.[0];
}

function isTest(script) {
  return !relative(join(root, "server", "test"), script).startsWith("..");
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function canRunTheService(version) {
  const [major, minor] = version.slice(1).split(".").map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

// -- Installing it -----------------------------------------------------------------------------------------------

async function installPackages(script) {
  say("Installing the packages Vestry needs (once; this may take a minute) …");
  const extent = isTest(script) ? ["--include=dev"] : [];
  // A lock made where the registry lacked some other platform's binary is refused by `npm ci`; the second way takes
  // what the lock pins all the same, and does not touch it.
  await npm(["ci", ...extent], { otherwise: ["install", "--no-save", ...extent] });
}

/**
 * The registry's `node` package is a shell: its install script fetches the package named here. Taking that one
 * directly needs no install script, so it also works where a user has forbidden them all.
 */
function nodePackage() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const prefix = platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  return `${prefix}-${platform}-${process.arch}`;
}

function ownNodeBinary() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  return join(ownNode, "node_modules", nodePackage(), "bin", name);
}

async function installNode() {
  say(
    `This machine has Node ${process.version.slice(1)}, Vestry needs ${OLDEST_NODE.join(".")} or newer: ` +
      `installing Node ${OWN_NODE} into .runtime/ (once) …`,
  );
  // Aside first: a Node that is there is a whole one, whatever interrupts this.
  const aside = `${ownNode}.installing`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const place = ["--prefix", aside, "--no-save", "--no-package-lock", "--ignore-scripts"];
  await npm(["install", ...place, `${nodePackage()}@${OWN_NODE}`]);
  rmSync(ownNode, { recursive: true, force: true });
  renameSync(aside, ownNode);

  if (spawnSync(ownNodeBinary(), ["--version"]).status === 0) return;
  rmSync(ownNode, { recursive: true, force: true });
  throw new Trouble(
    `The Node of the npm registry does not run on this system; install Node ${OLDEST_NODE.join(".")} ` +
      "or newer yourself and run the command again.",
  );
}

/** Runs npm quietly; what it says is shown only when it fails, before one sentence on what to do. */
async function npm(args, { otherwise } = {}) {
  const quiet = ["--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
  // npm's own patience makes somebody without a network wait for minutes before they are told.
  const patience = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  // Under `npm start` or npx the npm in use names itself: it may not be the one in PATH.
  const itself = process.env.npm_execpath?.endsWith("npm-cli.js") ? process.env.npm_execpath : "";
  const [command, first] = itself ? [process.execPath, [itself]] : ["npm", []];
  const child = spawn(command, [...first, ...args, ...quiet, ...patience], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // The npm around us may have been called with settings for its own call, such as a workspace.
    env: withoutSettings(process.env, ["npm_config_workspace", "npm_config_workspaces"]),
    shell: process.platform === "win32" && !itself,
  });
  // Were we killed, npm would go on, and a second one must not start beside it.
  holdLock(process.pid, child.pid);

  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const [code, signal] = await once(child, "close").catch((error) => {
    if (error.code !== "ENOENT") throw error;
    throw new Trouble("npm is not installed; install it (it comes with Node) and try again.");
  });
  holdLock(process.pid);
  if (code === 0) return;
  if (signal !== null) throw new Trouble(`The installation was interrupted by ${signal}.`);
  if (otherwise !== undefined && output.includes("EUSAGE")) return npm(otherwise);
  say(output.trim().split("\n").slice(0, 20).join("\n"));
  throw new Trouble(
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/.test(
      output,
    )
      ? "The npm registry cannot be reached: connect this machine to the network and run the command again."
      : "npm could not install what is missing: see its words above, then run the command again.",
  );
}

function withoutSettings(environment, names) {
  const left = { ...environment };
  for (const name of names) delete left[name];
  return left;
}

// -- One installation at a time ----------------------------------------------------------------------------------

const lock = join(runtime, "installing");
/** A process id may have been given to somebody else since; no installation takes this long. */
const LOCK_MS_MAX = 10 * 60 * 1_000;

async function ensure({ isThere, install }) {
  if (isThere()) return;
  await acquireLock();
  try {
    // Whoever held the lock before may have installed just this.
    if (!isThere()) await install();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function acquireLock() {
  mkdirSync(runtime, { recursive: true });
  for (let told = false; ; ) {
    try {
      mkdirSync(lock);
      holdLock(process.pid);
      return;
    } catch (error) {
      if (error.code !== "EEXIST" && error.code !== "ENOENT") throw error;
    }
    if (removeStaleLock()) continue;
    if (!told) say("Another command is installing already: waiting for it …");
    told = true;
    await wait(200);
  }
}

function holdLock(...pids) {
  writeFileSync(join(lock, "pids"), pids.filter(Boolean).join("\n"));
}

function removeStaleLock() {
  const pids = readText(join(lock, "pids"))?.split("\n").map(Number);
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  // Between making the directory and writing its name into it, a holder has no name.
  const held = pids === undefined ? age < 5_000 : pids.some(isAlive) && age < LOCK_MS_MAX;
  if (held) return false;
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return true; // Somebody else removed it.
  }
  rmSync(aside, { recursive: true, force: true });
  return true;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

// -- Running -----------------------------------------------------------------------------------------------------

/**
 * The script decides when it ends; we wait and end as it did, by its exit code or by its signal.
 *
 * Ctrl-C reaches the whole process group, so the script has had its SIGINT when we see ours: it is passed on only
 * when no terminal is there to have sent it. A signal meant for us alone is passed on. And if we, or the npm that
 * started us, are killed without a chance to pass anything on, the script ends in good order by itself.
 */
function run(node, watch, file, args) {
  const follow = pathToFileURL(join(root, "server", "bin", "follow.mjs")).href;
  const flags = watch ? ["--watch", "--watch-preserve-output"] : ["--import", follow];
  const small = JSON.parse(readFileSync(join(root, "server", "bin", "process.json"), "utf8"));
  // Whoever only sends makes garbage and keeps next to nothing: a heap that may be larger before it is collected whole
  // saves a worker a sixth of its processor time.
  const own = /--role[ =]worker\b/.test(args.join(" ")) ? small.workerFlags : [];
  const child = spawn(node, [...small.flags, ...own, ...flags, file, ...args], {
    // What keeps the process small at no cost in speed: a heap that is collected before it grows, one malloc arena
    // instead of sixteen, from which the compiler's pieces go back to the system one by one, and code that an earlier
    // start has stripped of its types. What the operator sets wins.
    env: {
      ...small.environment,
      NODE_COMPILE_CACHE: join(root, small.compileCache),
      ...process.env,
    },
    stdio: ["inherit", "inherit", "inherit", ...(watch ? [] : ["pipe"])],
  });

  const forward = (signal) => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  if (process.env.npm_lifecycle_event !== undefined) endWithNpm(() => child.kill("SIGTERM"));

  child.on("error", (error) => fail(new Trouble(`${node} cannot be run: ${error.message}.`)));
  child.on("exit", (code, signal) => {
    for (const each of signals) process.off(each, forward);
    if (signal === null) process.exit(code ?? 1);
    process.kill(process.pid, signal);
  });
}

/**
 * npm runs its scripts in a shell, which may or may not have made way for us. When npm is killed, whichever of the two
 * was its child gets another parent.
 */
function endWithNpm(end) {
  const between = /^(sh|dash|ash|bash|zsh|busybox)$/.test(commandOf(process.ppid))
    ? process.ppid
    : undefined;
  const parent = () => (between === undefined ? process.ppid : parentOf(between));
  const npm = parent();
  const timer = setInterval(() => {
    if (parent() === npm) return;
    clearInterval(timer);
    end();
  }, 250);
  timer.unref();
}

/** Only Linux tells without asking another program; elsewhere the answer is nothing. */
function commandOf(pid) {
  return readText(`/proc/${pid}/comm`)?.trim() ?? "";
}

function parentOf(pid) {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
}

function fail(error) {
  if (!(error instanceof Trouble)) throw error;
  say(error.message);
  process.exit(1);
}

await main(process.argv.slice(2)).catch(fail);
