import assert from "node:assert/strict";
import { after, test } from "node:test";
import { HOUR, MINUTE } from "../../../src/base/clock.ts";
import { newId } from "../../../src/base/ids.ts";
import { makeDay, recordEvent } from "../../support/history.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import { codes, ids, many, parameters, startService } from "../../support/service.ts";

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

test("200 · events are told without their snapshot", async () => {
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

test("200 · not even where `fields` asks for it", async () => {
  const answer = await list("fields[webhook-events]=event-type,snapshot,subject");
  for (const { attributes, relationships } of many(answer)) {
    assert.deepEqual(Object.keys(attributes), ["event-type"]);
    assert.deepEqual(Object.keys(relationships), ["subject"]);
  }
});

test("200 · meta is page, size and total; a page has 25 events unless the caller says otherwise", async () => {
  assert.deepEqual((await list()).document.meta, { page: 1, size: 25, total: 4 });
  const second = await list("page[size]=3&page[number]=2");
  assert.deepEqual(second.document.meta, { page: 2, size: 3, total: 4 });
  assert.deepEqual(ids(second), [event.created]);
  assert.equal((await list("page[size]=100")).status, 200);
});

test("200 · links lead through all pages, and so does page[after]", async () => {
  for (const start of [
    "page[size]=3",
    "page[size]=1&page[after]=",
    "sort=id&page[size]=1&page[after]=",
  ]) {
    const seen: string[] = [];
    for (let next: string | null = `/v1/webhook-events?${start}`; next !== null; ) {
      const answer = await service.get(next);
      seen.push(...ids(answer));
      next = answer.document.links?.["next"] ?? null;
    }
    assert.deepEqual(seen, start.startsWith("sort") ? newestFirst.toReversed() : newestFirst);
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

test("200 · filter[from] and filter[to] are bounds on occurred-at, both included", async () => {
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

test("400 · a type that does not exist, a time that is none, and a page out of bounds are refused", async () => {
  for (const [query, parameter] of [
    ["filter[event-type]=person.exploded", "filter[event-type]"],
    ["filter[event-type]=person.created,", "filter[event-type]"],
    ["filter[event-type]=webhook.test", "filter[event-type]"],
    ["filter[event-type]=person.*", "filter[event-type]"],
    ["filter[from]=yesterday", "filter[from]"],
    ["filter[to]=2026-02-30", "filter[to]"],
    ["filter[subject]=x", "filter[subject]"],
    ["filter[modified-since]=2026-01-01", "filter[modified-since]"],
    ["page[size]=101", "page[size]"],
    ["page[size]=0", "page[size]"],
    ["page[number]=0", "page[number]"],
    ["sort=cause", "sort"],
    ["include=subject", "include"],
    ["fields[webhook-events]=shoes", "fields[webhook-events]"],
  ] as const) {
    const answer = await list(query);
    assert.equal(answer.status, 400, `${query} ${answer.text}`);
    assert.deepEqual(parameters(answer), [parameter]);
  }
});

test("200 · what is older than 30 days is not there, though its day has not been dropped", async () => {
  const own = await makeAccount(db);
  const [kept, over] = [ago(30 * 24 * HOUR - MINUTE), ago(30 * 24 * HOUR + MINUTE)];
  for (const at of [kept, over]) await makeDay(db, at);
  await recordEvent(db, own.id, { at: over });
  const there = await recordEvent(db, own.id, { at: kept });
  const answer = await list("", { as: own.administrator.token });
  assert.deepEqual(ids(answer), [there]);
  assert.equal(answer.document.meta?.["total"], 1);
});

test("200 · an account has its own events and no other's", async () => {
  const own = await makeAccount(db);
  const answer = await list(`filter[id]=${event.created}`, { as: own.administrator.token });
  assert.deepEqual(ids(answer), []);
  assert.equal(answer.document.meta?.["total"], 0);
});

test("403 · history is for full administrators, without a client token and from no foreign page", async () => {
  for (const administrativeStatus of ["none", "administrator"] as const) {
    const { token } = await makePerson(db, account.id, { administrativeStatus });
    assert.deepEqual(codes(await list("", { as: token })), ["forbidden"]);
  }
  const token = { headers: { "X-SVC-API-Token": `vct_${newId()}` } };
  assert.deepEqual(codes(await list("", token)), ["client-token-unsupported"]);
  const page = { headers: { Origin: "https://elsewhere.example" } };
  assert.deepEqual(codes(await list("", page)), ["origin-not-allowed"]);
  assert.equal((await list("", { headers: { Origin: null } })).status, 200);
});

test("405 · nobody writes history", async () => {
  for (const method of ["POST", "PATCH", "DELETE"])
    assert.equal((await service.request(method, "/v1/webhook-events")).status, 405, method);
});
