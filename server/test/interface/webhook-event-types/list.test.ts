import assert from "node:assert/strict";
import { after, test } from "node:test";
import { declared, describedCatalogue } from "../../../src/catalogue.ts";
import { makePerson } from "../../support/make.ts";
import { codes, ids, many, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const list = (query = "", more = {}) => service.get(`/v1/webhook-event-types?${query}`, more);
const types = Object.keys(declared.events).sort();

test("200 · every type that can be subscribed to is there, on one page", async () => {
  const answer = await list();
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get("content-type"), "application/vnd.api+json");
  assert.deepEqual(ids(answer), types);
  assert.deepEqual(answer.document.meta, { page: 1, size: 100, total: types.length });
  for (const name of ["person.created", "person.updated", "person.merged", "cell.updated"])
    assert.ok(types.includes(name), name);
});

test("200 · the control messages, which nobody subscribes to, are not", async () => {
  assert.ok(!types.some((name) => name.startsWith("webhook.")));
});

test("200 · each says what it means, since when, what it tells about people, and shows an example", async () => {
  for (const { attributes, id } of many(await list())) {
    assert.deepEqual(
      Object.keys(attributes).sort(),
      ["description", "example", "is-captured", "personal-data-level", "since"],
      id,
    );
    assert.match(String(attributes["description"]), /\.$/, id);
    assert.match(String(attributes["since"]), /^\d+\.\d+\.\d+$/, id);
    assert.ok(["none", "ids", "details"].includes(String(attributes["personal-data-level"])), id);
  }
});

test("200 · is-captured is true of the types that some write tells, and of no others", async () => {
  const told = [...describedCatalogue.resources.values()].flatMap(({ captures = {} }) =>
    Object.values(captures),
  );
  const captured = many(await list()).filter(({ attributes }) => attributes["is-captured"]);
  assert.deepEqual(
    captured.map(({ id }) => id),
    // Told beside person.updated; people/update.test.ts holds that.
    [...told, "person.deactivated", "person.reactivated"].sort(),
  );
});

test("200 · pages, their links, sort and fields work as on every list", async () => {
  const seen: string[] = [];
  let next: string | null =
    "/v1/webhook-event-types?page[size]=20&sort=-id&fields[webhook-event-types]=since";
  while (next !== null) {
    const answer = await service.get(next);
    for (const { attributes } of many(answer)) assert.deepEqual(Object.keys(attributes), ["since"]);
    seen.push(...ids(answer));
    next = answer.document.links?.["next"] ?? null;
  }
  assert.deepEqual(seen, types.toReversed());
  assert.deepEqual(ids(await list("page[number]=9")), []);
});

test("400 · what the list does not understand is refused", async () => {
  for (const [query, parameter] of [
    ["filter[event-type]=person.created", "filter[event-type]"],
    ["page[size]=101", "page[size]"],
    ["page[after]=", "page[after]"],
    ["sort=since", "sort"],
    ["include=example", "include"],
    ["fields[webhook-event-types]=type", "fields[webhook-event-types]"],
    ["fields[people]=email", "fields[people]"],
  ] as const) {
    const answer = await list(query);
    assert.equal(answer.status, 400, query);
    assert.deepEqual(parameters(answer), [parameter]);
  }
});

test("403 · the catalogue is for those who manage webhooks", async () => {
  const { token } = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  assert.deepEqual(codes(await list("", { as: token })), ["forbidden"]);
  assert.equal((await list("", { as: null })).status, 401);
});

test("405 · nobody changes the catalogue", async () => {
  assert.equal((await service.request("POST", "/v1/webhook-event-types")).status, 405);
});
