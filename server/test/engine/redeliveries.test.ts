import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ApiError } from "../../src/base/errors.ts";
import { deleteHistoryOf } from "../../src/events/delete-history.ts";
import { onWake } from "../../src/events/wake.ts";
import { newId } from "../../src/base/ids.ts";
import { inTransaction, type Tx } from "../../src/store/db.ts";
import { requestTest } from "../../src/webhooks/endpoints/request-test.ts";
import { deleteEndpoint } from "../../src/webhooks/endpoints/delete-endpoint.ts";
import { redeliver } from "../../src/webhooks/history/redeliver.ts";
import { type Range, createReplay } from "../../src/webhooks/history/create-replay.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update-endpoint.ts";
import { freshDatabase } from "../support/database.ts";
import {
  actorOf,
  createdEndpoint,
  happened,
  makeDelivery,
  parts,
  standing,
  verifiedEndpoint,
  verify,
} from "../support/endpoints.ts";
import { makeAccount } from "../support/make.ts";
import { meanwhile } from "../support/together.ts";

const database = await freshDatabase("the engine takes the work of every account");
after(() => database.close());
const { db } = database;
const account = await makeAccount(db);
const actor = actorOf(account);

const again = (deliveryId: string, as = actor) =>
  inTransaction(db, as.accountId, (tx) => redeliver(tx, as, { deliveryId })).then(({ id }) => id);

const refusal = async (running: Promise<unknown>): Promise<string> => {
  const error: unknown = await running.then(
    () => "done",
    (reason) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return `${error.status} ${error.problems.map(({ code }) => code).join()}`;
};

const change = async (id: string, of: Parameters<typeof updateEndpoint>[3]) => {
  const { configurationVersion: version } = await standing(db, account, id);
  await inTransaction(db, actor.accountId, (tx) =>
    updateEndpoint(tx, actor, { id, version }, of, parts),
  );
};

interface Stored {
  id: string;
  eventId: string;
  origin: string | null;
  replayId: string | null;
  destination: number;
  status: string;
  queued: boolean;
  expires: string;
}

async function forgetHistoryOfEvent(tx: Tx, eventId: string): Promise<void> {
  const [event] = await tx<{ subject: string }[]>`
    select subject_id as subject from webhook_events where account_id = ${account.id} and id = ${eventId}`;
  await deleteHistoryOf(tx, account.id, [event?.subject ?? ""]);
}

const deliveriesOf = (endpointId: string) => db<Stored[]>`
  select d.id, d.message_id as "eventId", origin_delivery_id as origin, replay_id as "replayId",
    d.destination_version as destination, d.status, d.expires_at as expires,
    coalesce(q.fits, false) as queued
  from webhook_deliveries d left join lateral (
    select ready and message_id = d.message_id and event_type = d.event_type and expires_at = d.expires_at as fits
    from webhook_queue where account_id = d.account_id and delivery_id = d.id offset 0
  ) q on true
  where d.account_id = ${account.id} and d.endpoint_id = ${endpointId} and d.kind = 'production'
  order by d.created_at, d.id`;

test("a redelivery goes to the current URL and expires with its event", async () => {
  const id = await verifiedEndpoint(db, account);
  const { eventId, id: original } = await makeDelivery(db, account.id, {
    endpointId: id,
    secondsAgo: 20 * 3_600,
  });
  await change(id, { kind: "destination", url: `https://moved.example/${id}` });
  await verify(db, account, id);
  let woken = 0;
  const end = onWake(() => (woken += 1));
  const made = await again(original);
  end();
  assert.equal(woken, 1);
  const [first, second] = await deliveriesOf(id);
  assert.deepEqual(
    { ...second, expires: undefined },
    {
      id: made,
      eventId,
      origin: original,
      replayId: null,
      destination: 2,
      status: "pending",
      queued: true,
      expires: undefined,
    },
  );
  assert.equal(second?.expires, first?.expires);
  // The delivery is in the partition of its event and is dropped with it.
  assert.equal(made.slice(0, 13), eventId.slice(0, 13));
});

test("exactly the failed states can be redelivered", async () => {
  const id = await verifiedEndpoint(db, account);
  for (const status of ["exhausted", "failed-permanent", "suppressed"])
    await again((await makeDelivery(db, account.id, { endpointId: id, status })).id);
  for (const status of ["pending", "retry-scheduled", "blocked-system", "delivered", "expired"]) {
    const { id: original } = await makeDelivery(db, account.id, { endpointId: id, status });
    assert.equal(await refusal(again(original)), "409 delivery-not-failed", status);
  }
});

test("a failed redelivery can be redelivered and names its predecessor", async () => {
  const id = await verifiedEndpoint(db, account);
  const first = await again((await makeDelivery(db, account.id, { endpointId: id })).id);
  await db`update webhook_deliveries set status = 'failed-permanent' where account_id = ${account.id} and id = ${first}`;
  const second = await again(first);
  assert.equal((await deliveriesOf(id)).find((one) => one.id === second)?.origin, first);
});

test("each violated rule has its own code", async () => {
  const id = await verifiedEndpoint(db, account, { events: ["person.created", "person.updated"] });
  const { eventId, id: original } = await makeDelivery(db, account.id, { endpointId: id });

  const { id: tested } = await inTransaction(db, actor.accountId, (tx) =>
    requestTest(tx, actor, { endpointId: id }),
  );
  assert.equal(await refusal(again(tested)), "409 delivery-not-production");

  await change(id, { kind: "configuration", events: ["person.updated"] });
  assert.equal(await refusal(again(original)), "409 endpoint-not-subscribed");
  await change(id, { kind: "configuration", events: ["person.created"] });

  await change(id, { kind: "status", status: "paused" });
  assert.equal(await refusal(again(original)), "409 endpoint-paused");
  await change(id, { kind: "status", status: "active" });

  await happened(db, account, id, () => ({ kind: "address-refused", destinationVersion: 1 }));
  assert.equal(await refusal(again(original)), "409 endpoint-security-paused");

  await change(id, { kind: "destination", url: `https://other.example/${id}` });
  assert.equal(await refusal(again(original)), "409 endpoint-not-verified");
  await verify(db, account, id);

  const { id: pending } = await makeDelivery(db, account.id, { endpointId: id, status: "pending" });
  assert.equal(await refusal(again(pending)), "409 delivery-not-failed");

  await db`update webhook_deliveries set expires_at = now() - interval '1 second' where account_id = ${account.id} and id = ${original}`;
  assert.equal(await refusal(again(original)), "409 event-expired");
  await db`
    update webhook_deliveries set expires_at = now() + interval '1 day'
    where account_id = ${account.id} and id = ${original}`;
  await again(original);

  const { configurationVersion: version } = await standing(db, account, id);
  await inTransaction(db, actor.accountId, (tx) => deleteEndpoint(tx, actor, { id, version }));
  assert.equal(await refusal(again(original)), "409 endpoint-deleted");

  const [event] = await db<{ subject: string }[]>`
    select subject_id as subject from webhook_events where account_id = ${account.id} and id = ${eventId}`;
  await inTransaction(db, account.id, (tx) =>
    deleteHistoryOf(tx, account.id, [event?.subject ?? ""]),
  );
  assert.equal(await refusal(again(original)), "404 not-found");
});

// -- Replays --------------------------------------------------------------------------------------------------------

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

async function replayed(range: Partial<Range> & { endpointId: string }) {
  const { id } = await inTransaction(db, actor.accountId, (tx) =>
    createReplay(tx, actor, { from: ago(86_400), to: ago(0), ...range }),
  );
  const [row] = await db<{ created: number; remaining: number }[]>`
    select created_count as created, remaining_count as remaining from webhook_replays
    where account_id = ${account.id} and id = ${id}`;
  const made = (await deliveriesOf(range.endpointId)).filter(({ replayId }) => replayId === id);
  assert.equal(made.length, row?.created);
  for (const one of made) assert.deepEqual([one.status, one.queued], ["pending", true]);
  return { origins: made.map(({ origin }) => origin), ...row };
}

test("a replay takes the failed deliveries of one endpoint in its range", async () => {
  const [id, other] = [await verifiedEndpoint(db, account), await verifiedEndpoint(db, account)];
  const make = (endpointId: string, secondsAgo: number, status: string) =>
    makeDelivery(db, account.id, { endpointId, secondsAgo, status });
  const [early, first, second, third] = [
    await make(id, 7_200, "exhausted"),
    await make(id, 3_000, "exhausted"),
    await make(id, 2_000, "suppressed"),
    await make(id, 1_000, "failed-permanent"),
  ];
  await make(id, 500, "delivered");
  await make(id, 400, "pending");
  await make(other, 300, "exhausted");
  const range = { endpointId: id, from: ago(3_600) };
  assert.deepEqual(await replayed(range), {
    origins: [first, second, third].map((one) => one?.id),
    created: 3,
    remaining: 0,
  });
  assert.deepEqual(await replayed(range), { origins: [], created: 0, remaining: 0 });
  assert.deepEqual((await replayed({ endpointId: id })).origins, [early?.id]);
});

test("the latest failed delivery of an event is replayed unless another succeeded or is pending", async () => {
  const id = await verifiedEndpoint(db, account);
  const make = (secondsAgo: number, status: string, eventId?: string) =>
    makeDelivery(db, account.id, {
      endpointId: id,
      secondsAgo,
      status,
      ...(eventId && { eventId }),
    });
  const twice = await make(900, "exhausted");
  const latest = await make(800, "failed-permanent", twice.eventId);
  const arrived = await make(700, "exhausted");
  await make(600, "delivered", arrived.eventId);
  const underWay = await make(500, "suppressed");
  await make(400, "retry-scheduled", underWay.eventId);
  assert.deepEqual((await replayed({ endpointId: id })).origins, [latest.id]);
});

test("deliveries to other endpoints do not affect a replay", async () => {
  const [id, other] = [await verifiedEndpoint(db, account), await verifiedEndpoint(db, account)];
  const failed = await makeDelivery(db, account.id, { endpointId: id });
  await makeDelivery(db, account.id, {
    endpointId: other,
    status: "delivered",
    eventId: failed.eventId,
  });
  assert.deepEqual((await replayed({ endpointId: id })).origins, [failed.id]);
});

test("a replay skips removed event types and expired events", async () => {
  const id = await verifiedEndpoint(db, account, { events: ["person.created"] });
  await makeDelivery(db, account.id, { endpointId: id, eventType: "person.updated" });
  const expired = await makeDelivery(db, account.id, { endpointId: id });
  await db`update webhook_deliveries set expires_at = now() - interval '1 second' where account_id = ${account.id} and id = ${expired.id}`;
  const forgotten = await makeDelivery(db, account.id, { endpointId: id });
  await db`delete from webhook_events where account_id = ${account.id} and id = ${forgotten.eventId}`;
  assert.equal((await replayed({ endpointId: id })).created, 0);
});

test("a redelivery of a person who is being deleted is rejected", async () => {
  const id = await verifiedEndpoint(db, account);
  const one = await makeDelivery(db, account.id, { endpointId: id });
  const other = await makeDelivery(db, account.id, { endpointId: id });
  const forgetting = (eventId: string) => (tx: Tx) => forgetHistoryOfEvent(tx, eventId);
  const refused = await meanwhile(db, forgetting(one.eventId), () => refusal(again(one.id)));
  assert.equal(refused, "409 event-expired");
  const replaying = await meanwhile(db, forgetting(other.eventId), () =>
    replayed({ endpointId: id }),
  );
  assert.equal(replaying.created, 0);
  assert.equal((await deliveriesOf(id)).filter(({ origin }) => origin !== null).length, 0);
});

test("a replay takes the oldest ten thousand and reports the rest", async () => {
  const id = await verifiedEndpoint(db, account);
  await db`
    with event as (
      insert into webhook_events (account_id, id, event_type, occurred_at, cause, subject_type, subject_id, snapshot,
        snapshot_bytes)
      select ${account.id}, history_id(moment), 'person.created', moment, 'ui', 'people', ${newId()}, '{}', 2
      from generate_series(1, 10050) as number
      cross join lateral date_trunc('milliseconds', now() - number * interval '1 second') as moment
      returning id, occurred_at
    )
    insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
      destination_version, status, expires_at)
    select ${account.id}, history_id(occurred_at), occurred_at, occurred_at, 'production', ${id}, id, 'person.created', 1,
      'exhausted', occurred_at + interval '30 days'
    from event`;
  const first = await replayed({ endpointId: id });
  assert.deepEqual([first.created, first.remaining], [10_000, 50]);
  const rest = await replayed({ endpointId: id });
  assert.deepEqual([rest.created, rest.remaining], [50, 0]);
  const [order] = await db<{ right: boolean }[]>`
    select (select max(created_at) from webhook_deliveries where account_id = ${account.id}
        and id = any(${first.origins as string[]}::uuid[]))
      < (select min(created_at) from webhook_deliveries where account_id = ${account.id}
        and id = any(${rest.origins as string[]}::uuid[])) as right`;
  assert.equal(order?.right, true);
});

test("a replay has the same requirements for its endpoint as a redelivery", async () => {
  const ask = (endpointId: string) =>
    refusal(
      inTransaction(db, actor.accountId, (tx) =>
        createReplay(tx, actor, { endpointId, from: ago(1), to: ago(0) }),
      ),
    );
  assert.equal(await ask(newId()), "404 not-found");
  const id = await createdEndpoint(db, account);
  assert.equal(await ask(id), "409 endpoint-not-verified");
  await verify(db, account, id);
  await change(id, { kind: "status", status: "paused" });
  assert.equal(await ask(id), "409 endpoint-paused");
});
