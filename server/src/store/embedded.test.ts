import assert from "node:assert/strict";
import { type ChildProcess, exec, spawn } from "node:child_process";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { socketDirectoryOf } from "./address.ts";
import { connect } from "./db.ts";
import { DataDirectoryInUse, type EmbeddedServer, findRunning, startEmbedded } from "./embedded.ts";
import { identityOf } from "./embedded/processes.ts";

/** These servers are killed often and keep nothing, so they need not wait for the disk. */
const settings = { fsync: "off" };
const binDir = process.env["TEST_POSTGRES_BIN"];
const isRoot = process.getuid?.() === 0;
const onUnix = { skip: process.platform === "win32" ? "no Unix sockets" : false };
const onLinux = { skip: process.platform === "linux" ? false : "needs /proc" };

const temporary: string[] = [];
const started: (EmbeddedServer | ChildProcess)[] = [];
after(async () => {
  for (const each of started) await ("stop" in each ? each.stop() : each.kill("SIGKILL"));
  for (const directory of temporary) await rm(directory, { recursive: true, force: true });
});

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "vestry-test-"));
  temporary.push(directory);
  // mkdtemp creates private directories, but other users can reach an ordinary data directory.
  await chmod(directory, 0o755);
  return directory;
}

async function start(dataDir: string, say: (line: string) => void = () => undefined) {
  const options = { dataDir, settings, say, ...(binDir && { binDir }) };
  const server = await startEmbedded(options);
  started.push(server);
  return server;
}

const open = (server: Pick<EmbeddedServer, "url">) => connect(server.url, { max: 1 });

async function ask(server: Pick<EmbeddedServer, "url">, statement: string): Promise<unknown> {
  const sql = open(server);
  try {
    const [row] = await sql.queryArrays(statement, []);
    return row?.[0];
  } finally {
    await sql.end();
  }
}

function postmasterOf(dataDir: string): number {
  return Number(
    readFileSync(join(dataDir, "postgres/cluster/postmaster.pid"), "utf8").split("\n")[0],
  );
}

/** Starts a service in its own process, so that it can be killed. */
async function service(dataDir: string): Promise<{ process: ChildProcess; url: string }> {
  const module = new URL("./embedded.ts", import.meta.url).href;
  const code = `
    import { startEmbedded } from ${JSON.stringify(module)};
    const options = ${JSON.stringify({ dataDir, settings, binDir })};
    const server = await startEmbedded({ ...options, say: () => undefined });
    console.log(server.url);
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  for await (const url of createInterface({ input: child.stdout })) return { process: child, url };
  throw new Error("The service did not start.");
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exit;
}

async function gone(pid: number): Promise<void> {
  while (identityOf(pid) !== undefined) await setImmediate();
}

/** The processes in the cluster's directory that PostgreSQL did not start. */
async function guardsOf(dataDir: string): Promise<number[]> {
  const cluster = join(dataDir, "postgres/cluster");
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.filter((pid) => {
    try {
      const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
      return readlinkSync(`/proc/${pid}/cwd`) === cluster && name !== "postgres";
    } catch {
      return false;
    }
  });
}

test("the first start creates a database, and the second finds its data", async () => {
  const dataDir = join(await temporaryDirectory(), "data");
  const lines: string[] = [];
  const first = await start(dataDir, (line) => lines.push(line));
  assert.deepEqual(lines, ["Creating the database …"]);
  await ask(first, "create table kept (id int)");
  assert.equal(await findRunning(dataDir), first.url);
  await first.stop();

  assert.equal(await findRunning(dataDir), undefined);
  assert.match(await readFile(join(dataDir, "postgres.log"), "utf8"), /system is shut down\n$/);
  assert.ok(!existsSync(join(dataDir, "postgres/cluster/postmaster.pid")));

  const second = await start(dataDir, (line) => lines.push(line));
  assert.equal(lines.length, 1, "a warm start has nothing to say");
  assert.equal(await ask(second, "select count(*)::int from kept"), 0);
  await second.stop();
});

// The following tests share a cluster, because creating one is slow.
const dataDir = join(await temporaryDirectory(), "data");

test("the service owns its database but is no superuser, and its secrets are private", async () => {
  const server = await start(dataDir);
  assert.equal(await ask(server, "select current_user::text"), "vestry");
  assert.equal(
    await ask(server, "select usesuper from pg_user where usename = current_user"),
    false,
  );
  await ask(server, "create extension pg_trgm");
  for (const file of ["postgres-password", "owner.json", "postgres.log"])
    assert.equal((await stat(join(dataDir, file))).mode & 0o777, 0o600, file);

  const wrong = new URL(server.url);
  wrong.password = "guessed";
  await assert.rejects(ask({ url: wrong.href }, "select 1"), /password authentication failed/);
  await server.stop();
});

test("text sorts by code point and folds by Unicode, in any locale", async () => {
  const server = await start(dataDir);
  assert.equal(await ask(server, "select 'Z' < 'a' and lower('ÄÉØ') = 'äéø'"), true);
  await server.stop();
});

test("PostgreSQL listens on its socket only", onUnix, async () => {
  const server = await start(dataDir);
  assert.equal(await ask(server, "show listen_addresses"), "");
  assert.equal(await ask(server, "select inet_server_addr() is null"), true);
  await server.stop();
});

test("settings apply at each start, and ALTER SYSTEM overrides them", async () => {
  const memoryWith = async (more: Readonly<Record<string, string>>, act = "select 1") => {
    const options = { dataDir, settings: { ...settings, ...more }, say: () => undefined };
    const server = await startEmbedded({ ...options, ...(binDir && { binDir }) });
    started.push(server);
    const memory = await ask(server, "show work_mem");
    await ask({ url: server.adminUrl }, act);
    await server.stop();
    return memory;
  };
  assert.equal(await memoryWith({ work_mem: "5MB" }), "5MB");
  assert.equal(await memoryWith({}, "alter system set work_mem = '7MB'"), "4MB");
  assert.equal(await memoryWith({ work_mem: "5MB" }, "alter system reset work_mem"), "7MB");
});

test("the log contains neither statements nor stored values", async () => {
  const server = await start(dataDir);
  await ask(server, "create table people (email text primary key)");
  await ask(server, "insert into people values ('ana@hidden.example')");
  for (const statement of [
    "insert into people values ('ana@hidden.example')",
    "select 'hidden'::int",
    "select hidden",
  ])
    await assert.rejects(ask(server, statement));
  await server.stop();
  assert.doesNotMatch(await readFile(join(dataDir, "postgres.log"), "utf8"), /hidden/);
});

test("a long log is rotated, and one older log is kept", async () => {
  const log = join(dataDir, "postgres.log");
  const long = 10 * 1_024 * 1_024;
  for (const letter of ["a", "b"]) {
    await writeFile(log, letter.repeat(long));
    const server = await start(dataDir);
    await server.stop();
    const [now, before] = [await readFile(log, "utf8"), await readFile(`${log}.1`, "utf8")];
    assert.match(now, /^[^ab]*starting PostgreSQL[^]*system is shut down\n$/);
    assert.equal(before, letter.repeat(long));
    assert.equal((await stat(`${log}.1`)).mode & 0o777, 0o600);
  }
});

test("a second service on a data directory is rejected with the process id of the first", async () => {
  const { process: other, url } = await service(dataDir);
  await assert.rejects(start(dataDir), (error) => {
    assert.ok(error instanceof DataDirectoryInUse);
    assert.equal(error.pid, other.pid);
    assert.match(error.message, new RegExp(`process ${other.pid}\\b.*stop it first`));
    return true;
  });
  assert.equal(await findRunning(dataDir), url);
  assert.equal(await ask({ url }, "select 1"), 1);
  await killed(other);
});

test("one of two concurrent starts gets the directory", async () => {
  const results = await Promise.allSettled([start(dataDir), start(dataDir)]);
  const refused = results.filter((each) => each.status === "rejected");
  assert.equal(refused.length, 1);
  assert.ok(refused[0]?.reason instanceof DataDirectoryInUse);
  for (const each of results) if (each.status === "fulfilled") await each.value.stop();
});

test("a killed service stops its PostgreSQL, and the next start works", async () => {
  const { process: other, url } = await service(dataDir);
  await ask({ url }, "create table survived (id int)");
  const postmaster = postmasterOf(dataDir);
  await killed(other);
  await gone(postmaster);

  const server = await start(dataDir);
  assert.equal(await ask(server, "select count(*)::int from survived"), 0);
  await server.stop();
});

test("an orphaned PostgreSQL is stopped by the next start", onLinux, async () => {
  const { process: other } = await service(dataDir);
  const postmaster = postmasterOf(dataDir);
  for (const guard of await guardsOf(dataDir)) process.kill(guard, "SIGKILL");
  await killed(other);
  assert.notEqual(identityOf(postmaster), undefined, "it runs on");

  const lines: string[] = [];
  const server = await start(dataDir, (line) => lines.push(line));
  assert.match(lines.join(), /still running for a service that is gone/);
  assert.equal(identityOf(postmaster), undefined);
  assert.equal(await ask(server, "select 1"), 1);
  await server.stop();
});

test("stale files of killed processes are ignored, even if their process ids are in use", async () => {
  const { process: other } = await service(dataDir);
  const postmaster = postmasterOf(dataDir);
  process.kill(postmaster, "SIGKILL");
  await killed(other);
  await gone(postmaster);

  // A foreign process that PostgreSQL may signal and therefore considers alive.
  const stranger = spawn("sleep", ["600"], isRoot ? await ownerOf(dataDir) : {});
  started.push(stranger);
  const pidFile = join(dataDir, "postgres/cluster/postmaster.pid");
  const lines = (await readFile(pidFile, "utf8")).split("\n");
  await writeFile(pidFile, [stranger.pid, ...lines.slice(1)].join("\n"));
  const owner = JSON.parse(await readFile(join(dataDir, "owner.json"), "utf8"));
  await writeFile(join(dataDir, "owner.json"), JSON.stringify({ ...owner, pid: stranger.pid }));

  assert.equal(await findRunning(dataDir), undefined);
  const server = await start(dataDir);
  assert.equal(await ask(server, "select 1"), 1);
  assert.notEqual(identityOf(stranger.pid ?? 0), undefined, "the stranger was left alone");
  await server.stop();
});

async function ownerOf(directory: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(join(directory, "postgres/cluster"));
  return { uid, gid };
}

test("a PostgreSQL that dies is started again at the same address", async () => {
  const said = Promise.withResolvers<void>();
  const server = await start(dataDir, (line) => line === "PostgreSQL is back." && said.resolve());
  process.kill(postmasterOf(dataDir), "SIGKILL");
  await said.promise;
  assert.equal(await ask(server, "select 1"), 1);
  await server.stop();
  assert.match(await readFile(join(dataDir, "postgres.log"), "utf8"), /system is shut down\n$/);
});

test("committed rows survive a kill of PostgreSQL", async () => {
  const said = Promise.withResolvers<void>();
  const server = await start(dataDir, (line) => line === "PostgreSQL is back." && said.resolve());
  await ask(server, "create table answered (id int)");
  const sql = open(server);
  const postmaster = postmasterOf(dataDir);
  for (let id = 1; id <= 20; id += 1) await sql`insert into answered values (${id})`;
  process.kill(postmaster, "SIGKILL");
  await said.promise;
  await sql.end({ timeout: 1 });
  assert.equal(await ask(server, "select count(*)::int from answered"), 20);
  await server.stop();
});

test("a stop during a restart stops PostgreSQL for good", async () => {
  const died = Promise.withResolvers<void>();
  const server = await start(dataDir, (line) => /unexpectedly/.test(line) && died.resolve());
  const postmaster = postmasterOf(dataDir);
  process.kill(postmaster, "SIGKILL");
  await died.promise;
  await server.stop();
  assert.equal(identityOf(postmasterIfAny() ?? postmaster), undefined);
  assert.equal(await findRunning(dataDir), undefined);

  function postmasterIfAny() {
    return existsSync(join(dataDir, "postgres/cluster/postmaster.pid"))
      ? postmasterOf(dataDir)
      : undefined;
  }
});

test("a data directory too deep for a socket gets a socket elsewhere, which is removed afterwards", async () => {
  const deep = join(await temporaryDirectory(), "deep".repeat(20), "data");
  const server = await start(deep);
  const directory = socketDirectoryOf(server.url);
  assert.ok(directory !== undefined && !directory.startsWith(deep));
  assert.equal(await ask(server, "select 1"), 1);
  await server.stop();
  assert.ok(!existsSync(directory));

  // A killed service cannot clean up, so the next start does.
  const { process: other, url } = await service(deep);
  const left = socketDirectoryOf(url);
  assert.ok(left !== undefined && existsSync(left));
  await killed(other);
  const next = await start(deep);
  assert.ok(!existsSync(left));
  await next.stop();
});

test("a database of another PostgreSQL version is rejected and left unchanged", async () => {
  const file = join(dataDir, "postgres/cluster/PG_VERSION");
  const version = await readFile(file, "utf8");
  await writeFile(file, "9\n");
  await assert.rejects(
    start(dataDir),
    /made by PostgreSQL 9, and this Vestry brings PostgreSQL \d+/,
  );
  await writeFile(file, version);
  const server = await start(dataDir);
  await server.stop();
});

test("a start that fails reports PostgreSQL's own message", async () => {
  const options = { dataDir, settings: { shared_buffers: "many" }, say: () => undefined };
  await assert.rejects(
    startEmbedded({ ...options, ...(binDir && { binDir }) }),
    /did not start[^]*shared_buffers/,
  );
});

test("a lost password file is replaced", async () => {
  await rm(join(dataDir, "postgres-password"));
  const server = await start(dataDir);
  assert.equal(await ask(server, "select 1"), 1);
  await server.stop();
});

const asRoot = { skip: isRoot ? false : "needs root" };

test("PostgreSQL that root starts runs as another user", asRoot, async () => {
  const server = await start(dataDir);
  const { uid } = await stat(`/proc/${postmasterOf(dataDir)}`);
  assert.notEqual(uid, 0);
  await server.stop();
});

test(
  "unreachable data is reported with the command that repairs its owner or its path",
  asRoot,
  async () => {
    const above = join(await temporaryDirectory(), "above");
    const copy = join(above, "data");
    await cp(dataDir, copy, { recursive: true });
    assert.equal((await stat(join(copy, "postgres/cluster"))).uid, 0);
    const refusal = async () =>
      start(copy).then(
        () => "",
        ({ message }: Error) => message,
      );
    const [, command = ""] = /Give it to them: (chown .*)$/.exec(await refusal()) ?? [];
    await promisify(exec)(command);
    await chmod(above, 0o700);
    const [, opening = ""] = /for passing: (chmod .*)$/.exec(await refusal()) ?? [];
    await promisify(exec)(opening);
    await (await start(copy)).stop();
  },
);

test("data in a directory that only root can pass is moved elsewhere", asRoot, async () => {
  const closed = join(await temporaryDirectory(), "closed");
  await mkdir(closed, { mode: 0o700 });
  const lines: string[] = [];
  const server = await start(join(closed, "data"), (line) => lines.push(line));
  const link = join(closed, "data/postgres");
  assert.ok(lstatSync(link).isSymbolicLink());
  temporary.push(readlinkSync(link));
  assert.match(
    lines.join("\n"),
    new RegExp(`no other user can reach ${link}.*${readlinkSync(link)}`),
  );
  assert.equal(await ask(server, "select 1"), 1);
  await server.stop();

  const again = await start(join(closed, "data"), (line) => lines.push(line));
  assert.equal(lines.length, 2, "the second start says nothing");
  await again.stop();
});
