import assert from "node:assert/strict";
import { after, test } from "node:test";
import { SECOND } from "../base/clock.ts";
import { newId } from "../base/ids.ts";
import { asAdministrator, freshDatabase } from "../../test/support/database.ts";
import { statementsOf } from "../../test/support/statements.ts";
import { insertion } from "./sql.ts";
import { isDatabaseAway } from "./away.ts";
import {
  connect,
  inGlobalTransaction,
  inTransaction,
  onCommit,
  sendWithCommit,
  type Tx,
} from "./db.ts";

const database = await freshDatabase("it changes settings of the database");
after(() => database.close());
const { db } = database;
await db`create table marks (mark text primary key)`;

const mark = (tx: Tx, name: string) => tx`insert into marks (mark) values (${name})`;
const marks = async () => (await db`select mark from marks order by mark`).map(({ mark }) => mark);

test("timestamps are in UTC with milliseconds, in any time zone of the database", async () => {
  const name = new URL(database.url).pathname.slice(1);
  await asAdministrator((admin) =>
    admin.query(`alter database ${name} set timezone to 'America/Sao_Paulo'`),
  );
  const elsewhere = connect(database.url, { max: 1 });
  const [row] = await elsewhere`
    select timestamptz '2026-11-20T20:57:40.12-03:00' as short, timestamptz '2026-11-20T20:57:40Z' as whole,
      timestamptz '2026-01-01T00:00:00.001999Z' as long`;
  await elsewhere.end();
  assert.deepEqual(
    { ...row },
    {
      short: "2026-11-20T23:57:40.120Z",
      whole: "2026-11-20T20:57:40.000Z",
      long: "2026-01-01T00:00:00.001Z",
    },
  );
});

test("any text in an array is returned unchanged", async () => {
  const texts = ['a"b', "a\\b", "{}", "a,b", "", "null", "NULL", ' \\"', "ä\n"];
  const [row] = await db<{ told: string[] }[]>`select to_json(${texts}::text[])::text as told`;
  assert.deepEqual(JSON.parse(String(row?.told)), texts);
});

test("a statement over its time limit and an idle transaction are ended", async () => {
  const name = new URL(database.url).pathname.slice(1);
  for (const setting of ["statement_timeout", "idle_in_transaction_session_timeout"])
    await asAdministrator((admin) => admin.query(`alter database ${name} set ${setting} = 0`));
  const usual = connect(database.url, { max: 1 });
  const [limits] = await usual`
    select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as silence`;
  assert.deepEqual({ ...limits }, { statement: "15s", silence: "30s" });
  await usual.end();
  const impatient = connect(database.url, { max: 1, statementMsMax: SECOND });
  await assert.rejects(impatient`select pg_sleep(60)`, { code: "57014" });
  await impatient.end();
  await assert.rejects(
    inGlobalTransaction(db, async (tx) => {
      const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
      await tx`set local idle_in_transaction_session_timeout = 20`;
      const isThere = () => db`select from pg_stat_activity where pid = ${own?.pid ?? 0}`;
      while ((await isThere()).length > 0);
      await tx`select`;
    }),
    isDatabaseAway,
  );
});

test("an error of a statement that was not awaited fails and rolls back the transaction", async () => {
  await db`insert into marks (mark) values ('there')`;
  const done: string[] = [];
  for (const then of [
    async () => "an answer",
    (tx: Tx) => mark(tx, "after it"),
    async () => {
      throw new Error("of something else");
    },
  ]) {
    const failing = inGlobalTransaction(db, async (tx) => {
      onCommit(tx, () => void done.push("told"));
      await mark(tx, "before");
      sendWithCommit(tx, mark(tx, "there"));
      // The result may or may not have arrived by then.
      await db`select`;
      return then(tx);
    });
    await assert.rejects(failing, { code: "23505" });
  }
  assert.deepEqual(await marks(), ["there"]);
  assert.equal(done.length, 0);
  await inGlobalTransaction(db, async (tx) => onCommit(tx, () => void done.push("told")));
  assert.deepEqual(done, ["told"]);
});

test("the error is that of the statement that failed, also if that of a later one is known before", async () => {
  const failing = inGlobalTransaction(db, async (tx) => {
    await mark(tx, "before");
    const failed = mark(tx, "there");
    failed.catch(() => undefined);
    const later = tx`select`.execute();
    const isLaterKnown = later.catch(() => undefined);
    sendWithCommit(
      tx,
      isLaterKnown.then(() => failed),
    );
    sendWithCommit(tx, later);
  });
  await assert.rejects(failing, { code: "23505" });
});

test("a transaction carries its account, also inside a savepoint, and a global one carries none", async () => {
  const accountId = newId();
  const carried = (tx: Tx) => tx.savepoint(async (inner) => [tx.accountId, inner.accountId]);
  assert.deepEqual(await inTransaction(db, accountId, carried), [accountId, accountId]);
  assert.deepEqual(await inGlobalTransaction(db, carried), [undefined, undefined]);
});

test("a statement that names another account than its transaction is not sent, and nothing is committed", async () => {
  const [own, other] = [newId(), newId()];
  await db`create table owned (mark text, account_id uuid)`;
  await db`insert into owned values ('theirs', ${other})`;
  const naming = (tx: Tx, accountId: string) => [
    () => tx`select from owned where account_id = ${accountId}`,
    () => tx`select from owned as o where mark = ${"x"} and o.account_id = ${accountId}::uuid`,
    () => tx`select from accounts where id = ${accountId}`,
    () => tx`insert into owned (mark, account_id) values (concat(${"x"}::text, ','), ${accountId})`,
    () =>
      tx`insert into owned ${insertion({ mark: "x", account_id: own }, { mark: "y", account_id: accountId })}`,
    () =>
      tx`insert into owned (account_id, mark) select ${accountId}, mark from owned where mark = ${"x"}`,
    () => tx.query("delete from owned where account_id = $1", [accountId], { prepared: true }),
  ];
  await inTransaction(db, own, async (tx) => {
    for (const name of [own, own.toUpperCase()]) for (const send of naming(tx, name)) await send();
    await tx`delete from owned where account_id = ${own}`;
  });
  for (const [index] of naming({} as Tx, other).entries()) {
    const sent = (tx: Tx) => naming(tx, other)[index]?.() ?? assert.fail();
    const names = new RegExp(`account ${own} names ${other}`);
    const first = statementsOf(() =>
      assert.rejects(
        inTransaction(db, own, (tx) => sent(tx)),
        names,
      ),
    );
    assert.deepEqual(await first, [], String(index));
    const late = inTransaction(db, own, async (tx) => {
      await tx`insert into owned values ('written', ${own})`;
      sendWithCommit(tx, sent(tx));
    });
    await assert.rejects(late, names);
    await inGlobalTransaction(db, (tx) => tx.savepoint(sent).catch(() => undefined));
  }
  assert.equal((await db`select from owned where mark = 'written'`).count, 0);
});

test("a savepoint that is undone leaves nothing to do after the commit", async () => {
  const done: string[] = [];
  const note = (tx: Tx, what: string) => onCommit(tx, () => void done.push(what));
  await inGlobalTransaction(db, async (tx) => {
    note(tx, "before");
    const undone = tx.savepoint(async () => {
      note(tx, "within");
      throw new Error("of a rule");
    });
    await assert.rejects(undone, /of a rule/);
    note(tx, "after");
  });
  assert.deepEqual(done, ["before", "after"]);
});

test("a database without free connections or space is unreachable, and an error of a statement is not", () => {
  const away = (code: string) => isDatabaseAway(Object.assign(new Error("told"), { code }));
  for (const code of [
    "53100",
    "53200",
    "53300",
    "57014",
    "57P01",
    "57P03",
    "08006",
    "25P03",
    "55000",
    "58000",
  ])
    assert.equal(away(code), true, code);
  for (const code of ["23505", "22003", "25P02", "40P01", "42501", "XX000"])
    assert.equal(away(code), false, code);
});
