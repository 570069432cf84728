import assert from "node:assert/strict";
import { after, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { makeCourse, makeEndpoint, makePerson, makeRow } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
  identifiers,
  ids,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["person.updated"] });

let made = 0;
const newTag = (columns: { applies_to?: string[]; name?: string } = {}) => {
  made += 1;
  return makeRow(db, "tags", account.id, { name: `Tag ${made}`, ...columns });
};
const newTags = (count: number) => Promise.all(Array.from({ length: count }, () => newTag()));
const newPerson = async () => (await makePerson(db, account.id)).id;
const create = (attributes: Record<string, unknown>) =>
  service.post("/v1/tags", document("tags", attributes));
const pathOf = (personId: string) => `/v1/people/${personId}/relationships/tags`;
const tags = (...these: string[]) => identifiers("tags", these);
const tagsOf = async (personId: string) => new Set(ids(await service.get(pathOf(personId))));

test("409 · names are unique without case, and the response names the tag", async () => {
  const { id } = one(await create({ name: "Worship team" }));
  const taken = await create({ name: "WORSHIP TEAM" });
  assert.deepEqual([taken.status, ...codes(taken)], [409, "already-exists"]);
  assert.deepEqual(pointers(taken), ["/data/attributes/name"]);
  assert.equal(taken.document.errors?.[0]?.meta["id"], id);
  const renamed = document("tags", { name: "worship team" }, { id });
  assert.equal((await service.patch(`/v1/tags/${id}`, renamed)).status, 200);
  const another = await newTag();
  const clash = document("tags", { name: "Worship Team" }, { id: another });
  assert.deepEqual(codes(await service.patch(`/v1/tags/${another}`, clash)), ["already-exists"]);
});

test("409 · one of eight parallel creations with one name succeeds", async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name: "Only once" })));
  const succeeded = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  assert.deepEqual([succeeded.length, refused.length], [1, 7]);
});

test("200 · tags are added, removed and replaced, and found by the filter", async () => {
  const [first = "", second = ""] = await newTags(2);
  const [ana, ben] = [await newPerson(), await newPerson()];
  assert.equal((await service.post(pathOf(ana), tags(first, second))).status, 200);
  assert.equal((await service.patch(pathOf(ben), tags(second))).status, 200);
  const tagged = async (list: string) => ids(await service.get(`/v1/people?filter[tag]=${list}`));
  assert.deepEqual(await tagged(first), [ana]);
  assert.deepEqual(new Set(await tagged(second)), new Set([ana, ben]));
  assert.equal((await service.delete(pathOf(ana), { body: tags(second) })).status, 200);
  assert.deepEqual(await tagged(second), [ben]);
  const course = await makeCourse(db, account.id);
  const body = document("courses", {}, { id: course, relationships: { tags: tags(first) } });
  assert.equal((await service.patch(`/v1/courses/${course}`, body)).status, 200);
  assert.deepEqual(ids(await service.get(`/v1/courses?filter[tag]=${first}`)), [course]);
  const cell = one(await service.post("/v1/cells", document("cells", { name: "North" }))).id;
  const path = `/v1/cells/${cell}/relationships/tags`;
  const told = await eventsOf(() => service.post(path, tags(first)));
  assert.deepEqual(told, ["cell.updated"]);
  assert.deepEqual(ids(await service.get(`/v1/cells?filter[tag]=${first}`)), [cell]);
});

test("201 · a new person takes tags in the document", async () => {
  const tag = await newTag();
  const body = document(
    "people",
    { "full-name": "Ana Lima" },
    { relationships: { tags: tags(tag) } },
  );
  const { id } = one(await service.post("/v1/people", body));
  assert.deepEqual(await tagsOf(id), new Set([tag]));
});

test("200 · a change of tags is a person.updated with the changed field tags", async () => {
  const [ana, tag] = [await newPerson(), await newTag()];
  const before = etag(await service.get(`/v1/people/${ana}`));
  const told = await eventsOf(async () => {
    await service.post(pathOf(ana), tags(tag));
    await service.post(pathOf(ana), tags(tag));
  });
  assert.deepEqual(told, ["person.updated"]);
  assert.notEqual(etag(await service.get(`/v1/people/${ana}`)), before);
  const [event] = await db<{ changed: string[] }[]>`
    select changed_fields as changed from webhook_events
    where account_id = ${account.id} and subject_id = ${ana}`;
  assert.deepEqual(event?.changed, ["tags"]);
});

test("204 · deleting a tag removes it from every record without events", async () => {
  const [ana, tag] = [await newPerson(), await newTag()];
  await service.post(pathOf(ana), tags(tag));
  const told = await eventsOf(() => service.delete(`/v1/tags/${tag}`));
  assert.deepEqual(told, []);
  assert.deepEqual(await tagsOf(ana), new Set());
});

test("422 · a tag that does not apply is rejected, and one that no longer applies may stay", async () => {
  const [ana, forCells, tag] = [
    await newPerson(),
    await newTag({ applies_to: ["cells"] }),
    await newTag(),
  ];
  const refused = await service.post(pathOf(ana), tags(tag, forCells));
  assert.deepEqual([refused.status, ...codes(refused)], [422, "invalid-relationship"]);
  assert.deepEqual(pointers(refused), ["/data/1/id"]);
  assert.deepEqual(await tagsOf(ana), new Set());
  await service.post(pathOf(ana), tags(tag));
  const narrower = document("tags", { "applies-to": ["courses"] }, { id: tag });
  assert.equal((await service.patch(`/v1/tags/${tag}`, narrower)).status, 200);
  assert.equal((await service.patch(pathOf(ana), tags(tag))).status, 200);
  assert.deepEqual(codes(await service.post(pathOf(await newPerson()), tags(tag))), [
    "invalid-relationship",
  ]);
});

test("422 · a record has at most 25 tags, in one document and in parallel requests", async () => {
  const many = await newTags(limits.tagsPerRecordMax + 3);
  const [last = "", ...rest] = many;
  const ana = await newPerson();
  const path = pathOf(ana);
  const refused = await service.patch(path, tags(...rest));
  assert.deepEqual([refused.status, pointers(refused)], [422, ["/data"]]);
  assert.equal((await service.patch(path, tags(...rest.slice(0, 21)))).status, 200);
  const answers = await together(
    db,
    account.id,
    [...rest.slice(21), last].map((tag) => () => service.post(path, tags(tag))),
  );
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
  assert.deepEqual(statuses, [200, 200, 200, 200, 422, 422, 422]);
  assert.equal((await tagsOf(ana)).size, limits.tagsPerRecordMax);
});

test("200 · a leader who sees a person in the reduced view sees no tags and finds none by them", async () => {
  const [leader, ana, tag] = [await makePerson(db, account.id), await newPerson(), await newTag()];
  const cell = await makeRow(db, "cells", account.id, { name: "North" });
  for (const [person_id, cell_role] of [
    [leader.id, "leader"],
    [ana, "participant"],
  ] as const)
    await makeRow(db, "cell_memberships", account.id, { cell_id: cell, person_id, cell_role });
  await service.post(pathOf(ana), tags(tag));
  const as = leader.token;
  const seen = one(await service.get(`/v1/people/${ana}`, { as }));
  assert.ok(!Object.hasOwn(seen.relationships, "tags"));
  assert.deepEqual(ids(await service.get(`/v1/people?filter[tag]=${tag}`, { as })), []);
});
