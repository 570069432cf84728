import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { after, test } from "node:test";
import { isDatabaseAway } from "../src/store/away.ts";
import {
  connect,
  type Db,
  inGlobalTransaction,
  type PoolOptions,
  type Queryable,
  type Tx,
} from "../src/store/db.ts";
import { freePort } from "../src/store/embedded.ts";
import { freshDatabase } from "./support/database.ts";
import { holdTimers } from "./support/held-timers.ts";
import { PATIENCE_MS, patient } from "./support/patience.ts";
import { asItIs, startWire } from "./support/wire.ts";

const database = await freshDatabase("connections of the whole database are lost");
const wire = await startWire(database.url);
const pools: Db[] = [];
after(async () => {
  for (const pool of pools) await pool.end({ timeout: 1 });
  await wire.close();
  await database.close();
});

function pool(url: string, options: PoolOptions): Db {
  const db = connect(url, { name: "lost", ...patient, ...options });
  pools.push(db);
  return db;
}

const terminate = () => database.db`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'lost'`;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Shorter than the connection timeout of `patient`, which would hide some of the faults. */
const SOON_MS = PATIENCE_MS / 2;

async function soon<T>(promise: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("It was never answered.")), SOON_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The first statement may use a connection that is being closed. */
const isAnsweredOrFails = (statement: PromiseLike<unknown>) =>
  soon(statement).catch((error: unknown) => assert.ok(isDatabaseAway(error), String(error)));

const fails = (statement: PromiseLike<unknown>) =>
  assert.rejects(soon(statement), (error) => {
    assert.ok(isDatabaseAway(error), String(error));
    return true;
  });

test("with any loss of connections, every statement ends soon with a result or an error", async () => {
  const db = pool(database.url, { max: 4 });
  const counts = { answered: 0, away: 0 };
  let over = false;
  let asked = 0;
  const ask = async (inside: boolean) => {
    const number = ++asked;
    const question = (by: Queryable) => by.query(`select ${number} as number`);
    const [row] = inside ? await inGlobalTransaction(db, (tx) => question(tx)) : await question(db);
    assert.equal(row?.["number"], number);
  };
  /** Some statements follow each other without a pause, and others start right after a loss. */
  const use = async (pauses: number) => {
    while (!over) {
      await soon(ask(pauses % 2 === 1)).then(
        () => counts.answered++,
        (error: unknown) => {
          if (!isDatabaseAway(error)) throw error;
          counts.away++;
        },
      );
      for (let pause = 0; pause <= pauses; pause++) await turn();
    }
  };
  const using = [0, 1, 0, 1, 8, 9, 20, 21].map(use);
  const terminating = async () => {
    for (let round = 0; round < 30 && !over; round++) {
      const before = counts.answered;
      await terminate();
      while (!over && counts.answered < before + (round % 10) * 5) await turn();
    }
  };
  await Promise.race([terminating(), Promise.all(using)]).finally(() => (over = true));
  await Promise.all(using);
  assert.ok(counts.away > 0, "nobody noticed");
});

test("rows from before the loss are not part of the next result", async () => {
  const db = pool(database.url, { max: 1 });
  const [pid] = await db`select pg_backend_pid() as pid`;
  // Each row fills PostgreSQL's buffer, so some rows arrive while the last one waits.
  const lost = fails(db`
    select repeat('x', 9000), case when row = 9 then pg_sleep(60) end from generate_series(1, 9) row`);
  for (let sleeps = false; !sleeps; ) {
    const [row] = await database.db<{ sleeps: boolean }[]>`
      select wait_event = 'PgSleep' as sleeps from pg_stat_activity where pid = ${pid?.["pid"]}`;
    sleeps = row?.sleeps ?? false;
  }
  await terminate();
  await lost;
  assert.deepEqual([...(await soon(db`select 1 as one`))], [{ one: 1 }]);
});

/** The type of the message ReadyForQuery, which is six bytes long. */
const READY = "Z".charCodeAt(0);

test("an error from before the loss is not reported for the next statement", async () => {
  const db = pool(wire.url, { max: 1 });
  await db`select 1 / ${1}::integer`;
  // Everything but the last message, which reports that PostgreSQL is ready. PostgreSQL may send it by itself.
  let received = Buffer.alloc(0);
  wire.pass((bytes, client) => {
    received = Buffer.concat([received, bytes]);
    if (received.at(-6) === READY) client.end(received.subarray(0, -6));
  });
  await assert.rejects(soon(db`select 1 / ${0}::integer`), { code: "22012" });
  wire.pass(asItIs);
  await isAnsweredOrFails(db`select 1`);
  assert.deepEqual([...(await soon(db`select 1 as one`))], [{ one: 1 }]);
});

test("a statement on a failed connection that is not yet closed is answered", async () => {
  const db = pool(wire.url, { max: 1 });
  await db`select 1`;
  wire.pass((_, client) => client.resetAndDestroy());
  await fails(db`select 1`);
  wire.pass(asItIs);
  await isAnsweredOrFails(db`select 1`);
  await soon(db`select 1`);
});

test("a transaction sends nothing after its connection is lost", async () => {
  const db = pool(database.url, { max: 1 });
  await database.db`create table written (what text)`;
  const goOn = async (tx: Tx) => {
    await tx`insert into written values ('before')`;
    // The second statement is sent after PostgreSQL has received the first.
    const waiting = [
      fails(tx`select pg_sleep(60), ${1}::integer`),
      fails(tx`insert into written values (${"meanwhile"})`),
    ];
    await terminate();
    await Promise.all(waiting);
    await fails(tx`insert into written values ('at once')`);
    // By then another connection has replaced the lost one.
    await soon(db`select 1`);
    await fails(tx`insert into written values ('afterwards')`);
  };
  let going: Promise<void> | undefined;
  await fails(inGlobalTransaction(db, (tx) => (going = goOn(tx))));
  await going;
  assert.deepEqual([...(await soon(db`select * from written`))], []);
});

/** Other pools have other limits. */
const LIMIT_MS = PATIENCE_MS - 1;

test("a statement fails after twice PostgreSQL's own time limit without a response", async (context) => {
  const limit = holdTimers(context, 2 * LIMIT_MS);
  const db = pool(wire.url, { max: 1, statementMsMax: LIMIT_MS });
  await db`select 1`;
  const asked = new Promise<void>((resolve) => wire.pass(() => resolve()));
  const failing = fails(db`select 1`);
  await asked;
  assert.equal(limit.waiting, 1);
  limit.end();
  await failing;
  wire.pass(asItIs);
  await soon(db`select 1`);
});

test("an idle connection may be silent for any time", async (context) => {
  const limit = holdTimers(context, 2 * LIMIT_MS);
  await pool(database.url, { max: 1, statementMsMax: LIMIT_MS })`select 1`;
  assert.ok(limit.started > 0);
  assert.equal(limit.waiting, 0);
});

test("a server that closes connections before they are ready is unreachable", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const db = pool(`postgres://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/c`, {});
  await fails(db`select 1`).finally(() => server.close());
  assert.equal(connections, 1);
});

test("if no connection can be opened, every waiting statement fails at once with the reason", async () => {
  const db = pool(`postgres://a:b@127.0.0.1:${await freePort()}/c`, { max: 2 });
  const refused = () => assert.rejects(soon(db`select 1`), { code: "ECONNREFUSED" });
  await Promise.all(Array.from({ length: 100 }, refused));
});
