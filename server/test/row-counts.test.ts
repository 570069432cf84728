import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../src/base/ids.ts";
import { type Db, inTransaction, type Tx } from "../src/store/db.ts";
import { insertRows } from "../src/store/insert-rows.ts";
import { makeAssignment, makeChurch, makePerson, makeRow } from "./support/make.ts";
import { document, startService } from "./support/service.ts";

/** What the database keeps of how many rows a church has: exact for whoever looks, whenever, and in nobody's way. */

const service = await startService();
after(() => service.stop());
const { church, db } = service;

const tables = [
  "people",
  "role_assignments",
  "courses",
  "course_enrollments",
  "cells",
  "cell_memberships",
];

/** What is kept and what is there, seen at the same moment. */
async function counts(of: Db | Tx, table: string, accountId: string) {
  const [row] = await of<{ kept: number; present: number }[]>`
    select (select coalesce(sum(rows), 0)::int from row_counts
        where account_id = ${accountId} and table_name = ${table}) as kept,
      (select count(*)::int from ${of(table)} where account_id = ${accountId}) as present`;
  assert.ok(row);
  return row;
}

async function assertExact(accountId: string, of: Db | Tx = db) {
  for (const table of tables) {
    const { kept, present } = await counts(of, table, accountId);
    assert.equal(kept, present, table);
  }
}

const total = async (type: string) =>
  (await service.get(`/v1/${type}?page[size]=1`)).document.meta?.["total"];
const slots = async (table: string, accountId: string) =>
  (await db`select from row_counts where account_id = ${accountId} and table_name = ${table}`)
    .length;

const addPeople = (tx: Tx, accountId: string, count: number) =>
  tx`insert into people (account_id, id, full_name)
    select ${accountId}, id, 'One of many' from unnest(${Array.from({ length: count }, newId)}::uuid[]) as id`;
const addCourses = (tx: Tx, accountId: string, count: number) =>
  tx`insert into courses (account_id, id, name)
    select ${accountId}, id, 'One of many' from unnest(${Array.from({ length: count }, newId)}::uuid[]) as id`;
/** So many of the oldest that nobody else is deleting. */
const deletePeople = (tx: Tx, accountId: string, count: number) =>
  tx`delete from people where account_id = ${accountId} and id = any(array(
    select id from people where account_id = ${accountId} and full_name = 'One of many'
    order by id limit ${count} for update skip locked))`;

const givenUp = new Error("given up");

test("after a storm of writers, and all through it, what is kept is what is there", async () => {
  const other = await makeChurch(db);
  const deadlocks = async () => {
    const [row] = await db<{ deadlocks: number }[]>`
      select deadlocks::int from pg_stat_database where datname = current_database()`;
    return row?.deadlocks;
  };
  const before = await deadlocks();

  let storming = true;
  let looks = 0;
  const watch = async () => {
    while (storming) {
      for (const { id } of [church, other]) await assertExact(id);
      looks += 1;
    }
  };
  const write = async (writer: number) => {
    for (let turn = 0; turn < 40; turn += 1) {
      const [mine, theirs] = (writer + turn) % 3 === 0 ? [other, church] : [church, other];
      await inTransaction(db, async (tx) => {
        // Half of them in the opposite order.
        if (writer % 2 === 0) await addPeople(tx, mine.id, 1 + (turn % 5));
        await addCourses(tx, theirs.id, 1);
        if (writer % 2 === 1) await addPeople(tx, mine.id, 1 + (turn % 5));
        if (turn % 4 === 1) await deletePeople(tx, church.id, 3);
        await tx.savepoint((nested) => addPeople(nested, mine.id, 2));
        if (turn % 7 === 2)
          await tx
            .savepoint(async (nested) => {
              await addPeople(nested, theirs.id, 7);
              throw givenUp;
            })
            .catch((error: unknown) => assert.equal(error, givenUp));
        if (turn % 5 === 3) throw givenUp;
      }).catch((error: unknown) => assert.equal(error, givenUp));
    }
  };
  const watching = watch();
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
  storming = false;
  await watching;

  assert.ok(looks > 1, "nobody looked while it stormed");
  for (const { id } of [church, other]) {
    await assertExact(id);
    assert.ok((await counts(db, "people", id)).kept > 200);
  }
  assert.equal(await deadlocks(), before);
  assert.equal(await total("people"), (await counts(db, "people", church.id)).present);
});

test("a transaction that adds thousands keeps nobody waiting, and counts when it commits", async () => {
  const before = (await total("people")) as number;
  const create = () => service.post("/v1/people", document("people", { "full-name": "Meanwhile" }));
  await inTransaction(db, async (tx) => {
    await addPeople(tx, church.id, 5_000);
    // Two at a time, in both orders: none of them ends before the other began.
    await inTransaction(db, async (second) => {
      await addCourses(second, church.id, 1);
      await addPeople(second, church.id, 1);
      await addCourses(tx, church.id, 1);
    });
    assert.equal((await create()).status, 201);
    assert.equal(await total("people"), before + 2);
    assert.equal((await counts(tx, "people", church.id)).kept, before + 5_002);
  });
  assert.equal(await total("people"), before + 5_002);
  await assertExact(church.id);
});

test("there are no more numbers than there were transactions at once", async () => {
  const own = await makeChurch(db);
  const write = async () => {
    for (let turn = 0; turn < 30; turn += 1)
      await inTransaction(db, async (tx) => {
        for (let statement = 0; statement < 4; statement += 1) await addPeople(tx, own.id, 1);
      });
  };
  const writers = 6;
  await Promise.all(Array.from({ length: writers }, write));
  await assertExact(own.id);
  assert.ok((await slots("people", own.id)) <= writers);
});

test("what goes with a person or a course is counted, too", async () => {
  const { id } = await makePerson(db, church.id);
  const course = await makeRow(db, "courses", church.id, { name: "Short" });
  const cell = await makeRow(db, "cells", church.id, { name: "North" });
  await makeRow(db, "cell_memberships", church.id, { cell_id: cell, person_id: id });
  await makeRow(db, "course_enrollments", church.id, { course_id: course, person_id: id });
  await makeRow(db, "course_enrollments", church.id, {
    course_id: course,
    person_id: church.administrator.id,
  });
  await makeAssignment(db, church.id, { personId: id, role: "secretary" });
  const all = async () =>
    Promise.all(["course-enrollments", "cell-memberships", "role-assignments", "cells"].map(total));
  assert.deepEqual(await all(), [2, 1, 1, 1]);
  assert.equal((await service.delete(`/v1/people/${id}`)).status, 204);
  assert.deepEqual(await all(), [1, 0, 0, 1]);
  assert.equal((await service.delete(`/v1/courses/${course}`)).status, 204);
  assert.deepEqual(await all(), [0, 0, 0, 1]);
  await assertExact(church.id);
});

test("a church that is deleted leaves no count behind, and touches nobody else's", async () => {
  const gone = await makeChurch(db);
  await inTransaction(db, async (tx) => {
    await addPeople(tx, gone.id, 10);
    await addCourses(tx, gone.id, 10);
  });
  const cell = await makeRow(db, "cells", gone.id, { name: "South" });
  await makeRow(db, "cell_memberships", gone.id, {
    cell_id: cell,
    person_id: gone.administrator.id,
  });
  assert.ok((await slots("people", gone.id)) > 0);
  await db`delete from accounts where id = ${gone.id}`;
  for (const table of tables) assert.equal(await slots(table, gone.id), 0, table);
  await assertExact(church.id);
});

test("many rows at once, rows that were there already, and a table emptied at a stroke", async () => {
  const own = await makeChurch(db);
  const rows = Array.from({ length: 4_500 }, (_, n) => [own.id, newId(), `Course ${n}`]);
  await inTransaction(db, (tx) => insertRows(tx, "courses", ["account_id", "id", "name"], rows));
  await assertExact(own.id);
  assert.equal((await counts(db, "courses", own.id)).kept, 4_500);

  const again = rows.slice(0, 10).map(([, id]) => id as string);
  await db`
    insert into courses (account_id, id, name)
    select ${own.id}, id, 'Again' from unnest(${[...again, newId()]}::uuid[]) as id
    on conflict (account_id, id) do update set name = excluded.name`;
  assert.equal((await counts(db, "courses", own.id)).kept, 4_501);
  await assertExact(own.id);

  await db`truncate courses cascade`;
  for (const { id } of [own, church]) {
    await assertExact(id);
    assert.equal((await counts(db, "courses", id)).kept, 0);
  }
});

test("a list that is cut or filtered says how many are in it, not how many there are", async () => {
  const own = await makeChurch(db);
  const as = own.administrator.token;
  const member = await makePerson(db, own.id, { fullName: "Mary Member" });
  const totalOf = async (query: string, token = as) =>
    (await service.get(`/v1/people?${query}`, { as: token })).document.meta?.["total"];
  assert.equal(await totalOf(""), 2);
  assert.equal(await totalOf("page[after]="), 2);
  assert.equal(await totalOf("filter[name]=mary"), 1);
  assert.equal(await totalOf("", member.token), 1);
});
