import assert from "node:assert/strict";
import { after, test } from "node:test";
import { HOUR, MINUTE } from "../../../src/base/clock.ts";
import { makeDay, recordEvent } from "../../support/history.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import { ids, many, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);

const now = Date.now();
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();

const actor = await makePerson(db, account.id);
const event = {
  created: await recordEvent(db, account.id, { at: ago(4 * HOUR), actorId: actor.id }),
  updated: await recordEvent(db, account.id, {
    at: ago(3 * HOUR),
    type: "person.updated",
    changedFields: ["email"],
  }),
  course: await recordEvent(db, account.id, { at: ago(2 * HOUR), type: "course.created" }),
  again: await recordEvent(db, account.id, { at: ago(HOUR), type: "person.updated" }),
};
const newestFirst = [event.again, event.course, event.updated, event.created];
await recordEvent(db, other.id, { at: ago(HOUR) });

const list = (query = "", more = {}) => service.get(`/v1/webhook-events?${query}`, more);
const listed = async (query: string) => ids(await list(query));

test("200 · the newest event comes first", async () => {
  const answer = await list();
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(ids(answer), newestFirst);
});

test("200 · a list shows events without their snapshots", async () => {
  const created = many(await list()).at(-1);
  assert.deepEqual(Object.keys(created?.attributes ?? {}).sort(), [
    "batch-id",
    "cause",
    "event-type",
    "expires-at",
    "occurred-at",
    "schema-version",
  ]);
  assert.equal(created?.attributes["event-type"], "person.created");
  assert.equal(created?.attributes["occurred-at"], ago(4 * HOUR));
  assert.deepEqual(created?.relationships["actor"], { data: { type: "people", id: actor.id } });
});

test("200 · a list omits snapshots even if `fields` names them", async () => {
  const answer = await list("fields[webhook-events]=event-type,snapshot,subject");
  for (const { attributes, relationships } of many(answer)) {
    assert.deepEqual(Object.keys(attributes), ["event-type"]);
    assert.deepEqual(Object.keys(relationships), ["subject"]);
  }
});

test("200 · filter[event-type] takes one type or several", async () => {
  assert.deepEqual(await listed("filter[event-type]=person.updated"), [event.again, event.updated]);
  assert.deepEqual(await listed("filter[event-type]=course.created,person.created"), [
    event.course,
    event.created,
  ]);
  const none = await list("filter[event-type]=cell.updated");
  assert.deepEqual(none.document.meta, { page: 1, size: 25, total: 0 });
});

test("200 · filter[from] and filter[to] are inclusive bounds on occurred-at", async () => {
  assert.deepEqual(await listed(`filter[from]=${ago(2 * HOUR)}`), newestFirst.slice(0, 2));
  assert.deepEqual(await listed(`filter[from]=${ago(2 * HOUR - 1)}`), newestFirst.slice(0, 1));
  assert.deepEqual(await listed(`filter[to]=${ago(2 * HOUR)}`), newestFirst.slice(1));
  assert.deepEqual(await listed(`filter[to]=${ago(2 * HOUR + 1)}`), newestFirst.slice(2));
  assert.deepEqual(await listed(`filter[from]=${ago(3 * HOUR)}&filter[to]=${ago(2 * HOUR)}`), [
    event.course,
    event.updated,
  ]);
  assert.deepEqual(await listed("filter[from]=2020-01-01"), newestFirst);
});

test("200 · events older than 30 days are not listed, even if their partition remains", async () => {
  const own = await makeAccount(db);
  const [kept, over] = [ago(30 * 24 * HOUR - MINUTE), ago(30 * 24 * HOUR + MINUTE)];
  for (const at of [kept, over]) await makeDay(db, at);
  await recordEvent(db, own.id, { at: over });
  const there = await recordEvent(db, own.id, { at: kept });
  const answer = await list("", { as: own.administrator.token });
  assert.deepEqual(ids(answer), [there]);
  assert.equal(answer.document.meta?.["total"], 1);
});
