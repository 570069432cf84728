/**
 * Runs a TypeScript file of this repository on a machine with npm and any Node from 20 up:
 *
 *     node server/bin/launch.mjs [--watch] <script.ts> [arguments…]
 *
 * It installs the packages if they differ from package-lock.json. If this Node is too old, it also installs the one of
 * server/bin/node/package-lock.json. npm checks the integrity of both. Before it serves, it builds the web app if web/dist is
 * missing or older than its sources. A start that installs nothing needs no network.
 * This file imports no package, because it runs before there are any. It writes only to standard error.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The service needs argon2 from `node:crypto` and runs TypeScript by type stripping. */
const OLDEST_NODE = [24, 7];

const root = fileURLToPath(new URL("../../", import.meta.url));
const at = (...path) => join(root, ...path);
const runtime = at(".runtime");
const say = (line) => process.stderr.write(`${line}\n`);

class LaunchError extends Error {
  /** The output of a command that failed, if it says more. */
  output = "";
}

async function main(args) {
  const watch = args[0] === "--watch";
  const [script, ...rest] = watch ? args.slice(1) : args;
  if (script === undefined)
    throw new LaunchError("Usage: node server/bin/launch.mjs [--watch] <script.ts> [arguments…]");

  const file = resolve(root, script);
  const withTests = ["server", "web"].some((one) => file.startsWith(at(one, "test") + sep));
  await ensure(
    () => isInstalled(root, withTests),
    async () => {
      say("Installing the packages that Vestry needs. This happens once and may take a minute.");
      await installPackages(root, withTests ? ["--include=dev"] : []);
    },
  );
  const node = isNewEnough(process.versions.node) ? process.execPath : await ownNode();
  if (file.startsWith(at("web") + sep))
    await ensure(hasWebPackages, () => installWebPackages(node));
  if (file === at("server", "bin", "vestry.ts") && rest.includes("serve") && !isWorker(rest))
    await buildWebApp(node);
  run(node, watch, file, rest);
}

// -- Node ----------------------------------------------------------------------------------------------------------

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

async function ownNode() {
  const folder = join(runtime, "node");
  const lock = at("server", "bin", "node", "package-lock.json");
  const suffix = `-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const name = Object.keys(readJson(lock).packages).find((path) => path.endsWith(suffix));
  if (name === undefined)
    throw new LaunchError(
      `There is no Node package for ${process.platform} ${process.arch}. Install Node ${OLDEST_NODE.join(".")} or newer.`,
    );
  const isPresent = () =>
    readText(join(folder, "package-lock.json")) === readText(lock) &&
    isInstalled(folder, false, name);
  await ensure(isPresent, async () => {
    const { version } = readJson(lock).packages[name];
    say(
      `This machine has Node ${process.versions.node}. Vestry needs ${OLDEST_NODE.join(".")} or newer. ` +
        `Installing Node ${version} into .runtime. This happens once.`,
    );
    cpSync(at("server", "bin", "node"), folder, { recursive: true });
    await installPackages(folder, ["--ignore-scripts"]);
    // npm ignores the failure of an optional package.
    if (!isPresent())
      throw new LaunchError(
        "npm could not install Node. Check the network, or install Node yourself, and run the command again.",
      );
  });
  return join(folder, name, "bin", process.platform === "win32" ? "node.exe" : "node");
}

// -- Packages ------------------------------------------------------------------------------------------------------

/**
 * npm writes node_modules/.package-lock.json at the end of an install, so an interrupted install is noticed. Optional
 * packages are mostly for other platforms and may be missing, except for `needed`.
 */
function isInstalled(folder, withTests, needed) {
  const installed = readJson(join(folder, "node_modules", ".package-lock.json"))?.packages ?? {};
  const locked = readJson(join(folder, "package-lock.json"))?.packages ?? {};
  return Object.entries(locked).every(([path, { dev, integrity, link, optional, version }]) => {
    // A link leads to a folder of this repository, which needs no installation.
    if (link || !path.includes("node_modules/")) return true;
    const found = installed[path];
    if (found === undefined) return path !== needed && (optional || (dev && !withTests));
    return found.version === version && found.integrity === integrity;
  });
}

/**
 * Runs `npm ci` and shows its output only if it fails. npm skips optional packages that do not support the Node it runs
 * in, so the packages of the web app, which need a newer one, are installed by `node`.
 */
async function installPackages(folder, options, node = process.execPath) {
  const quiet = ["--no-audit", "--no-fund", "--no-progress", "--loglevel=error"];
  // npm's default retries make a user without network wait for minutes.
  const retries = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  // Under `npm start` or npx, this npm may not be the one in PATH.
  const own = process.env.npm_execpath?.endsWith("npm-cli.js")
    ? process.env.npm_execpath
    : undefined;
  const [command, first] = own ? [node, [own]] : ["npm", []];
  const started = outputOf(command, [...first, "ci", ...options, ...quiet, ...retries], {
    cwd: folder,
    // The npm around this process may have been called with a workspace.
    env: {
      ...process.env,
      PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
      npm_config_workspace: undefined,
      npm_config_workspaces: undefined,
    },
    shell: process.platform === "win32" && own === undefined,
  });
  const { code, output } = await started.catch(({ message }) => {
    throw new LaunchError(
      `npm cannot be started: ${message}. Install npm and run the command again.`,
    );
  });
  if (code === 0) return;
  const error = new LaunchError(
    /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/.test(output)
      ? "The npm registry is unreachable. Connect this machine to the network and run the command again."
      : "npm could not install the packages. Fix the error of `npm ci` and run the command again.",
  );
  error.output = output.trim();
  throw error;
}

/** Runs a command to its end. */
async function outputOf(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code, output };
}

// -- The web app ---------------------------------------------------------------------------------------------------

const hasWebPackages = () => isInstalled(at("web"), true);

async function installWebPackages(node) {
  say("Installing the packages that build the web app. This happens once and may take a minute.");
  await installPackages(at("web"), ["--include=dev"], node);
}

/** The service works without the app, so a failure is one line and does not stop the start. */
async function buildWebApp(node) {
  const sources = at("web", "sources.mjs");
  if (!existsSync(sources)) return;
  try {
    const { sourcesHash } = await import(pathToFileURL(sources).href);
    const hash = sourcesHash();
    const isBuilt = () => readJson(at("web", "dist", "build.json"))?.hash === hash;
    await ensure(isBuilt, async () => {
      if (!hasWebPackages()) await installWebPackages(node);
      say("Building the web app.");
      const { code } = await outputOf(node, [at("web", "build.ts")], { cwd: at("web") });
      if (code !== 0) throw new LaunchError("Run `npm run build` in web/ for the reason.");
    });
  } catch ({ message }) {
    say(`The web app could not be built, and the service starts without a new one. ${message}`);
  }
}

function readText(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function readJson(path) {
  return JSON.parse(readText(path) ?? "null") ?? undefined;
}

// -- One installation at a time ------------------------------------------------------------------------------------

const lock = join(runtime, "installing");
const HEARTBEAT_MS = 1_000;
/** A lock without a heartbeat for this long was left behind by a killed launcher. */
const STALE_MS = 15_000;

async function ensure(isPresent, install) {
  if (isPresent()) return;
  await acquireLock();
  const heartbeat = setInterval(() => writeFileSync(lock, String(process.pid)), HEARTBEAT_MS);
  try {
    // The previous holder of the lock may have installed the same.
    if (!isPresent()) await install();
  } finally {
    clearInterval(heartbeat);
    rmSync(lock, { force: true });
  }
}

async function acquireLock() {
  mkdirSync(runtime, { recursive: true });
  for (let isFirst = true; ; isFirst = false) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: "wx" });
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    if (isFirst) say("Another command is installing packages. Waiting for it.");
    const modified = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (modified !== undefined && Date.now() - modified > STALE_MS) rmSync(lock, { force: true });
    else await wait(200);
  }
}

// -- Running -------------------------------------------------------------------------------------------------------

const isWorker = (args) => /--role[ =]worker\b/.test(args.join(" "));

/** Runs the script and ends as it ends, with its exit code or its signal. */
function run(node, watch, file, args) {
  const settings = readJson(at("server", "bin", "process.json"));
  // A script without its launcher would keep the port and the data directory, so follow.mjs ends it.
  const follow = pathToFileURL(at("server", "bin", "follow.mjs")).href;
  const flags = [
    ...settings.flags,
    ...(isWorker(args) ? settings.workerFlags : []),
    ...(watch ? ["--watch", "--watch-preserve-output"] : ["--import", follow]),
  ];
  const child = spawn(node, [...flags, file, ...args], {
    // The variables of the operator win.
    env: {
      ...settings.environment,
      NODE_COMPILE_CACHE: at(settings.compileCache),
      ...process.env,
    },
    stdio: ["inherit", "inherit", "inherit", ...(watch ? [] : ["ipc"])],
  });

  // At a terminal, Ctrl-C reaches the script directly.
  const forward = (signal) => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  child.on("error", ({ message }) =>
    fail(
      new LaunchError(
        `${node} cannot be run: ${message}. Install Node ${OLDEST_NODE.join(".")} or newer.`,
      ),
    ),
  );
  child.on("exit", (code, signal) => {
    for (const each of signals) process.off(each, forward);
    if (signal === null) process.exit(code ?? 1);
    process.kill(process.pid, signal);
  });
}

function fail(error) {
  if (!(error instanceof LaunchError)) throw error;
  if (error.output !== "") say(error.output);
  say(error.message);
  process.exit(1);
}

await main(process.argv.slice(2)).catch(fail);
