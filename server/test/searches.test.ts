import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../src/base/ids.ts";
import { connect, inTransaction } from "../src/store/db.ts";
import { writeSearchText } from "../src/features/people/search-text.ts";
import { makeAccount, makePerson, makeRow } from "./support/make.ts";
import { document, ids, startService } from "./support/service.ts";

/** Totals and results of searches are exact, for every filter, order and node. */

const service = await startService();
const { db } = service;
const elsewhere = connect(service.database.url);
const otherNode = await startService({ db: elsewhere });
after(async () => {
  await otherNode.stop();
  await elsewhere.end();
  await service.stop();
});

const addPeople = (accountId: string, count: number, name: string) =>
  inTransaction(db, accountId, async (tx) => {
    await tx`insert into people (account_id, id, full_name)
      select ${accountId}, id, ${name} from unnest(${Array.from({ length: count }, newId)}::uuid[]) as id`;
    await writeSearchText(tx, accountId);
  });

const searching = await makeAccount(db);
const as = searching.administrator.token;
const totalAt = async (node: typeof service, query: string, type = "people") =>
  (await node.get(`/v1/${type}?page[size]=1&${query}`, { as })).document.meta?.["total"];
async function totalIs(expected: number, query: string, type?: string) {
  for (const node of [service, otherNode])
    assert.equal(await totalAt(node, query, type), expected, query);
}

test("the search text follows names, e-mail addresses and telephone numbers, and nothing else rewrites it", async () => {
  const made = document("people", { "full-name": "Zora Quill", "email": "zora@quill.example" });
  const { id } = (await service.post("/v1/people", made, { as })).document.data as { id: string };
  const versionOf = async () => {
    const [row] = await db`
      select xmin::text from person_search where account_id = ${searching.id} and person_id = ${id}`;
    return row?.["xmin"] as string;
  };
  const change = async (attributes: Record<string, unknown>) => {
    const body = document("people", attributes, { id });
    assert.equal((await service.patch(`/v1/people/${id}`, body, { as })).status, 200);
  };
  const before = await versionOf();
  await change({ occupation: "Potter", sex: "female" });
  assert.equal(await versionOf(), before);
  for (const [attributes, found] of [
    [{ "full-name": "Zora Inkwell" }, "inkwell"],
    [{ "preferred-name": "Zozo" }, "zozo"],
    [{ email: "zora@parchment.example" }, "zora@parchment"],
    [{ "other-emails": ["z@vellum.example"] }, "vellum"],
    [{ phones: [{ number: "+351912345678", label: "mobile" }] }, "912345"],
  ] as const) {
    await totalIs(0, `filter[q]=${found}`);
    await change(attributes);
    await totalIs(1, `filter[q]=${found}`);
  }
  await totalIs(0, "filter[q]=quill");
  assert.equal((await service.delete(`/v1/people/${id}`, { as })).status, 204);
  assert.equal(await versionOf(), undefined);
});

test("a letter finds the names that begin with it, and nothing else of a record", async () => {
  const { administrator, id: accountId } = await makeAccount(db);
  const found = async (query: string, token = administrator.token) =>
    ids(await service.get(`/v1/people?filter[q]=${encodeURIComponent(query)}`, { as: token }));
  const [elisa, percent, nuno] = [
    await makePerson(db, accountId, { fullName: "Élisa Braga Nunes", email: "q@one.example" }),
    await makePerson(db, accountId, { fullName: "Qu%in", email: "elisa@two.example" }),
    await makePerson(db, accountId, { fullName: "Nuno", email: "nuno@three.example" }),
  ];
  await inTransaction(db, accountId, (tx) => writeSearchText(tx, accountId));
  assert.deepEqual(await found("e"), [elisa.id]);
  assert.deepEqual(await found("E\u0301"), [elisa.id]);
  assert.deepEqual(await found("n"), [nuno.id]);
  assert.deepEqual(await found("e n"), [elisa.id]);
  assert.deepEqual(await found("n e"), []);
  assert.deepEqual(await found("%"), [percent.id]);
  assert.equal((await found("q@")).length, 1);
});

test("a total is exact on every node after a write on any node", async () => {
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
  const { id: administrator } = searching.administrator;
  for (const one of [id, administrator]) {
    const renamed = document("people", { "full-name": `Zx ${one}` }, { id: one });
    assert.equal((await service.patch(`/v1/people/${one}`, renamed, { as })).status, 200);
  }
  await totalIs(2, "filter[q]=zx");
  assert.equal((await otherNode.delete(`/v1/people/${id}`, { as })).status, 204);
  await totalIs(1, "filter[q]=zx");
});

test("totals follow related tables and the clock", async () => {
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

test("totals follow custom fields and their values", async () => {
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

test("a total includes only people within the reach of the caller", async () => {
  await totalIs(1, "filter[name]=cella");
  const member = await makePerson(db, searching.id, { fullName: "Cella Member" });
  await totalIs(2, "filter[name]=cella");
  const theirs = await service.get("/v1/people?filter[name]=cella", { as: member.token });
  assert.deepEqual(ids(theirs), [member.id]);
  assert.equal(theirs.document.meta?.["total"], 1);
  const second = await makeAccount(db);
  const others = await service.get("/v1/people?filter[name]=cella", {
    as: second.administrator.token,
  });
  assert.equal(others.document.meta?.["total"], 0);
});

test("the pages of a search show every match once, in every order", async () => {
  const own = await makeAccount(db);
  await addPeople(own.id, 30, "Few Folk");
  await addPeople(own.id, 240, "Many More");
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
          assert.equal(first.status, 200, first.text);
          seen.push(...ids(first));
          assert.equal(first.document.meta?.["total"], name === "few" ? 30 : 240);
          path = first.document.links?.["next"];
        }
        assert.equal(new Set(seen).size, seen.length);
        assert.equal(seen.length, name === "few" ? 30 : 240);
        assert.ok(seen.every((id) => everybody.has(id)));
      }
});

test("an uncommitted change is not counted and blocks no search", async () => {
  const before = (await totalAt(service, "filter[sex]=male")) as number;
  await inTransaction(db, searching.id, async (tx) => {
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
