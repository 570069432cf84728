import assert from "node:assert/strict";
import { after, test } from "node:test";
import { HOUR, MINUTE } from "../../../src/base/clock.ts";
import { newId } from "../../../src/base/ids.ts";
import { deliveryOutcomes, deliveryStates } from "../../../src/webhooks/engine/transition.ts";
import {
  makeDay,
  recordAttempt,
  recordDelivery,
  recordEvent,
  recordLease,
} from "../../support/history.ts";
import { makeAccount, makeEndpoint } from "../../support/make.ts";
import { ids, many, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const now = Date.now();
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString();

const endpoint = await makeEndpoint(db, account.id);
const another = await makeEndpoint(db, account.id);
const folded = await makeEndpoint(db, account.id);
const created = await recordEvent(db, account.id, { at: ago(5 * HOUR) });
const updated = await recordEvent(db, account.id, { at: ago(3 * HOUR), type: "person.updated" });

const delivered = await recordDelivery(db, account.id, {
  endpointId: endpoint,
  eventId: created,
  at: ago(5 * HOUR),
  attemptCount: 1,
});
const exhausted = await recordDelivery(db, account.id, {
  endpointId: another,
  eventId: created,
  at: ago(4 * HOUR),
  status: "exhausted",
  attemptCount: 8,
});
const pending = await recordDelivery(db, account.id, {
  endpointId: endpoint,
  eventId: updated,
  at: ago(3 * HOUR),
  status: "pending",
  nextAttemptAt: ago(0),
});
const tried = await recordDelivery(db, account.id, {
  endpointId: endpoint,
  kind: "test",
  at: ago(2 * HOUR),
  status: "suppressed",
  suppressionReason: "manual-pause",
});
// The newest delivery, of the oldest event.
const again = await recordDelivery(db, account.id, {
  endpointId: another,
  eventId: created,
  at: ago(HOUR),
  status: "retry-scheduled",
  originId: exhausted,
});

const list = (query = "", more = {}) => service.get(`/v1/webhook-deliveries?${query}`, more);
const listed = async (query: string) => ids(await list(query));

test("200 · filter[event] takes one event id or several and includes redeliveries", async () => {
  assert.deepEqual(await listed(`filter[event]=${created}`), [again, exhausted, delivered]);
  assert.deepEqual(
    await listed(`filter[event]=${created},${updated}&filter[endpoint]=${endpoint}`),
    [pending, delivered],
  );
  const counted = await list(`filter[event]=${created}&page[size]=1`);
  assert.deepEqual(counted.document.meta, { page: 1, size: 1, total: 3 });
  const { id: account } = await makeAccount(db);
  const theirs = await recordEvent(db, account, { at: ago(5 * HOUR) });
  await recordDelivery(db, account, { endpointId: newId(), eventId: theirs });
  for (const unknown of [theirs, newId(), tried, "nonsense"])
    assert.deepEqual(await listed(`filter[event]=${unknown}`), []);
});

test("200 · filter[event-type] takes one type or several, and filter[kind] the kind of delivery", async () => {
  assert.deepEqual(await listed("filter[event-type]=person.updated"), [pending]);
  assert.deepEqual(await listed("filter[event-type]=person.updated,person.created"), [
    again,
    pending,
    exhausted,
    delivered,
  ]);
  assert.deepEqual(await listed("filter[event-type]=webhook.test"), [tried]);
  assert.deepEqual(await listed("filter[event-type]=webhook.verification"), []);
  assert.deepEqual(await listed("filter[event-type]=webhook.test,person.updated"), [
    tried,
    pending,
  ]);
  assert.deepEqual(await listed("filter[kind]=test"), [tried]);
  assert.deepEqual(await listed("filter[kind]=verification"), []);
  assert.equal((await listed("filter[kind]=production,test")).length, 5);
});

test("200 · filter[status] finds exactly the deliveries in that state", async () => {
  const own = await makeAccount(db);
  const made = new Map<string, string>();
  for (const status of Object.keys(deliveryStates)) {
    const stored = status === "processing" ? "pending" : status;
    const id = await recordDelivery(db, own.id, { endpointId: newId(), status: stored });
    if (status === "processing") await recordLease(db, own.id, id);
    made.set(status, id);
  }
  for (const [status, id] of made) {
    const answer = await list(`filter[status]=${status}`, { as: own.administrator.token });
    assert.deepEqual(ids(answer), [id], status);
    assert.equal(answer.document.meta?.["total"], 1);
    assert.equal(many(answer)[0]?.attributes["status"], status);
  }
});

test("200 · a delivery is processing only while a worker holds it", async () => {
  const own = await makeAccount(db);
  const [leased, lost] = [
    await recordDelivery(db, own.id, { endpointId: newId(), status: "retry-scheduled" }),
    await recordDelivery(db, own.id, { endpointId: newId(), status: "retry-scheduled" }),
  ];
  await recordLease(db, own.id, leased, { seconds: 60 });
  await recordLease(db, own.id, lost, { seconds: -1 });
  const as = { as: own.administrator.token };
  assert.deepEqual(ids(await list("filter[status]=processing", as)), [leased]);
  assert.deepEqual(ids(await list("filter[status]=retry-scheduled", as)), [lost]);
});

test("400 · filter[status] takes a single status", async () => {
  const two = await list("filter[status]=pending,delivered");
  assert.deepEqual([two.status, parameters(two)], [400, ["filter[status]"]]);
  assert.match(two.document.errors?.[0]?.detail ?? "", /\bsuppressed\b.* single value/);
});

test("200 · deliveries of an event older than 30 days are not listed, even if they are newer", async () => {
  const own = await makeAccount(db);
  const [kept, over] = [ago(30 * 24 * HOUR - MINUTE), ago(30 * 24 * HOUR + MINUTE)];
  const made: string[] = [];
  for (const at of [kept, over]) {
    await makeDay(db, at);
    const eventId = await recordEvent(db, own.id, { at });
    made.push(await recordDelivery(db, own.id, { endpointId: newId(), eventId }));
  }
  const answer = await list("", { as: own.administrator.token });
  assert.deepEqual(ids(answer), made.slice(0, 1));
  assert.equal(answer.document.meta?.["total"], 1);
});

test("200 · filter[outcome] takes one outcome or several, and each state has one", async () => {
  const byOutcome = new Map<string, string>();
  for (const [outcome, states] of Object.entries(deliveryOutcomes))
    for (const status of states.filter((state) => state !== "processing"))
      byOutcome.set(await recordDelivery(db, account.id, { endpointId: folded, status }), outcome);
  assert.equal(byOutcome.size, Object.keys(deliveryStates).length - 1);
  const of = (outcomes: readonly string[]) =>
    [...byOutcome].flatMap(([id, outcome]) => (outcomes.includes(outcome) ? [id] : [])).sort();
  for (const outcomes of [
    ...Object.keys(deliveryOutcomes).map((one) => [one]),
    ["failed", "suppressed"],
  ])
    assert.deepEqual(
      (await listed(`filter[endpoint]=${folded}&filter[outcome]=${outcomes.join()}`)).sort(),
      of(outcomes),
    );
});

test("200 · a row has the result of the last finished attempt", async () => {
  const id = await recordDelivery(db, account.id, {
    endpointId: folded,
    status: "retry-scheduled",
  });
  const lastOf = async () => {
    const row = many(await list(`filter[endpoint]=${folded}`)).find((one) => one.id === id);
    return ["last-attempt-at", "last-http-status", "last-error-code", "last-duration-ms"].map(
      (name) => row?.attributes[name],
    );
  };
  assert.deepEqual(await lastOf(), [null, null, null, null]);
  const [startedAt, later] = ["2026-03-01T09:30:00.000Z", "2026-03-01T09:31:00.000Z"];
  await recordAttempt(db, account.id, id, { sequence: 1, httpStatus: 500, startedAt });
  const second = { httpStatus: 503, errorCode: "http-503", durationMs: 206, startedAt: later };
  await recordAttempt(db, account.id, id, { sequence: 2, ...second });
  assert.deepEqual(await lastOf(), [later, 503, "http-503", 206]);
});
