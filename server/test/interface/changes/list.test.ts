import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DAY } from "../../../src/base/clock.ts";
import { isId, newId, NIL_ID } from "../../../src/base/ids.ts";
import { limits } from "../../../src/base/limits.ts";
import { freshDatabase } from "../../support/database.ts";
import {
  makeAssignment,
  makeEndpoint,
  makeIntegration,
  makePerson,
  type Member,
} from "../../support/make.ts";
import { codes, document, one, parameters, startService } from "../../support/service.ts";
import { feedOf, told } from "../../support/changes.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const feed = feedOf(service);
const create = async (name: string) =>
  one(await service.post("/v1/people", document("people", { "full-name": name })));

test("200 · writes appear in the order of their commits, one row for each resource and transaction", async () => {
  const start = await feed.now();
  const ana = await create("Ana");
  await service.patch(
    `/v1/people/${ana.id}`,
    document("people", { occupation: "Baker" }, { id: ana.id }),
  );
  const tag = one(await service.post("/v1/tags", document("tags", { name: "Choir" })));
  await service.delete(`/v1/people/${ana.id}`);
  const { changes, isComplete } = await feed.read(start);
  assert.deepEqual(told(changes), [
    `created people ${ana.id}`,
    `updated people ${ana.id}`,
    `created tags ${tag.id}`,
    `deleted people ${ana.id}`,
  ]);
  assert.equal(isComplete, true);
  assert.deepEqual(
    changes.map(({ id }) => id),
    changes.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1)),
  );
});

test("200 · a merge names the kept person, who is updated in the same transaction", async () => {
  const [kept, removed] = [await create("Rui Santos"), await create("Rui dos Santos")];
  const start = await feed.now();
  const merge = one(
    await service.post(
      "/v1/person-merges",
      document(
        "person-merges",
        {},
        {
          relationships: {
            kept: { data: { type: "people", id: kept.id } },
            removed: { data: [{ type: "people", id: removed.id }] },
          },
        },
      ),
    ),
  );
  const { changes } = await feed.read(start);
  assert.deepEqual(
    told(changes).toSorted((a, b) => (a < b ? -1 : 1)),
    [
      `created person-merges ${merge.id}`,
      `merged people ${removed.id}`,
      `updated people ${kept.id}`,
    ],
  );
  const [row] = changes.filter(({ attributes }) => attributes["action"] === "merged");
  assert.equal(row?.attributes["merged-into"], kept.id);
});

test("200 · a row is a resource with its position as id", async () => {
  const start = await feed.now();
  const { id } = await create("Bia");
  const [row] = (await feed.read(start)).changes;
  const {
    "occurred-at": occurredAt,
    "request-id": requestId,
    ...attributes
  } = row?.attributes ?? {};
  assert.deepEqual(
    { ...row, attributes },
    {
      type: "changes",
      id: row?.id,
      attributes: {
        "action": "created",
        "resource-type": "people",
        "resource-id": id,
        "merged-into": null,
        "changed": [],
        "client": null,
      },
    },
  );
  assert.ok(isId(String(requestId)));
  assert.match(String(occurredAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("200 · without a position the feed starts at the oldest row, and next leads through all pages", async () => {
  const all = (await feed.read(undefined, "page[size]=1000")).changes;
  const paged = [];
  let path: string | undefined = "/v1/changes?page[size]=2&filter[types]=people";
  for (let more = true; more; ) {
    const answer = await service.get(path);
    const { data, links, meta } = answer.document;
    paged.push(...(data as typeof all));
    path = links?.["next"] ?? "";
    more = meta?.["is-complete"] === false;
    assert.ok((data as unknown[]).length === 2 || !more);
  }
  assert.deepEqual(
    paged,
    all.filter(({ attributes }) => attributes["resource-type"] === "people"),
  );
});

test("200 · now returns no rows and the present position, and the next page begins there", async () => {
  const answer = await service.get("/v1/changes?page[after]=now&filter[types]=people");
  assert.deepEqual(
    [answer.document.data, answer.document.meta],
    [[], { "is-complete": true, "behind": 0 }],
  );
  const next = answer.document.links?.["next"] ?? "";
  assert.deepEqual((await service.get(next)).document.data, []);
  await service.post("/v1/tags", document("tags", { name: "Band" }));
  const { id } = await create("Caio");
  const { data } = (await service.get(next)).document;
  assert.deepEqual(told(data as never), [`created people ${id}`]);
});

test("200 · rows of other types move the position, so that they are read once", async () => {
  const start = await feed.now();
  await create("Davi");
  const { changes, next } = await feed.read(start, "filter[types]=cells");
  assert.deepEqual([changes, next], [[], await feed.now()]);
});

test("200 · log-ins, computed lists and the history of webhooks are not in the feed", async () => {
  const types = ["audit-entries", "webhook-events", "cell-report-summaries", "person-duplicate"];
  for (const type of types) {
    const answer = await service.get(`/v1/changes?filter[types]=people,${type}`);
    assert.deepEqual([answer.status, parameters(answer)], [400, ["filter[types]"]], type);
  }
});

test("200 · an integration sees no changes of webhooks, whose routes refuse it", async () => {
  const own = await feed.now();
  const { id, token } = await makeIntegration(db);
  await db`insert into account_integrations (account_id, integration_id) values (${account.id}, ${id})`;
  await db`update accounts set integration_approved = true where id = ${account.id}`;
  const headers = { "Origin": null, "X-SVC-API-Token": token };
  const start = (await service.get("/v1/changes?page[after]=now", { headers })).document.links;
  await makeEndpoint(db, account.id);
  const filter = "filter[types]=webhook-endpoints";
  const page = await service.get(`${start?.["next"]}&${filter}`, { headers });
  assert.deepEqual(page.document.data, []);
  assert.equal((await feed.read(own, filter)).changes.length, 1);
});

test("400 · malformed positions, sizes and types are reported together", async () => {
  const answer = await service.get(
    "/v1/changes?page[after]=yesterday&page[size]=1001&filter[types]=persons&filter[action]=moved&sort=id",
  );
  assert.equal(answer.status, 400);
  assert.deepEqual(
    new Set(parameters(answer)),
    new Set(["filter[action]", "filter[types]", "page[after]", "page[size]", "sort"]),
  );
});

test("200 · an update names its members, without those that the caller does not read", async () => {
  const secretary = await makePerson(db, account.id, { administrativeStatus: "none" });
  await makeAssignment(db, account.id, { personId: secretary.id, role: "teacher" });
  const [whole, partial] = [await feed.now(), await feed.now(secretary)];
  const { id } = await create("Gil");
  const attributes = { "occupation": "Cook", "preferred-name": "Gi", "medical-notes": "Asthma" };
  await service.patch(`/v1/people/${id}`, document("people", attributes, { id }));
  const changed = async (start: string, by?: Member) => {
    const { changes } = await feed.read(start, "filter[action]=updated", by);
    return changes.map(({ attributes: row }) => new Set(row["changed"] as string[]));
  };
  assert.deepEqual(await changed(whole), [new Set(Object.keys(attributes))]);
  assert.deepEqual(await changed(partial, secretary), [new Set(["preferred-name"])]);
});

test("200 · a page says how many rows wait, and which integration wrote them", async () => {
  const start = await feed.now();
  const { id, token } = await makeIntegration(db);
  const [made] = await db<{ name: string }[]>`select name from integrations where id = ${id}`;
  await db`insert into account_integrations (account_id, integration_id) values (${account.id}, ${id})`;
  await db`update accounts set integration_approved = true where id = ${account.id}`;
  const headers = { "Origin": null, "X-SVC-API-Token": token };
  for (const text of ["Ida", "Ivo", "Inga"])
    await service.post("/v1/people", document("people", { "full-name": text }), { headers });
  const { behind, changes } = await feed.read(start, "page[size]=1&filter[types]=people");
  assert.deepEqual([behind, changes[0]?.attributes["client"]], [2, made?.name]);
});

test("401 · without a token", async () => {
  assert.equal((await service.get("/v1/changes", { as: null })).status, 401);
  assert.equal((await service.get("/v1/changes/stream", { as: null })).status, 401);
});

test("410 · altered positions, those of other accounts and those of the future", async () => {
  const other = await startService();
  const foreign = await feedOf(other).now();
  const own = await feed.now();
  const digit = own[12] === "0" ? "1" : "0";
  for (const position of [foreign, own.slice(0, 12) + digit + own.slice(13), newId()])
    for (const path of ["/v1/changes", "/v1/changes/stream"]) {
      const answer = await service.get(`${path}?page[after]=${position}`);
      assert.deepEqual([answer.status, codes(answer)], [410, ["position-expired"]], path);
    }
});

test("410 · a position expires with the first row after it, and a quiet account keeps its own", async () => {
  const quiet = await startService({ database: await freshDatabase("it has old partitions") });
  after(() => quiet.stop());
  const {
    account: { id: accountId },
    db,
  } = quiet;
  await db`create table journal_old partition of journal default`;
  const { now } = feedOf(quiet);
  const rights = (await now()).split(".")[1] ?? "";
  const read = (position: string) => quiet.get(`/v1/changes?page[after]=${position}.${rights}`);
  const begun = Date.now();
  const at = (days: number) => {
    const hex = (begun - days * DAY).toString(16).padStart(12, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
  };
  const kept = limits.changesMs / DAY;
  const [first, second, third] = [at(kept + 3), at(kept + 2), at(kept - 1)] as const;
  await db`delete from journal where account_id = ${accountId}`;
  assert.deepEqual(await now(), `${NIL_ID}.${rights}`);
  assert.equal((await read(NIL_ID)).status, 200);
  const add = (id: string) => db`
    insert into journal (account_id, id, occurred_at, action, resource_type, resource_id, cause)
    values (${accountId}, ${id}, now(), 'created', 'people', ${newId()}, 'system')`;
  await add(first);
  assert.deepEqual([(await read(NIL_ID)).status, (await read(first)).status], [410, 200]);
  await add(second);
  assert.deepEqual([(await read(first)).status, (await read(second)).status], [410, 200]);
  await add(third);
  const { document: answer } = await read(second);
  assert.deepEqual(
    (answer.data as { id: string }[]).map((row) => row.id),
    [`${third}.${rights}`],
  );
  const oldest = await quiet.get("/v1/changes");
  assert.deepEqual((oldest.document.data as { id: string }[])[0]?.id, `${third}.${rights}`);
});

test("200 · a page stops after 10,000 rows that the caller does not see, and says that more wait", async () => {
  const database = await freshDatabase("it inserts many rows");
  const own = await startService({ database });
  after(() => own.stop());
  const start = await feedOf(own).now();
  await own.db`
    insert into journal (account_id, id, occurred_at, action, resource_type, resource_id, cause)
    select ${own.account.id}, (substring(${start}::text for 24) || lpad(to_hex((16 + place) * 65536), 12, '0'))::uuid, now(),
      'updated', case place when 10500 then 'cells' else 'people' end, ${newId()}, 'system'
    from generate_series(1, 11000) place`;
  const first = await feedOf(own).read(start, "filter[types]=cells");
  assert.deepEqual([first.changes, first.isComplete, first.behind], [[], false, 1]);
  const second = await feedOf(own).read(first.next, "filter[types]=cells");
  assert.deepEqual([second.changes.length, second.isComplete], [1, true]);
});

test("200 · a person without any right sees nothing of others", async () => {
  const paul = await makePerson(db, account.id);
  const start = await feed.now(paul);
  await create("Eva");
  await service.patch(
    `/v1/people/${paul.id}`,
    document("people", { occupation: "Cook" }, { id: paul.id }),
  );
  const { changes } = await feed.read(start, "", paul);
  assert.deepEqual(told(changes), [`updated people ${paul.id}`]);
});
