import assert from "node:assert/strict";
import { after, test } from "node:test";
import { describedCatalogue } from "../src/api/catalogue.ts";
import { newId } from "../src/ids.ts";
import { type Filter, parseFilter } from "../src/jsonapi/filters.ts";
import { filtersOf } from "../src/jsonapi/query.ts";
import type { Resource } from "../src/jsonapi/resource.ts";
import { Statement } from "../src/jsonapi/statement.ts";
import { limits } from "../src/limits.ts";
import { connect, type Db, inTransaction, type Tx } from "../src/store/db.ts";
import { findOnce } from "../src/store/row-counts.ts";
import { makeChurch, makePerson, makeRow } from "./support/make.ts";
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

/** Statements of `findOnce` on a database that one looks through: which were answered from memory, and which counted. */
class Lens {
  through: Db | Tx = db;
  remembered = 0;
  counted = 0;

  readonly db = {
    unsafe: (text: string, params: never[]) => ({
      values: async () => {
        const rows = await this.through.unsafe(text, params).values();
        if (rows[0]?.[1] === null) this.remembered += 1;
        else this.counted += 1;
        return rows;
      },
    }),
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

for (const of of counted)
  test(`${of.type}: what a remembered search reads is noted when it changes, and nothing else`, async () => {
    const [trigger] = await db<{ definition: string }[]>`
      select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = ${of.table}::regclass and tgname = 'note_changed'`;
    const noted = [...(trigger?.definition ?? "").matchAll(/\bold\.(\w+)/g)].map(
      ([, name = ""]) => name,
    );
    assert.deepEqual(noted.sort(), readByFilters(of));
  });

test("a change of what nobody filters by leaves no note, and one of what somebody does leaves one", async () => {
  const { id } = await makePerson(db, church.id);
  const notes = async () => {
    const rows = await db<{ note: string }[]>`
      select changed_in as note from row_counts where account_id = ${church.id} and table_name = 'people' order by slot`;
    return rows.map(({ note }) => note);
  };
  const patch = (attributes: Record<string, unknown>) =>
    service.patch(`/v1/people/${id}`, document("people", attributes, { id }));
  const before = await notes();
  assert.equal((await patch({ occupation: "Carpenter" })).status, 200);
  assert.deepEqual(await notes(), before);
  assert.equal((await patch({ "is-baptized": true })).status, 200);
  assert.notDeepEqual(await notes(), before);
});

test("of a thousand rows that one transaction changes one note is left, in a savepoint as well", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, 1_000);
  const written = async (tx: Tx) => {
    const [row] = await tx<{ updates: number }[]>`
      select n_tup_upd::int as updates from pg_stat_xact_user_tables where relname = 'row_counts'`;
    return row?.updates ?? 0;
  };
  await inTransaction(db, async (tx) => {
    // Of the connection's, not of the transaction's alone.
    const before = await written(tx);
    await tx`update people set sex = 'female' where account_id = ${own.id}`;
    await tx.savepoint(
      (nested) => nested`update people set sex = 'male' where account_id = ${own.id}`,
    );
    assert.equal((await written(tx)) - before, 1);
  });
});

// -- What is remembered ----------------------------------------------------------------------------------------------

test("all through a storm of writers, what is remembered is what one finds at that moment", async () => {
  const own = await makeChurch(db);
  await addPeople(db, own.id, 150);
  const conditions = [
    "full_name like 'One%'",
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
            select id from people where account_id = ${own.id} and ${tx.unsafe(condition)}`;
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
  assert.ok(lens.remembered > conditions.length, `${lens.remembered} from memory`);
  assert.ok(lens.counted > conditions.length, `${lens.counted} counted`);
});

test("a note that is taken back with its savepoint is left again by the next change", async () => {
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
    assert.equal(lens.counted, 1);
  });
  assert.equal((await women()).total, 6);
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
  assert.equal(lens.remembered, 1);
  await find(-1);
  await find(0);
  assert.equal(lens.remembered, 2);
  await find(1);
  assert.equal(lens.remembered, 2);
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
