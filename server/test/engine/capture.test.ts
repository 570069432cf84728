import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operator } from "../../src/access/operator.ts";
import { beginBatch, capture, type NewEvent } from "../../src/events/capture.ts";
import { deleteHistoryOf } from "../../src/events/delete-history.ts";
import { onWake } from "../../src/events/wake.ts";
import { newId } from "../../src/base/ids.ts";
import { inTransaction, type Tx } from "../../src/store/db.ts";
import { dropPartitions, ensurePartitions, partitionsOf } from "../../src/store/partitions.ts";
import { DAY } from "../../src/base/clock.ts";
import { freshDatabase } from "../support/database.ts";
import { makeAccount, makeEndpoint } from "../support/make.ts";
import { meanwhile } from "../support/together.ts";

const database = await freshDatabase("the engine takes the work of every account");
after(() => database.close());
const { db } = database;

const happening = (more: Partial<NewEvent> = {}): NewEvent => ({
  type: "course.updated",
  subject: { type: "courses", id: newId() },
  changedFields: ["name"],
  snapshot: () => '{"type":"courses","attributes":{"name":"Alpha"}}',
  ...more,
});

const tell = (accountId: string, what: NewEvent) =>
  inTransaction(db, accountId, (tx) => capture(tx, operator(accountId), what));

const countsOf = async (accountId: string) => {
  const [row] = await db<{ events: number; deliveries: number; queued: number }[]>`
    select (select count(*)::int from webhook_events where account_id = ${accountId}) as events,
      (select count(*)::int from webhook_deliveries where account_id = ${accountId}) as deliveries,
      (select count(*)::int from webhook_queue where account_id = ${accountId}) as queued`;
  return { ...row };
};

test("an account without a live endpoint captures nothing", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id, { status: "deleted" });
  await tell(id, happening());
  assert.deepEqual(await countsOf(id), { events: 0, deliveries: 0, queued: 0 });
});

test("an endpoint that becomes active while the write waits for a lock gets the event", async () => {
  const { id, administrator } = await makeAccount(db);
  const change = async () =>
    inTransaction(db, id, async (tx) => {
      await tx`
        update people set occupation = 'Baker' where account_id = ${id} and id = ${administrator.id}`;
      await capture(tx, operator(id), happening());
    });
  await meanwhile(
    db,
    (tx) => tx`select from people where account_id = ${id} for update`,
    change,
    () => makeEndpoint(db, id, { events: ["course.updated"] }),
  );
  assert.deepEqual(await countsOf(id), { events: 1, deliveries: 1, queued: 1 });
});

test("events of one transaction have ids in the order of capture", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id);
  const told = Array.from({ length: 20 }, () => newId());
  await inTransaction(db, id, async (tx) => {
    for (const subject of told)
      await capture(tx, operator(id), happening({ subject: { type: "courses", id: subject } }));
  });
  const rows = await db<{ subject: string; at: string }[]>`
    select subject_id as subject, occurred_at as at from webhook_events where account_id = ${id} order by id`;
  assert.deepEqual(
    rows.map(({ subject }) => subject),
    told,
  );
  assert.equal(new Set(rows.map(({ at }) => at)).size, 1);
});

test("the events of a batch share an id, which no other transaction has", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id);
  const act = () =>
    inTransaction(db, id, async (tx) => {
      await capture(tx, operator(id), happening());
      beginBatch(tx);
      await capture(tx, operator(id), happening());
      beginBatch(tx);
      await capture(tx, operator(id), happening());
    });
  await act();
  await act();
  const rows = await db<{ batch: string | null }[]>`
    select batch_id as batch from webhook_events where account_id = ${id} order by id`;
  const [alone, first, second, other, third, fourth] = rows.map(({ batch }) => batch);
  assert.deepEqual([alone, other], [null, null]);
  assert.ok(first && third && first !== third);
  assert.deepEqual([second, fourth], [first, third]);
});

test("an event has a delivery for each endpoint that is active and subscribed at that moment", async () => {
  const { id } = await makeAccount(db);
  const active = await makeEndpoint(db, id, { events: ["course.updated", "person.created"] });
  await makeEndpoint(db, id, { events: ["person.created"] });
  await makeEndpoint(db, id, { events: ["course.updated"], status: "paused" });
  await makeEndpoint(db, id, { events: ["course.updated"], status: "pending-verification" });
  const other = await makeAccount(db);
  await makeEndpoint(db, other.id, { events: ["course.updated"] });

  await tell(id, happening());
  assert.deepEqual(await countsOf(id), { events: 1, deliveries: 1, queued: 1 });
  assert.deepEqual(await countsOf(other.id), { events: 0, deliveries: 0, queued: 0 });
  const [queued] = await db`select * from webhook_queue where account_id = ${id}`;
  const [event] = await db`select * from webhook_events where account_id = ${id}`;
  const [delivery] = await db`select * from webhook_deliveries where account_id = ${id}`;
  assert.equal(queued?.["endpoint_id"], active);
  assert.equal(queued?.["message_id"], event?.["id"]);
  assert.equal(delivery?.["id"], queued?.["delivery_id"]);
  assert.equal(Date.parse(delivery?.["expires_at"]) - Date.parse(event?.["occurred_at"]), 30 * DAY);
  assert.equal(event?.["id"].slice(0, 13), delivery?.["id"].slice(0, 13), "found by one range");
});

for (const subscribed of [0, 1, 3])
  test(`with ${subscribed} subscribed endpoints, an event has as many deliveries, each with its own queue row`, async () => {
    const { id } = await makeAccount(db);
    const hearing: string[] = [];
    for (let count = 0; count < subscribed; count += 1)
      hearing.push(await makeEndpoint(db, id, { events: ["course.updated"] }));
    await makeEndpoint(db, id, { events: ["person.created"] });
    await db`update webhook_endpoints set destination_version = 4, verified_destination_version = 4 where account_id = ${id}`;
    await tell(id, happening());
    assert.equal((await countsOf(id)).events, 1);
    const rows = await db<Record<string, string>[]>`
      select q.endpoint_id, d.endpoint_id as of_delivery, q.destination_version, d.destination_version as version,
        q.message_id = e.id and d.message_id = e.id and q.event_type = e.event_type and d.event_type = e.event_type
          and d.created_at = e.occurred_at and d.updated_at = e.occurred_at and d.next_attempt_at = e.occurred_at
          and q.due_at = e.occurred_at and q.expires_at = d.expires_at as agree
      from webhook_queue q join webhook_deliveries d on d.account_id = q.account_id and d.id = q.delivery_id
        cross join webhook_events e where q.account_id = ${id} and e.account_id = ${id}`;
    assert.equal(rows.length, subscribed);
    assert.deepEqual(new Set(rows.map((row) => row["endpoint_id"])), new Set(hearing));
    for (const row of rows)
      assert.deepEqual(row, {
        endpoint_id: row["of_delivery"],
        of_delivery: row["endpoint_id"],
        destination_version: 4,
        version: 4,
        agree: true,
      });
  });

test("an event occurs at the transaction's time by the database's clock, and its id contains the time", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id);
  const [moment] = await inTransaction(db, id, async (tx) => {
    await capture(tx, operator(id), happening());
    return tx<{ at: string; id: string }[]>`
      select date_trunc('milliseconds', now()) as at, history_id(now()) as id`;
  });
  const [event] = await db<{ at: string; id: string }[]>`
    select occurred_at as at, id from webhook_events where account_id = ${id}`;
  assert.equal(event?.at, moment?.at);
  // Compare the id without its random bits.
  assert.equal(event?.id.slice(0, 18), moment?.id.slice(0, 18));
});

test("an event keeps its actor, cause, batch and merged ids", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id);
  const what = {
    batchId: newId(),
    merge: { "kept-id": newId(), "removed-ids": [newId(), newId()] },
  };
  const actor = { ...operator(id), personId: newId(), integrationId: newId() };
  await inTransaction(db, actor.accountId, (tx) => capture(tx, actor, happening(what)));
  const [event] = await db`
    select event_type as type, cause, actor_id as actor, batch_id as "batchId", merge from webhook_events
    where account_id = ${id}`;
  const { batchId, merge } = what;
  assert.deepEqual(
    { ...event },
    { type: "course.updated", cause: "api", actor: actor.personId, batchId, merge },
  );
});

test("a rollback sends nothing and wakes no engine; a commit wakes the engine afterwards", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id, { events: ["course.updated"] });
  let woken = 0;
  const end = onWake(() => woken++);
  await assert.rejects(
    inTransaction(db, id, async (tx) => {
      await capture(tx, operator(id), happening());
      throw new Error("changed my mind");
    }),
  );
  assert.deepEqual(await countsOf(id), { events: 0, deliveries: 0, queued: 0 });
  assert.equal(woken, 0);
  await inTransaction(db, id, async (tx) => {
    await capture(tx, operator(id), happening());
    assert.equal(woken, 0);
  });
  assert.equal(woken, 1);
  end();
});

test("an event that cannot be captured rolls the write back with the reason", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id, { events: ["course.updated"] });
  const nobody = happening({ subject: { type: "courses", id: "nonsense" } });
  const write = (more: (tx: Tx) => Promise<unknown>) =>
    inTransaction(db, id, async (tx) => {
      await tx`update accounts set church_name = 'Changed' where id = ${id}`;
      await capture(tx, operator(id), nobody);
      await more(tx);
    });
  // The transaction fails at the commit or at the next statement.
  for (const more of [async () => undefined, (tx: Tx) => tx`select 1`.then(() => undefined)])
    await assert.rejects(write(more), { code: "22P02" });
  const [account] = await db`select church_name as name from accounts where id = ${id}`;
  assert.notEqual(account?.["name"], "Changed");
});

test("a snapshot over 64 KiB loses its largest texts, and the event names them", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id, { events: ["course.updated"] });
  const attributes = { name: "Alpha", description: "é".repeat(40_000), price: 1 };
  const whole = JSON.stringify({ type: "courses", attributes });
  await tell(id, happening({ snapshot: () => whole }));
  const [event] = await db`
    select snapshot, snapshot_bytes, omitted_fields from webhook_events where account_id = ${id}`;
  assert.deepEqual(JSON.parse(event?.["snapshot"]).attributes, { name: "Alpha", price: 1 });
  assert.deepEqual(event?.["omitted_fields"], ["description"]);
  assert.equal(event?.["snapshot_bytes"], Buffer.byteLength(whole));
});

test("a snapshot of exactly 64 KiB is kept whole, one byte more is truncated", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id, { events: ["course.updated"] });
  const course = (description: string) =>
    JSON.stringify({ type: "courses", attributes: { name: "Alpha", description } });
  const fits = course("x".repeat(65_536 - course("").length));
  const exceeds = fits.replace("x", "xx");
  for (const snapshot of [fits, exceeds]) await tell(id, happening({ snapshot: () => snapshot }));
  const events = await db<{ snapshot: string; bytes: number; omitted: string[] }[]>`
    select snapshot, snapshot_bytes as bytes, omitted_fields as omitted from webhook_events
    where account_id = ${id} order by snapshot_bytes`;
  assert.deepEqual(
    events.map((event) => ({ ...event })),
    [
      { snapshot: fits, bytes: 65_536, omitted: [] },
      {
        snapshot: JSON.stringify({ type: "courses", attributes: { name: "Alpha" } }),
        bytes: 65_537,
        omitted: ["description"],
      },
    ],
  );
});

test("forgetting a person deletes exactly the events about the person", async () => {
  const { id } = await makeAccount(db);
  await makeEndpoint(db, id, { events: ["course.updated"] });
  const subject = { type: "people", id: newId() };
  await tell(id, happening({ subject }));
  await tell(id, happening({ subject }));
  await tell(id, happening());
  const [{ delivery_id: deliveryId } = { delivery_id: "" }] = await db<{ delivery_id: string }[]>`
    select delivery_id from webhook_queue q join webhook_events e on e.account_id = ${id} and e.id = q.message_id
    where q.account_id = ${id} and e.subject_id = ${subject.id}`;
  await db`
    insert into webhook_attempts (account_id, delivery_id, sequence, attempt_number, state, started_at)
    values (${id}, ${deliveryId}, 1, 1, 'completed', now())`;
  await inTransaction(db, id, (tx) => deleteHistoryOf(tx, id, [subject.id]));
  assert.deepEqual(await countsOf(id), { events: 1, deliveries: 1, queued: 1 });
  assert.equal((await db`select from webhook_attempts where account_id = ${id}`).length, 0);
});

test("forgetting hundreds of events takes as many statements as forgetting one", async () => {
  const { id } = await makeAccount(db);
  for (let count = 0; count < 3; count++)
    await makeEndpoint(db, id, { events: ["course.updated"] });
  const [one, ...many] = Array.from({ length: 200 }, () => newId());
  const subjects = [one ?? "", ...many];
  for (const subject of subjects)
    await tell(id, happening({ subject: { type: "courses", id: subject } }));
  await tell(id, happening());
  const statementsFor = (ids: readonly string[]) =>
    inTransaction(db, id, async (tx) => {
      let statements = 0;
      const counting = new Proxy(tx, {
        apply(target, self, given) {
          statements++;
          return Reflect.apply(target, self, given);
        },
      });
      await deleteHistoryOf(counting, id, ids);
      return statements;
    });
  assert.equal(await statementsFor([subjects[0] ?? ""]), await statementsFor(subjects.slice(1)));
  assert.deepEqual(await countsOf(id), { events: 1, deliveries: 3, queued: 3 });
});

test("each day of history has a partition, which is dropped after 30 days", async () => {
  const own = await freshDatabase("the engine takes the work of every account");
  try {
    const { id } = await makeAccount(own.db);
    await own.db`create table webhook_events_20200101 (like webhook_events including all)`;
    await own.db.query(
      "alter table webhook_events attach partition webhook_events_20200101 for values" +
        " from (history_floor('2020-01-01T00:00Z')) to (history_floor('2020-01-02T00:00Z'))",
    );
    await own.db`
      insert into webhook_events (account_id, id, event_type, occurred_at, cause, subject_type, subject_id, snapshot, snapshot_bytes)
      values (${id}, history_id('2020-01-01T12:00Z'), 'course.updated', '2020-01-01T12:00Z', 'ui', 'courses', ${newId()}, '{}', 2)`;
    assert.deepEqual(await dropPartitions(own.db), ["webhook_events_20200101"]);
    assert.equal((await own.db`select from webhook_events`).length, 0);
    await ensurePartitions(own.db);
    assert.equal(await ensurePartitions(own.db), 0, "those of today and the days ahead stay");
    const before = await partitionsOf(own.db, "webhook_events");
    await ensurePartitions(own.db, 9);
    assert.equal((await partitionsOf(own.db, "webhook_events")).length, before.length + 2);
  } finally {
    await own.close();
  }
});

test("a partition that a dead node has detached is dropped by the next node", async () => {
  await db`create table webhook_attempts_20200102 (like webhook_attempts including all)`;
  assert.deepEqual(await dropPartitions(db), ["webhook_attempts_20200102"]);
});
