import assert from "node:assert/strict";
import { after, test } from "node:test";
import { allowIntegration } from "../../src/access/integrations.ts";
import { newId } from "../../src/base/ids.ts";
import { makeCourse, makeEndpoint, makeIntegration, makePerson } from "../support/make.ts";
import { identifiers, one } from "../support/service.ts";
import { book, holding, library, startLibrary } from "./library.ts";

/** The events of derived operations: their type, changed fields, cause and snapshot. */

const service = await startLibrary();
after(() => service.stop());
const { account, db } = service;
const { change, create } = library(service);
await makeEndpoint(db, account.id, { events: ["course.updated"] });
const [ana, ben] = [(await makePerson(db, account.id)).id, (await makePerson(db, account.id)).id];

interface Told {
  type: string;
  changed: string[] | null;
  cause: string;
  actor: string;
  batch: string | null;
  merge: unknown;
  snapshot: unknown;
}

/** The captured events of a book, oldest first. */
const toldOf = async (id: string) => [
  ...(await db<Told[]>`
    select event_type as type, changed_fields as changed, cause, actor_id as actor, batch_id as batch, merge,
      snapshot::json as snapshot
    from webhook_events where account_id = ${account.id} and subject_id = ${id} order by id`),
];

test("201 · an event of a creation has the snapshot, the actor and no changed fields", async () => {
  const { attributes, id } = one(await create({ name: "Told", order: 3 }, [ana]));
  const me = { data: { type: "people", id: account.administrator.id } };
  const relationships = { "created-by": me, "modified-by": me };
  assert.deepEqual(await toldOf(id), [
    {
      type: "course.created",
      changed: null,
      cause: "ui",
      actor: account.administrator.id,
      batch: null,
      merge: null,
      snapshot: { type: "books", id, attributes, relationships },
    },
  ]);
});

test("200 · an event of a change names the attributes and links that differ", async () => {
  const id = await makeCourse(db, account.id, "Changing");
  const send = async (attributes: Record<string, unknown>, ...writers: string[]) => {
    const before = (await toldOf(id)).length;
    const answer = await service.patch(`/v1/books/${id}`, book(attributes, writers, id));
    assert.equal(answer.status, 200, answer.text);
    return (await toldOf(id)).slice(before).map(({ changed }) => changed);
  };
  const sent = { "name": "Changing", "summary": "New", "order": 0, "is-active": true };
  assert.deepEqual(await send(sent), [["summary", "order"]]);
  const { attributes } = one(await service.get(`/v1/books/${id}`));
  assert.partialDeepStrictEqual((await toldOf(id))[0]?.snapshot, { attributes });
  assert.deepEqual(await send({}, ana), [["writers"]]);
  assert.deepEqual(await send({ summary: "Two" }, ana, ben), [["summary", "writers"]]);
  assert.deepEqual(await send({ summary: "Both" }, ben, ana), [["summary"]]);
  assert.deepEqual(await send({}, ana), [["writers"]]);

  const path = `/v1/books/${id}/relationships/writers`;
  await service.post(path, identifiers("people", [ben]));
  await service.delete(path, { body: identifiers("people", [ana]) });
  await service.patch(path, identifiers("people", []));
  for (const { changed, type } of (await toldOf(id)).slice(-3))
    assert.deepEqual([type, changed], ["course.updated", ["writers"]]);
});

test("200 · an event has its actor, and whether an integration caused it", async () => {
  const { id: integration, token } = await makeIntegration(db);
  await db`update accounts set integration_approved = true where id = ${account.id}`;
  await allowIntegration(db, { id: integration, alias: account.alias });
  const editor = await holding(service, ["courses:write"], "account");
  const id = await makeCourse(db, account.id, "By many");
  await change(id, { name: "By an editor" }, { as: editor.token });
  const headers = { "Origin": null, "X-SVC-API-Token": token };
  await change(id, { name: "By a program" }, { headers });
  const told = (await toldOf(id)).map(({ actor, cause }) => [actor, cause]);
  assert.deepEqual(told, [
    [editor.id, "ui"],
    [account.administrator.id, "api"],
  ]);
});

test("422 · a rejected change captures no event", async () => {
  const id = await makeCourse(db, account.id, "Untold");
  const answer = await service.patch(`/v1/books/${id}`, book({ summary: "x" }, [newId()], id));
  assert.deepEqual([answer.status, await toldOf(id)], [422, []]);
});

test("204 · a deleted resource keeps its history, and the event of its deletion has only its id", async () => {
  const { id } = one(await create({ name: "Going" }));
  await change(id, { summary: "Soon" });
  await service.delete(`/v1/books/${id}`);
  const [created, updated, deleted] = await toldOf(id);
  assert.deepEqual([created?.type, created?.changed], ["course.created", null]);
  assert.partialDeepStrictEqual(updated?.snapshot, { attributes: { summary: "Soon" } });
  assert.deepEqual([deleted?.type, deleted?.changed], ["course.deleted", null]);
  assert.deepEqual(deleted?.snapshot, { type: "books", id });
});
