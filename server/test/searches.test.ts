import assert from "node:assert/strict";
import { raw } from "sql-template-tag";
import { after, test } from "node:test";
import { describedCatalogue } from "../src/catalogue.ts";
import { newId } from "../src/base/ids.ts";
import { type Filter, parseFilter } from "../src/jsonapi/definition/filters.ts";
import { filtersOf } from "../src/jsonapi/request/query.ts";
import type { Resource } from "../src/jsonapi/definition/resource.ts";
import { Statement } from "../src/jsonapi/sql/statement.ts";
import { limits } from "../src/base/limits.ts";
import { seed } from "../src/app/seed/seed.ts";
import { connect, type Db, inTransaction, type Tx } from "../src/store/db.ts";
import { findOnce } from "../src/store/matches.ts";
import { sweep } from "../src/app/sweeps.ts";
import { asAdministrator } from "./support/database.ts";
import { makeAssignment, makeChurch, makePerson, makeRow } from "./support/make.ts";
import { meanwhile } from "./support/together.ts";
import { document, ids, startService } from "./support/service.ts";

/** What lists remember of a search: exact for whoever asks, whoever writes, wherever and however. */

const service = await startService();
const { church, db } = service;
const elsewhere = connect(service.database.url);
const otherNode = await startService({ db: elsewhere });
after(async () => {
  await otherNode.stop();
  await elsewhere.end();
  await service.stop();
});

const counted = [...describedCatalogue.resources.values()].filter((of) => of.counted);

/** What became of each search on a database that one looks through: known, brought up to date, or counted. */
class Lens {
  through: Db | Tx = db;
  known = 0;
  followed = 0;
  counted = 0;

  readonly db = {
    queryArrays: async (text: string, params: never[]) => {
      const rows = await this.through.queryArrays(text, params);
      const [, , changed, , , isTooMuch] = rows[0] as unknown as unknown[];
      if (!text.startsWith("with changes")) this.counted += 1;
      else if ((changed as unknown[]).length === 0) this.known += 1;
      else if (isTooMuch !== true) this.followed += 1;
      return rows;
    },
  } as unknown as Db;

  people(condition: string, accountId: string) {
    return findOnce(this.db, "people", `account_id = $1 and ${condition}`, [accountId]);
  }
}

const addPeople = (tx: Db | Tx, accountId: string, count: number, name = "One of many") =>
  tx`insert into people (account_id, id, full_name)
    select ${accountId}, id, ${name} from unnest(${Array.from({ length: count }, newId)}::uuid[]) as id`;

// -- What is noted ---------------------------------------------------------------------------------------------------

const values: Partial<Record<Filter["match"], string>> = {
  "boolean": "true",
  "digits": "12345",
  "exists": "true",
  "number": "1",
  "at-least": "1",
  "at-most": "1",
  "since": "2026-01-01",
  "until": "2026-01-01",
};

/** The columns that the filters of a type read whose matches may be remembered. */
function readByFilters(of: Resource): string[] {
  const columns = new Set<string>(of.customProperties ? ["custom_properties"] : []);
  for (const filter of Object.values(filtersOf(of))) {
    const value = "values" in filter ? filter.values[0] : (values[filter.match] ?? newId());
    const condition = parseFilter(filter, value ?? "", of.table, "filter", []);
    assert.ok(condition, `${of.type}: ${filter.match}`);
    if (!condition.isLasting) continue;
    const text = condition(new Statement(newId()));
    // Nothing of another table, nothing of the clock.
    assert.doesNotMatch(text, /\b(from (?!jsonb_array_elements\()|now\(|age\(|current_)/);
    for (const [, column = ""] of text.matchAll(new RegExp(`\\b${of.table}\\.(\\w+)`, "g")))
      columns.add(column);
  }
  // Nobody changes it.
  columns.delete("id");
  return [...columns].sort();
}

const notedOf = async (of: Resource): Promise<string[]> => {
  const [trigger] = await db<{ definition: string }[]>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${of.table}::regclass and tgname = 'note_changed'`;
  const noted = (trigger?.definition ?? "").matchAll(/\bold\.(\w+)/g);
  return [...noted].map(([, name = ""]) => name).sort();
};

/** A change of each row that every type's rules allow. */
const flips: Record<string, string> = {
  "people": "is_active = not is_active",
  "courses": "is_active = not is_active",
  "course-enrollments": "status = case status when 'failed' then 'active' else 'failed' end",
  "cell-memberships": "cell_role = case cell_role when 'host' then 'visitor' else 'host' end",
  "role-assignments": "scope_type = 'self'",
};

await seed(db, { size: "small", seed: 1, prefix: "seeded", passwordHash: "none" }, () => ({
  copied: () => undefined,
  tidying: () => undefined,
}));

for (const of of counted) {
  test(`${of.type}: what a remembered search reads is noted when it changes, and nothing else`, async () => {
    assert.deepEqual(await notedOf(of), readByFilters(of));
  });

  const flip = flips[of.type];
  if (flip === undefined) continue;
  test(`${of.type}: a row that was changed is kept as it was, in all that searches read`, async () => {
    const { table } = of;
    const read = ["account_id", "id", ...(await notedOf(of))].map((name) => `"${name}"`).join();
    const [own] = await db<{ id: string }[]>`select id from accounts where alias like 'seeded%'`;
    assert.ok(own);
    if (table === "role_assignments") {
      const people = await db<{ id: string }[]>`
        select id from people where account_id = ${own.id} limit 20`;
      for (const { id: personId } of people)
        await makeAssignment(db, own.id, { personId, role: "secretary" });
    }
    const before = await db.query(
      `select ${read} from ${table} where account_id = $1 order by id limit 150`,
      [own.id],
    );
    assert.ok(before.length > 2, "nothing to look at");
    await db.query(`update ${table} set ${flip} where account_id = $1 and id = any($2::uuid[])`, [
      own.id,
      before.map(({ id }) => id as string),
    ]);
    const kept = await db.query(
      `select ${read} from (
        select (jsonb_populate_record(null::${table}, was)).* from row_changes
        where account_id = $1 and table_name = '${table}' and was is not null
      ) kept order by id`,
      [own.id],
    );
    assert.deepEqual([...kept], [...before]);
  });
}

const keptOf = (of: Db | Tx, accountId: string, table = "people") =>
  of<{ id: string | null; was: string | null }[]>`
    select id, was::text from row_changes where account_id = ${accountId} and table_name = ${table} order by number`;

test("a change of what nobody filters by is not kept, and one of what somebody does is", async () => {
  const own = await makeChurch(db);
  const { id } = own.administrator;
  const patch = (attributes: Record<string, unknown>) =>
    service.patch(`/v1/people/${id}`, document("people", attributes, { id }), {
      as: own.administrator.token,
    });
  const before = await keptOf(db, own.id);
  assert.equal((await patch({ occupation: "Carpenter" })).status, 200);
  assert.deepEqual(await keptOf(db, own.id), before);
  assert.equal((await patch({ "is-baptized": true })).status, 200);
  const [kept, ...none] = (await keptOf(db, own.id)).slice(before.length);
  assert.equal(kept?.id, id);
  assert.match(kept?.was ?? "", /ada administrator/);
  assert.deepEqual(none, []);
});

test("of a thousand rows that one transaction changes as many are kept as are looked at, and that there were more", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, 1_000);
  const most = limits.changesFollowedMax;
  const changes: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => tx`update people set sex = 'female' where account_id = ${own.id}`,
    (tx) => tx`update people set sex = 'male' where account_id = ${own.id}`,
    async (tx) => {
      for (let turn = 0; turn < most + 10; turn += 1) await addPeople(tx, own.id, 1);
    },
  ];
  for (const change of changes) {
    const before = (await keptOf(db, own.id)).length;
    await inTransaction(db, async (tx) => {
      await tx.savepoint(async (nested) => {
        await change(nested as Tx);
      });
      await change(tx);
    });
    const kept = (await keptOf(db, own.id)).slice(before);
    assert.equal(kept.length, most + 1);
    assert.deepEqual(kept.at(-1), { id: null, was: null });
  }
  const before = (await keptOf(db, own.id)).length;
  await addPeople(db, own.id, most + 1);
  assert.deepEqual((await keptOf(db, own.id)).slice(before), [{ id: null, was: null }]);
});

/** What is kept of people, without what says that there was more. */
const namesKept = async (accountId: string) =>
  (await keptOf(db, accountId)).flatMap(({ id }) => (id === null ? [] : [id]));
const pass = (accountId: string) =>
  db`update row_changes set changed_at = changed_at - interval '61 minutes' where account_id = ${accountId}`;

test("of somebody who is deleted nothing is kept, whoever is about to remove it and gives that up", async () => {
  const own = await makeChurch(db);
  const rename = ({ id }: { id: string }) =>
    db`update people set full_name = 'Somebody else' where account_id = ${own.id} and id = ${id}`;
  const others: ((of: Tx) => Promise<unknown>)[] = [
    (of) => of`select forget_changes(${own.id}, 'people')`,
    (of) => of`select full_name from people where account_id = ${own.id} for update`,
  ];
  for (const other of others) {
    const gone = await makePerson(db, own.id, { fullName: "Gone Tomorrow" });
    await rename(gone);
    assert.ok((await namesKept(own.id)).includes(gone.id));
    let deletion: Promise<unknown> | undefined;
    const remove = async () => {
      deletion = db`delete from people where account_id = ${own.id} and id = ${gone.id}`.execute();
      return deletion;
    };
    await meanwhile(db, other, remove, async () => {
      throw new Error("given up");
    }).catch(() => undefined);
    await deletion;
    assert.ok(!(await namesKept(own.id)).includes(gone.id));
  }
  const bystander = await makePerson(db, own.id, { fullName: "By Stander" });
  const gone = await makePerson(db, own.id, { fullName: "Gone Tomorrow" });
  await rename(gone);
  await inTransaction(db, async (tx) => {
    await tx`delete from people where account_id = ${own.id} and id = ${bystander.id}`;
    await db`delete from people where account_id = ${own.id} and id = ${gone.id}`;
    throw new Error("given up");
  }).catch(() => undefined);
  assert.ok(!(await namesKept(own.id)).includes(gone.id));
});

test("after an hour nothing is kept of anybody, and what was found before is found again, once", async () => {
  const own = await makeChurch(db);
  const lens = new Lens();
  const anybody = async () => (await lens.people("name_folded like '%today%'", own.id)).total;
  const rename = (to: string) =>
    db`update people set full_name = ${to} where account_id = ${own.id} and id = ${own.administrator.id}`;
  assert.equal(await anybody(), 0);
  await rename("Here Today");
  await sweep(db);
  assert.deepEqual([await anybody(), lens.counted], [1, 1]);
  await rename("Here");
  await addPeople(db, own.id, limits.changesFollowedMax + 1);
  await pass(own.id);
  await sweep(db);
  assert.deepEqual([...(await keptOf(db, own.id))], [{ id: null, was: null }]);
  assert.deepEqual([await anybody(), lens.counted], [0, 2]);
  await pass(own.id);
  await rename("Today");
  await sweep(db);
  assert.deepEqual([await anybody(), lens.counted], [1, 2]);

  for (let turn = 0; turn < 3; turn += 1)
    await db`select keep_change(${own.id}, 'cells', null, null)`;
  await pass(own.id);
  await sweep(db);
  assert.equal((await keptOf(db, own.id, "cells")).length, 1);
});

test("of a church that is deleted nothing is kept, and one that is put back is another", async () => {
  const own = await makeChurch(db);
  const id = await makeRow(db, "courses", own.id, { name: "Short" });
  await makeRow(db, "cells", own.id, { name: "North" });
  await db`delete from courses where account_id = ${own.id} and id = ${id}`;
  await addPeople(db, own.id, 5);
  const lens = new Lens();
  const many = async () => (await lens.people("name_folded like '%many%'", own.id)).total;
  assert.equal(await many(), 5);
  const saved = await db<{ church: string }[]>`
    select to_jsonb(accounts)::text as church from accounts where id = ${own.id}`;
  await db`delete from accounts where id = ${own.id}`;
  for (const { table } of counted) assert.deepEqual([...(await keptOf(db, own.id, table))], []);
  await db`insert into accounts
    select (jsonb_populate_record(null::accounts, ${saved[0]?.church ?? ""}::text::jsonb)).*`;
  await addPeople(db, own.id, 2);
  assert.deepEqual([await many(), lens.counted], [2, 2]);

  // A sweep that had begun before the deletion and ends after it.
  await db`delete from accounts where id = ${own.id}`;
  await db`insert into row_changes (account_id, table_name, nth) values (${own.id}, 'people', 1)`;
  await sweep(db);
  assert.deepEqual([...(await keptOf(db, own.id))], []);
});

// -- What is remembered ----------------------------------------------------------------------------------------------

test("all through a storm of writers, what is remembered is what one finds at that moment", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, 150);
  const conditions = [
    "name_folded like 'one%'",
    "sex = 'female'",
    "sex is null",
    "membership_status = any('{member,attender}'::text[])",
    "name_folded like '%renamed%' and is_active",
  ];
  const lens = new Lens();
  let storming = true;
  let look = Promise.withResolvers<void>();

  const watch = async () => {
    while (storming) {
      await inTransaction(db, async (tx) => {
        // All that it asks is about one moment.
        await tx`set transaction isolation level repeatable read, read only`;
        lens.through = tx;
        for (const condition of [...conditions, ...conditions]) {
          const { ids: found, total } = await lens.people(condition, own.id);
          const rows = await tx<{ id: string }[]>`
            select id from people where account_id = ${own.id} and ${raw(condition)}`;
          assert.equal(total, rows.length, condition);
          const few = rows.length <= limits.matchesRememberedMax;
          assert.deepEqual(found?.toSorted(), few ? rows.map(({ id }) => id).sort() : undefined);
        }
      });
      look.resolve();
      look = Promise.withResolvers();
    }
  };

  const givenUp = new Error("given up");
  const some = (tx: Tx, count: number) => tx`id = any(array(
    select id from people where account_id = ${own.id} and id <> ${own.administrator.id}
    order by md5(id::text || pg_current_xact_id()::text) limit ${count} for update skip locked))`;
  const changes: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => addPeople(tx, own.id, 3),
    (tx) => tx`update people set sex = 'female' where account_id = ${own.id} and ${some(tx, 5)}`,
    (tx) => tx`update people set sex = null where account_id = ${own.id} and ${some(tx, 7)}`,
    (tx) => tx`update people set full_name = 'Renamed', membership_status = 'member'
      where account_id = ${own.id} and ${some(tx, 2)}`,
    (tx) =>
      tx`update people set is_active = not is_active where account_id = ${own.id} and ${some(tx, 3)}`,
    (tx) => tx`delete from people where account_id = ${own.id} and ${some(tx, 2)}`,
  ];
  const write = async (writer: number) => {
    for (let turn = 0; turn < 60; turn += 1) {
      // In every other turn all of them do the same, and only that: nobody leaves the note that another forgot.
      const alone = turn % 2 === 0;
      const change = (step: number) =>
        changes[(Math.floor(turn / 2) + (alone ? 0 : writer + step)) % changes.length]!;
      await inTransaction(db, async (tx) => {
        await change(0)(tx);
        if (!alone && turn % 3 === 0) await tx.savepoint((nested) => change(1)(nested as Tx));
        if (turn % 4 === 1)
          await tx
            .savepoint(async (nested) => {
              await change(2)(nested as Tx);
              throw givenUp;
            })
            .catch((error: unknown) => assert.equal(error, givenUp));
        if (turn % 4 === 1) await change(3)(tx);
        if (turn % 5 === 4) throw givenUp;
      }).catch((error: unknown) => assert.equal(error, givenUp));
      // The first of them may have begun before.
      for (let looks = 0; alone && looks < 2; looks += 1) await look.promise;
    }
  };
  const watching = watch();
  await Promise.race([
    watching,
    Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer))),
  ]);
  storming = false;
  await watching;
  for (const times of [lens.known, lens.followed, lens.counted])
    assert.ok(times > conditions.length, JSON.stringify(lens));
});

test("what is taken back with its savepoint has not changed", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, 5);
  const lens = new Lens();
  const women = () => lens.people("sex = 'female'", own.id);
  assert.equal((await women()).total, 0);
  await inTransaction(db, async (tx) => {
    const change = (of: Tx) => of`update people set sex = 'female' where account_id = ${own.id}`;
    await tx
      .savepoint(async (nested) => {
        await change(nested as Tx);
        throw new Error("given up");
      })
      .catch(() => undefined);
    assert.equal((await women()).total, 0);
    await change(tx);
    assert.equal((await women()).total, 0);
    assert.equal(lens.known, 2);
  });
  assert.equal((await women()).total, 6);
  assert.deepEqual([lens.counted, lens.followed], [1, 1]);
});

test("whoever comes, changes and changes back is followed; whoever goes, or too many at once, is counted", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, limits.matchesRememberedMax + 30);
  const lens = new Lens();
  const expect = async (total: number, counted: number) => {
    const found = await lens.people("name_folded like '%many%'", own.id);
    assert.deepEqual([found.total, lens.counted], [total, counted]);
    assert.equal(found.ids?.length, total > limits.matchesRememberedMax ? undefined : total);
  };
  const all = limits.matchesRememberedMax + 30;
  const rename = (to: string, count: number) => db`
    update people set full_name = ${to} where account_id = ${own.id} and id = any(array(
      select id from people where account_id = ${own.id} and full_name <> ${to} and id <> ${own.administrator.id}
      order by id limit ${count}))`;
  await expect(all, 1);
  await addPeople(db, own.id, 1);
  await addPeople(db, own.id, 1, "Somebody else");
  await expect(all + 1, 1);
  await rename("One of few", 3);
  await expect(all - 2, 1);
  await rename("One of few", 3);
  await rename("One of many", 7);
  await expect(all + 2, 1);
  await rename("One of few", 31);
  await expect(all - 29, 1);
  // Those few are remembered by their ids.
  await rename("One of few", 2);
  await expect(all - 31, 2);
  await rename("One of few", 40);
  await addPeople(db, own.id, 1);
  await expect(all - 70, 2);
  await addPeople(db, own.id, 100);
  await expect(all + 30, 2);
  await db`delete from people where account_id = ${own.id} and id = any(array(
    select id from people where account_id = ${own.id} and full_name = 'One of many' limit 1))`;
  await expect(all + 29, 3);
  for (let turn = 0; turn <= limits.changesFollowedMax; turn += 1) await addPeople(db, own.id, 1);
  await expect(all + 30 + limits.changesFollowedMax, 4);
});

test("of a row that two changed, one after the other, the first knew what it was, whoever began first", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, limits.matchesRememberedMax + 1, "Red");
  const [one] = await db<{ id: string }[]>`
    select id from people where account_id = ${own.id} and full_name = 'Red' limit 1`;
  assert.ok(one);
  const lens = new Lens();
  const total = async (name: string) =>
    (await lens.people(`name_folded = '${name}'`, own.id)).total;
  const red = limits.matchesRememberedMax + 1;
  const paint = (of: Db | Tx, name: string) =>
    of`update people set full_name = ${name} where account_id = ${own.id} and id = ${one.id}`;
  assert.deepEqual([await total("red"), await total("green"), await total("blue")], [red, 0, 0]);
  await inTransaction(db, async (tx) => {
    await tx`select pg_current_xact_id()`;
    await paint(db, "Green");
    await paint(tx, "Blue");
    assert.deepEqual([await total("red"), await total("green")], [red - 1, 1]);
  });
  assert.deepEqual(
    [await total("red"), await total("green"), await total("blue")],
    [red - 1, 0, 1],
  );
  assert.equal(lens.counted, 4, "red has become few once");
});

test("a row that is changed by what its own coming leads to was not there before", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, 3, "Red");
  const lens = new Lens();
  const red = async () => (await lens.people("name_folded = 'red'", own.id)).total;
  assert.equal(await red(), 3);
  await db`
    create function baptize() returns trigger language plpgsql as $$
    begin
      update people set is_baptized = true where account_id = new.account_id and id = new.id;
      return null;
    end $$`;
  await db`create trigger baptized after insert on people for each row execute function baptize()`;
  await addPeople(db, own.id, 1, "Red");
  await db`drop function baptize cascade`;
  assert.deepEqual([await red(), lens.followed], [4, 1]);
});

test("what a database says of transactions that another one had is not believed", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, 5, "Red");
  const lens = new Lens();
  const red = async () => (await lens.people("name_folded = 'red'", own.id)).total;
  assert.equal(await red(), 5);
  // As they come with a dump, from a server that had counted further.
  await db`update people set full_name = 'Green' where account_id = ${own.id}`;
  await db`update row_changes set changed_in = '123456789012', server_started = '2001-01-01' where account_id = ${own.id}`;
  const other = new Lens();
  const none = async () => (await other.people("name_folded = 'red'", own.id)).total;
  assert.deepEqual([await none(), await none()], [0, 0]);
  assert.deepEqual([other.counted, other.known], [1, 1]);
  // Of which one says that there was more, with a number that is ours a little later.
  await db`
    insert into row_changes (account_id, table_name, nth, changed_in, server_started)
    select ${own.id}, 'people', 1, (pg_current_xact_id()::text::bigint + later)::text::xid8, '2001-01-01'
    from generate_series(1, 200) as later`;
  await db`update people set full_name = 'Red' where account_id = ${own.id}`;
  assert.equal(await none(), 6);

  await db`vacuum full row_changes`;
  assert.equal(await red(), 6);
  assert.equal(lens.counted, 2, "as after a restore, which makes the table anew");
});

test("after a crash, with which statistics begin anew, everything is found again", async () => {
  const own = await makeChurch(db);
  const lens = new Lens();
  const women = async () => (await lens.people("sex = 'female'", own.id)).total;
  assert.deepEqual([await women(), await women(), lens.counted], [0, 0, 1]);
  // As the recovery does, which gives numbers of transactions again.
  await asAdministrator((admin) => admin`select pg_stat_reset_shared('bgwriter')`);
  assert.deepEqual([await women(), lens.counted], [0, 2]);
  assert.deepEqual([await women(), lens.counted], [0, 2]);
});

test("an emptied table, and one that was counted anew, is looked through again", async () => {
  const own = await makeChurch(db);
  const lens = new Lens();
  const find = () => findOnce(lens.db, "cells", "account_id = $1 and name like 'N%'", [own.id]);
  await makeRow(db, "cells", own.id, { name: "North" });
  assert.equal((await find()).total, 1);
  await db`truncate cells cascade`;
  assert.equal((await find()).total, 0);
  await makeRow(db, "cells", own.id, { name: "Near" });
  assert.equal((await find()).total, 1);

  await inTransaction(db, async (tx) => {
    await tx`alter table cells disable trigger count_inserted`;
    await tx`insert into cells (account_id, id, name) values (${own.id}, ${newId()}, 'Next')`;
    await tx`alter table cells enable trigger count_inserted`;
    await tx`select recount_rows()`;
  });
  assert.equal((await find()).total, 2);
});

test("as many searches are remembered as the limits say, and the one nobody asks for is forgotten", async () => {
  const lens = new Lens();
  const find = (age: number) => lens.people(`is_active and ${age} = ${age}`, church.id);
  for (let age = 0; age < limits.searchesRememberedMax; age += 1) await find(age);
  await find(0);
  assert.equal(lens.known, 1);
  await find(-1);
  await find(0);
  assert.equal(lens.known, 2);
  await find(1);
  assert.equal(lens.known, 2);
});

// -- What callers see ------------------------------------------------------------------------------------------------

const searching = await makeChurch(db);
const as = searching.administrator.token;
const totalAt = async (node: typeof service, query: string, type = "people") =>
  (await node.get(`/v1/${type}?page[size]=1&${query}`, { as })).document.meta?.["total"];
/** At both nodes, and twice: the second time from memory. */
async function totalIs(expected: number, query: string, type?: string) {
  for (const node of [service, otherNode, otherNode, service])
    assert.equal(await totalAt(node, query, type), expected, query);
}

test("a total is right at every node, whichever of them was written to, or none", async () => {
  const add = async (attributes: Record<string, unknown>) => {
    const { document: made } = await service.post("/v1/people", document("people", attributes), {
      as,
    });
    return (made.data as { id: string }).id;
  };
  await totalIs(0, "filter[membership-status]=member");
  await totalIs(0, "filter[q]=zx");
  const id = await add({ "full-name": "Zxenia", "membership-status": "member" });
  await totalIs(1, "filter[membership-status]=member");
  await totalIs(1, "filter[q]=zx");
  const change = document("people", { "full-name": "Xenia" }, { id });
  assert.equal((await otherNode.patch(`/v1/people/${id}`, change, { as })).status, 200);
  await totalIs(0, "filter[q]=zx");
  await totalIs(1, "filter[membership-status]=member");
  await db`update people set membership_status = 'attender' where account_id = ${searching.id} and id = ${id}`;
  await totalIs(0, "filter[membership-status]=member");
  await db`update people set full_name = 'Zx ' || full_name where account_id = ${searching.id}`;
  await totalIs(2, "filter[q]=zx");
  assert.equal((await otherNode.delete(`/v1/people/${id}`, { as })).status, 204);
  await totalIs(1, "filter[q]=zx");
});

test("what follows from other tables or from the clock is counted each time", async () => {
  const { id } = await makePerson(db, searching.id, { fullName: "Cella" });
  const cell = await makeRow(db, "cells", searching.id, { name: "East" });
  await totalIs(0, `filter[cell]=${cell}`);
  await totalIs(2, "filter[without-cell]=true");
  const member = { cell_id: cell, person_id: id };
  const membership = await makeRow(db, "cell_memberships", searching.id, member);
  await totalIs(1, `filter[cell]=${cell}`);
  await totalIs(1, "filter[without-cell]=true");
  await totalIs(1, `filter[cell]=${cell}&filter[is-active]=true`);
  await totalIs(1, "filter[status]=active", "cell-memberships");
  await db`update cell_memberships set status = 'left' where account_id = ${searching.id} and id = ${membership}`;
  await totalIs(0, `filter[cell]=${cell}&filter[is-active]=true`);
  await totalIs(0, "filter[status]=active", "cell-memberships");

  await totalIs(0, "filter[age-min]=30");
  await db`update people set birthdate = '1980-02-03' where account_id = ${searching.id} and id = ${id}`;
  await totalIs(1, "filter[age-min]=30");
  await totalIs(0, "filter[modified-until]=2001-01-01");
  await db`update people set modified_at = '2000-01-01' where account_id = ${searching.id} and id = ${id}`;
  await totalIs(1, "filter[modified-until]=2001-01-01");
});

test("by a church's own fields: their values, and what becomes of the fields", async () => {
  const account = searching.id;
  const define = (field: unknown) =>
    service.patch(
      `/v1/accounts/${account}`,
      document(
        "accounts",
        { "custom-properties": { people: { "shirt-size": field } } },
        { id: account },
      ),
      { as },
    );
  assert.equal((await define({ type: "string", label: "Shirt" })).status, 200);
  const query = "filter[custom-properties.shirt-size]=large";
  await totalIs(0, query);
  const { id } = await makePerson(db, account, { fullName: "Larger" });
  const values = document(
    "people",
    { "custom-properties": { "shirt-size": "Extra large" } },
    { id },
  );
  assert.equal((await service.patch(`/v1/people/${id}`, values, { as })).status, 200);
  await totalIs(1, query);
  const none = document("people", { "custom-properties": { "shirt-size": null } }, { id });
  assert.equal((await otherNode.patch(`/v1/people/${id}`, none, { as })).status, 200);
  await totalIs(0, query);
  assert.equal((await define(null)).status, 200);
  assert.equal((await service.get(`/v1/people?${query}`, { as })).status, 400);
});

test("whoever does not reach everybody sees none of what others found", async () => {
  await totalIs(1, "filter[name]=cella");
  const member = await makePerson(db, searching.id, { fullName: "Cella Member" });
  await totalIs(2, "filter[name]=cella");
  const theirs = await service.get("/v1/people?filter[name]=cella", { as: member.token });
  assert.deepEqual(ids(theirs), [member.id]);
  assert.equal(theirs.document.meta?.["total"], 1);
  const church2 = await makeChurch(db);
  const others = await service.get("/v1/people?filter[name]=cella", {
    as: church2.administrator.token,
  });
  assert.equal(others.document.meta?.["total"], 0);
});

test("pages of few and of many matches are the same when asked for again, in every order", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, 30, "Few Folk");
  await addPeople(db, own.id, limits.matchesRememberedMax + 40, "Many More");
  const all = await db<{ id: string }[]>`select id from people where account_id = ${own.id}`;
  const everybody = new Set(all.map(({ id }) => id));
  for (const name of ["few", "many"])
    for (const sort of ["full-name", "-modified-at", "birthdate,-created-at", "id"])
      for (const start of sort.includes(",")
        ? ["page[number]=1"]
        : ["page[number]=1", "page[after]="]) {
        let path: string | null | undefined =
          `/v1/people?filter[name]=${name}&sort=${sort}&page[size]=20&${start}`;
        const seen: string[] = [];
        while (path) {
          const first = await service.get(path, { as: own.administrator.token });
          const again = await service.get(path, { as: own.administrator.token });
          assert.equal(first.status, 200, first.text);
          assert.equal(again.text, first.text);
          seen.push(...ids(first));
          assert.equal(
            first.document.meta?.["total"],
            name === "few" ? 30 : limits.matchesRememberedMax + 40,
          );
          path = first.document.links?.["next"];
        }
        assert.equal(new Set(seen).size, seen.length);
        assert.equal(seen.length, name === "few" ? 30 : limits.matchesRememberedMax + 40);
        assert.ok(seen.every((id) => everybody.has(id)));
      }
});

test("a change that is not committed keeps nobody waiting and is nobody's to see", async () => {
  const before = (await totalAt(service, "filter[sex]=male")) as number;
  await inTransaction(db, async (tx) => {
    const { length } = await tx`
      update people set sex = 'male' where account_id = ${searching.id} and id <> ${searching.administrator.id} returning id`;
    assert.ok(length > 0);
    const { id } = searching.administrator;
    const change = document("people", { "is-baptized": true }, { id });
    assert.equal((await service.patch(`/v1/people/${id}`, change, { as })).status, 200);
    await totalIs(before, "filter[sex]=male");
    await totalIs(1, "filter[is-baptized]=true");
  });
  const [row] = await db<{ men: number }[]>`
    select count(*)::int as men from people where account_id = ${searching.id} and sex = 'male'`;
  await totalIs(row?.men ?? -1, "filter[sex]=male");
});
