import assert from "node:assert/strict";
import { Socket } from "node:net";
import { after, test } from "node:test";
import { newId } from "../base/ids.ts";
import {
  connect,
  type Db,
  inGlobalTransaction,
  inTransaction,
  onCommit,
  sendWithCommit,
  type Tx,
} from "./db.ts";
import { preparedName } from "./sql.ts";
import { freshDatabase } from "../../test/support/database.ts";
import { startWire } from "../../test/support/wire.ts";

/** A BEGIN goes along with the first statement: what that saves, and what it must not change. */

const database = await freshDatabase("it adds a table");
const wire = await startWire(database.url);
/** One connection, so that everything meets on it. */
const db = connect(wire.url, { max: 1, name: "transactions" });
after(async () => {
  await db.end({ timeout: 1 });
  await wire.close();
  await database.close();
});
await database.db`create table marks (mark text primary key)`;

const mark = (by: Db | Tx, name: string) => by`insert into marks (mark) values (${name})`;
const marks = async () => {
  const rows = await database.db<{ mark: string }[]>`select mark from marks order by mark`;
  return rows.map((row) => row.mark);
};
const isFree = async () => {
  const [row] = await database.db`
    select state from pg_stat_activity where application_name = 'transactions'`;
  assert.equal(row?.["state"], "idle");
};
const turn = () => new Promise((resolve) => setImmediate(resolve));
const INSERT = "insert into marks (mark) values ($1)";
const givenUp = new Error("given up");
/** The text of a chunk, or of several, which `_writev` leaves as an array of buffers. */
const textOf = (written: unknown): string =>
  Array.isArray(written) ? written.map(String).join("") : String(written);

test("a transaction of one statement takes two round trips: one with the statement, one to commit", async () => {
  const read = (number: number) =>
    inGlobalTransaction(db, async (tx) => {
      const [row] = await tx<{ twice: number }[]>`select ${number}::int * 2 as twice`;
      return row?.twice;
    });
  assert.equal(await read(1), 2);
  const said: string[] = [];
  wire.ask((bytes, to) => {
    said.push(bytes.toString("latin1"));
    to.write(bytes);
  });
  assert.equal(await read(21), 42);
  wire.ask();
  assert.equal(said.length, 2);
  assert.match(said[0] ?? "", /begin/);
  await isFree();
});

test("a connection describes what a statement returns once, and what does not fit any more is refused", async () => {
  const described: boolean[] = [];
  wire.ask((bytes, to) => {
    described.push(bytes.includes("D\0\0\0\x06P\0"));
    to.write(bytes);
  });
  const read = () =>
    db`select mark, 7::bigint as seven, array[1, null] as some, null::text as none from marks`;
  await database.db`insert into marks (mark) values ('described')`;
  const first = await read();
  assert.deepEqual(first[0], { mark: "described", seven: 7, some: [1, null], none: null });
  assert.deepEqual(await read(), first);
  assert.deepEqual(described, [true, false]);
  wire.ask();

  const wide = () => db.query("select * from marks", [], { prepared: true });
  await wide();
  await database.db`alter table marks add column more int default 2`;
  await assert.rejects(wide(), { code: "0A000" });
  assert.deepEqual((await wide())[0], { mark: "described", more: 2 });
  await database.db`alter table marks drop column more`;
  await database.db`truncate marks`;
});

test("a value that has no text fails alone, and its transaction has not begun", async () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const say = (value: unknown) =>
    inGlobalTransaction(db, (tx) =>
      tx.query("select $1::jsonb as said", [value], { prepared: true }),
    );
  for (const _time of [1, 2]) {
    await assert.rejects(say(circular), /circular/i);
    assert.deepEqual((await say({ a: 1 }))[0], { said: { a: 1 } });
    await isFree();
  }
});

test("a statement without a waiting caller is sent with the commit, whatever its length", async (context) => {
  const own = connect(database.url, { max: 1 });
  context.after(() => own.end());
  const write = (name: string) =>
    inGlobalTransaction(own, async (tx) => {
      await tx`select`;
      const long = tx.query(INSERT, [name], { prepared: true });
      sendWithCommit(tx, long);
    });
  await write("known");
  // A process that runs many other tests first prepares no further statement, which takes one more write.
  assert.ok(preparedName(INSERT));
  const writes = [
    context.mock.method(Socket.prototype, "_write"),
    context.mock.method(Socket.prototype, "_writev" as "_write"),
  ];
  await write("long".repeat(2_000));
  const calls = writes.flatMap(({ mock }) => mock.calls);
  for (const { mock } of writes) mock.restore();
  // Other sockets of this process may write at the same time.
  const socket = calls.find((call) => textOf(call.arguments[0]).includes("longlong"))?.this;
  assert.equal(calls.filter((call) => call.this === socket).length, 2);
  assert.equal((await marks()).length, 2);
  await database.db`delete from marks`;
});

test("a failed or canceled transaction leaves nothing, whichever statement failed", async () => {
  const broken = (tx: Tx) => tx`insert into marks (mark) values (null)`;
  await assert.rejects(inGlobalTransaction(db, broken), { code: "23502" });
  await assert.rejects(
    inGlobalTransaction(db, async (tx) => {
      await mark(tx, "undone");
      await broken(tx);
    }),
    { code: "23502" },
  );
  await assert.rejects(
    inGlobalTransaction(db, async (tx) => {
      await mark(tx, "undone");
      throw givenUp;
    }),
    givenUp,
  );
  await assert.rejects(
    inGlobalTransaction(db, async () => {
      throw givenUp;
    }),
    givenUp,
  );
  assert.deepEqual(await marks(), []);
  await isFree();
});

test("a transaction without statements commits, and a transaction with a late statement rolls back", async () => {
  assert.equal(await inGlobalTransaction(db, async () => 7), 7);
  await isFree();
  await assert.rejects(
    inGlobalTransaction(db, async (tx) => {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      await mark(tx, "late");
      throw givenUp;
    }),
    givenUp,
  );
  assert.deepEqual(await marks(), []);
});

test("statements of other callers on the same connection stay outside the transaction", async () => {
  let after: Promise<unknown> | undefined;
  const before = db`select 'before' as name`.then(([row]) => row?.["name"]);
  const inside = inGlobalTransaction(db, async (tx) => {
    await mark(tx, "inside");
    // Waits for the connection, and so for the end of this.
    after = mark(db, "after").then();
    await mark(tx, "inside, too");
    throw givenUp;
  });
  await assert.rejects(inside, givenUp);
  assert.equal(await before, "before");
  await after;
  assert.deepEqual(await marks(), ["after"]);
});

test("parallel transactions on few connections each get their own results", async () => {
  const few = connect(database.url, { max: 3, name: "few" });
  const one = async (number: number) => {
    const [plain] = await few<{ number: number }[]>`select ${number}::int as number`;
    const told = await inGlobalTransaction(few, async (tx) => {
      const [first] = await tx<{ number: number }[]>`select ${number}::int + 1 as number`;
      const [both] = await Promise.all([
        tx<{ number: number }[]>`select ${number}::int + 2 as number`,
        tx`select pg_sleep(0)`,
      ]);
      if (number % 7 === 0) throw givenUp;
      return [first?.number, both[0]?.number];
    }).catch((error: unknown) => error);
    assert.equal(plain?.number, number);
    if (number % 7 === 0) assert.equal(told, givenUp);
    else assert.deepEqual(told, [number + 1, number + 2]);
  };
  await Promise.all(Array.from({ length: 300 }, (_, number) => one(number)));
  const states = await database.db<{ state: string }[]>`
    select distinct state from pg_stat_activity where application_name = 'few'`;
  assert.deepEqual([...states], [{ state: "idle" }]);
  await few.end();
});

/** As PostgreSQL refuses: an error, and after the next Sync that it is ready. */
const refusal = Buffer.from("E\0\0\0\x1eSERROR\0C57014\0Mcancelled\0\0", "latin1");
const READY = Buffer.from("Z\0\0\0\x05I", "latin1");

test("where BEGIN is refused, the first statement fails with its reason, and nothing is done", async () => {
  let asked = 0;
  wire.ask((_, __, client) => {
    asked += 1;
    client.write(Buffer.concat([refusal, READY]));
    // The rollback of a transaction that never began.
    wire.ask();
  });
  await assert.rejects(
    inGlobalTransaction(db, (tx) => mark(tx, "refused")),
    { code: "57014" },
  );
  assert.equal(asked, 1);
  assert.deepEqual(await marks(), ["after"]);
  await isFree();
});

test("a transaction runs once more after a deadlock or a failure of serialization, and has its effects once", async () => {
  const aborted = (tx: Tx, code: string) =>
    tx.query(`do $$ begin raise 'aborted' using errcode = '${code}'; end $$`);
  const times = async (code: string, failures: number, options?: { isRepeatable: boolean }) => {
    const done: string[] = [];
    let runs = 0;
    const running = inTransaction(
      db,
      newId(),
      async (tx) => {
        runs += 1;
        await mark(tx, `${code} ${failures}`);
        onCommit(tx, () => void done.push("told"));
        if (runs <= failures) await aborted(tx, code);
      },
      options,
    );
    const failed = await running.then(
      () => undefined,
      (error: unknown) => (error as { code: string }).code,
    );
    return { runs, done, failed };
  };
  for (const code of ["40P01", "40001"]) {
    assert.deepEqual(await times(code, 1), { runs: 2, done: ["told"], failed: undefined });
    assert.deepEqual(await times(code, 2), { runs: 2, done: [], failed: code });
  }
  const once = { isRepeatable: false };
  assert.deepEqual(await times("40P01", 3, once), { runs: 1, done: [], failed: "40P01" });
  assert.deepEqual(await times("22003", 3), { runs: 1, done: [], failed: "22003" });
  assert.deepEqual(
    (await marks()).filter((one) => one.startsWith("40")),
    ["40001 1", "40P01 1"],
  );
  await isFree();
});
