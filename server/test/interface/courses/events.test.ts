import assert from "node:assert/strict";
import { after, test } from "node:test";
import { allowIntegration, createIntegration } from "../../../src/access/integrations.ts";
import { newId } from "../../../src/base/ids.ts";
import { makeCourse, makeEndpoint, makePerson } from "../../support/make.ts";
import { document, identifiers, one, startService, type Resource } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["course.updated"] });

interface Told {
  type: string;
  changed: string[] | null;
  cause: string;
  actor: string;
  batch: string | null;
  merge: unknown;
  snapshot: { attributes: Record<string, unknown>; relationships: Record<string, unknown> };
}

/** The captured events of a course, oldest first. */
const toldOf = (courseId: string) => db<Told[]>`
  select event_type as type, changed_fields as changed, cause, actor_id as actor, batch_id as batch, merge,
    snapshot::json as snapshot
  from webhook_events where account_id = ${account.id} and subject_id = ${courseId} order by id`;

const teachers = (...these: string[]) => ({ teachers: identifiers("people", these) });
const [ana, ben] = [(await makePerson(db, account.id)).id, (await makePerson(db, account.id)).id];

/** The changed fields of the events of a course, after each change. */
async function changes(id: string, parts: Parameters<typeof document>[2], attributes = {}) {
  const before = (await toldOf(id)).length;
  const body = document("courses", attributes, { id, ...parts });
  const answer = await service.patch(`/v1/courses/${id}`, body);
  assert.equal(answer.status, 200, answer.text);
  return (await toldOf(id)).slice(before).map(({ changed }) => changed);
}

/** The link of an image ends after a while, so no event contains it. */
function lasting({ attributes }: Resource): Record<string, unknown> {
  const { "image-url": link, ...others } = attributes;
  assert.equal(link, null);
  return others;
}

test("201 · course.created has the snapshot, the actor and no changed fields", async () => {
  const body = document("courses", { name: "Told", order: 3 }, { relationships: teachers(ana) });
  const created = one(await service.post("/v1/courses", body));
  const [event, ...more] = await toldOf(created.id);
  assert.ok(event);
  const { snapshot, ...told } = event;
  assert.deepEqual(told, {
    type: "course.created",
    changed: null,
    cause: "ui",
    actor: account.administrator.id,
    batch: null,
    merge: null,
  });
  const me = { data: { type: "people", id: account.administrator.id } };
  assert.deepEqual(snapshot, {
    type: "courses",
    id: created.id,
    attributes: lasting(created),
    relationships: { "created-by": me, "modified-by": me },
  });
  assert.deepEqual(more, []);
});

test("200 · course.updated names the fields that differ and has the new snapshot", async () => {
  const id = await makeCourse(db, account.id, "Changing");
  const sent = { "name": "Changing", "summary": "New", "price": 0, "is-active": true };
  assert.deepEqual(await changes(id, {}, sent), [["summary", "price"]]);
  const [event] = await toldOf(id);
  assert.deepEqual(
    event?.snapshot.attributes,
    lasting(one(await service.get(`/v1/courses/${id}`))),
  );
});

test("200 · a changed relationship counts as a changed field", async () => {
  const id = await makeCourse(db, account.id, "Linked");
  assert.deepEqual(await changes(id, { relationships: teachers(ana) }), [["teachers"]]);
  const both = await changes(id, { relationships: teachers(ana, ben) }, { summary: "Two teach" });
  assert.deepEqual(both, [["summary", "teachers"]]);
  const same = await changes(id, { relationships: teachers(ben, ana) }, { summary: "Both teach" });
  assert.deepEqual(same, [["summary"]]);
  assert.deepEqual(await changes(id, { relationships: teachers(ana) }), [["teachers"]]);

  const path = `/v1/courses/${id}/relationships/teachers`;
  const before = (await toldOf(id)).length;
  await service.post(path, identifiers("people", [ben]));
  await service.delete(path, { body: identifiers("people", [ana]) });
  await service.patch(path, identifiers("people", []));
  assert.deepEqual(
    (await toldOf(id)).slice(before).map(({ type, changed }) => [type, changed]),
    Array.from({ length: 3 }, () => ["course.updated", ["teachers"]]),
  );
});

test("200 · custom fields are named one by one, and restricted fields never appear", async () => {
  const courses = {
    room: { type: "string" },
    level: { type: "integer" },
    budget: { "type": "integer", "read-access": "staff" },
  };
  const definitions = document(
    "accounts",
    { "custom-properties": { courses } },
    { id: account.id },
  );
  assert.equal((await service.patch(`/v1/accounts/${account.id}`, definitions)).status, 200);
  const id = await makeCourse(db, account.id, "Own fields");
  const change = (values: object) => changes(id, {}, { "custom-properties": values });
  const [first] = await change({ room: "Attic", level: 1, budget: 7 });
  assert.deepEqual(first?.sort(), ["custom-properties.level", "custom-properties.room"]);
  assert.deepEqual(await change({ room: "Attic", level: 2 }), [["custom-properties.level"]]);
  assert.deepEqual(await change({ room: null }), [["custom-properties.room"]]);
  assert.deepEqual(await change({ budget: 8 }), [[]]);
  const shown = (await toldOf(id)).at(-1)?.snapshot.attributes["custom-properties"];
  assert.deepEqual(shown, { level: 2 });
});

test("200 · an event has its actor, and whether an integration caused it", async () => {
  const { id: integration, token } = await createIntegration(db, { name: "Sync" });
  await db`update accounts set integration_approved = true where id = ${account.id}`;
  await allowIntegration(db, { id: integration, alias: account.alias });
  const administrator = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const id = await makeCourse(db, account.id, "By many");
  const rename = (name: string, more: Parameters<typeof service.patch>[2]) =>
    service.patch(`/v1/courses/${id}`, document("courses", { name }, { id }), more);
  await rename("By an administrator", { as: administrator.token });
  await rename("By a program", { headers: { "Origin": null, "X-SVC-API-Token": token } });
  assert.deepEqual(
    (await toldOf(id)).map(({ actor, cause }) => [actor, cause]),
    [
      [administrator.id, "ui"],
      [account.administrator.id, "api"],
    ],
  );
});

test("422 · a rejected change captures no event", async () => {
  const id = await makeCourse(db, account.id, "Untold");
  const body = document("courses", { summary: "x" }, { id, relationships: teachers(newId()) });
  assert.equal((await service.patch(`/v1/courses/${id}`, body)).status, 422);
  assert.deepEqual([...(await toldOf(id))], []);
});

test("204 · a deleted course keeps its history, and course.deleted has only its id", async () => {
  const { id } = one(await service.post("/v1/courses", document("courses", { name: "Going" })));
  await service.patch(`/v1/courses/${id}`, document("courses", { summary: "Soon" }, { id }));
  await service.delete(`/v1/courses/${id}`);
  const told = await toldOf(id);
  assert.deepEqual(
    told.map(({ type, changed }) => [type, changed]),
    [
      ["course.created", null],
      ["course.updated", ["summary"]],
      ["course.deleted", null],
    ],
  );
  assert.equal(told[1]?.snapshot.attributes["summary"], "Soon");
  assert.deepEqual(told[2]?.snapshot, { type: "courses", id });
});
