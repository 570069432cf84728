import assert from "node:assert/strict";
import { after, test } from "node:test";
import jsonapiClient from "ra-jsonapi-client";
import { startSetting } from "./support.ts";

const setting = await startSetting();
after(() => setting.service.stop());

const { Authorization, Origin } = setting.headers;
// The provider runs in browsers and takes the token from where react-admin's login leaves it.
const stored = new Map([["token", Authorization.replace("Bearer ", "")]]);
const getItem = (name: string) => stored.get(name) ?? null;
Object.defineProperty(globalThis, "localStorage", { value: { getItem } });
// By default it repeats `filter[id][]`; ids with commas between them are the other form it offers.
const provide = jsonapiClient.default(setting.url, { headers: { Origin }, arrayFormat: "comma" });

interface Record {
  id: string;
  [attribute: string]: unknown;
}

const named = (records: Record[]) => records.map(({ name }) => name);

test("react-admin lists courses with filter, sort and page", async () => {
  const { data, total } = await provide("GET_LIST", "courses", {
    pagination: { page: 1, perPage: 2 },
    sort: { field: "name", order: "DESC" },
    filter: { "name": "a", "is-active": true },
  });
  assert.deepEqual(named(data), ["Marriage", "Foundations"]);
  assert.equal(total, 3);
});

test("react-admin creates, reads, changes and deletes a course", async () => {
  const created = await provide("CREATE", "courses", { data: { name: "Discipleship" } });
  const { id } = created.data as Record;

  const read = await provide("GET_ONE", "courses", { id });
  assert.equal(read.data.name, "Discipleship");

  const changed = await provide("UPDATE", "courses", { id, data: { name: "Followers" } });
  assert.equal(changed.data.name, "Followers");

  // Its form sends the whole record back, with what the service sets among it.
  const { data: whole } = await provide("GET_ONE", "courses", { id });
  const edited = await provide("UPDATE", "courses", { id, data: { ...whole, name: "Leading" } });
  assert.equal(edited.data.name, "Leading");

  await provide("DELETE", "courses", { id });
  await assert.rejects(provide("GET_ONE", "courses", { id }), { status: 404 });
});

test("react-admin reads many courses by their ids", async () => {
  const { data: all } = await provide("GET_LIST", "courses", {
    pagination: { page: 1, perPage: 2 },
    sort: { field: "name", order: "ASC" },
  });
  const ids = (all as Record[]).map(({ id }) => id);
  const { data } = await provide("GET_MANY", "courses", { ids });
  assert.deepEqual(new Set(named(data)), new Set(["Baptism", "Foundations"]));
});

test("react-admin lists the courses of a teacher", async () => {
  const { service, tess } = setting;
  const created = await provide("CREATE", "courses", { data: { name: "Prayer" } });
  await service.post(`/v1/courses/${created.data.id}/relationships/teachers`, {
    data: [{ type: "people", id: tess }],
  });
  const { data, total } = await provide("GET_MANY_REFERENCE", "courses", {
    target: "teacher",
    id: tess,
    pagination: { page: 1, perPage: 10 },
    sort: { field: "name", order: "ASC" },
  });
  assert.deepEqual(named(data), ["Prayer"]);
  assert.equal(total, 1);
});
