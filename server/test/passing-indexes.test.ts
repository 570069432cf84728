import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connect } from "../src/store/db.ts";
import { passingIndexes, withPassingIndexes } from "../src/store/passing-indexes.ts";
import { freshDatabase } from "./support/database.ts";

const database = await freshDatabase();
after(() => database.close());
const { db } = database;

/** Keys to people that PostgreSQL would have to read all rows of a church for. */
const unindexed = async () => {
  const rows = await db<{ name: string }[]>`
    select conname as name from pg_constraint k
    where contype = 'f' and confrelid = 'people'::regclass and not exists (
      select from pg_index x where indrelid = conrelid and indisvalid and array[indkey[0], indkey[1]] = conkey)`;
  return rows.map(({ name }) => name);
};

test("every key to the table has an index meanwhile, and afterwards none of them is left", async () => {
  const before = await unindexed();
  assert.ok(before.includes("people_created_by_fkey"));
  const answer = await withPassingIndexes(db, "people", async () => {
    assert.deepEqual(await unindexed(), []);
    return "done";
  });
  assert.equal(answer, "done");
  assert.deepEqual(await unindexed(), before);
});

test("they are dropped when what they were for fails, and what was left behind before is, too", async () => {
  await db`create index passing_left on people (account_id, occupation)`;
  const failing = withPassingIndexes(db, "people", async () => {
    assert.ok(!(await passingIndexes(db)).includes("passing_left"));
    throw new Error("as it may");
  });
  await assert.rejects(failing, /as it may/);
  assert.deepEqual(await passingIndexes(db), []);
});

test("a second one is refused while the first is at it", async () => {
  await withPassingIndexes(db, "people", () =>
    assert.rejects(
      withPassingIndexes(db, "people", async () => assert.fail()),
      /Another large church/,
    ),
  );
});

test("who keeps an index waiting for too long is told of, and none is left", async () => {
  const impatient = connect(database.url, { max: 2, name: "impatient", statementMsMax: 200 });
  await db.begin(async (tx) => {
    await tx`set transaction isolation level repeatable read`;
    await tx`select from people`;
    const waiting = withPassingIndexes(impatient, "people", async () => assert.fail());
    await assert.rejects(waiting, /a transaction that has been open for long/);
  });
  await impatient.end();
  assert.deepEqual(await passingIndexes(db), []);
});
