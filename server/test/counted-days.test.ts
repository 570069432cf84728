import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { DAY, HOUR } from "../src/base/clock.ts";
import { forgetHistoryOf } from "../src/events/forget.ts";
import { newId } from "../src/base/ids.ts";
import { filtersOf } from "../src/jsonapi/request/query.ts";
import { inTransaction, type Tx } from "../src/store/db.ts";
import { countDays, countedDeliveries } from "../src/webhooks/history/counted-days.ts";
import { webhookDeliveries } from "../src/webhooks/history/deliveries.ts";
import { queueRedeliveries } from "../src/webhooks/history/queue-redeliveries.ts";
import { activeEndpoint, newKey } from "./support/endpoints.ts";
import { makeDay, recordDelivery, recordEvent } from "./support/history.ts";
import { makeChurch } from "./support/make.ts";
import { document, one, startService } from "./support/service.ts";

/** Totals of a church with a long history: added up from what its days came to, and right whatever becomes of a day. */

const service = await startService();
after(() => service.stop());
const { church, db } = service;

/** The last that may be counted, and the one before. */
const today = Math.floor(Date.now() / DAY) * DAY;
const [over, before] = [today - 2 * DAY, today - 3 * DAY];
/** A part of it is over 30 days old. */
const oldest = Math.floor((Date.now() - 30 * DAY) / DAY) * DAY;
const at = (time: number) => new Date(time).toISOString();
for (const day of [over, before, oldest]) await makeDay(db, at(day));

const [endpoint, another] = [await activeEndpoint(service), await activeEndpoint(service)];
const accountOf = (more: { accountId?: string }) => more.accountId ?? church.id;

/** So many deliveries of a day, spread over it, of two endpoints, two types and three states. */
async function fill(day: number, count: number, more: { accountId?: string } = {}): Promise<void> {
  await db`
    insert into webhook_deliveries (account_id, id, created_at, updated_at, kind, endpoint_id, message_id, event_type,
      destination_version, status, attempt_count, expires_at)
    select ${accountOf(more)}, history_id(moment), moment, moment,
      case when n % 50 = 0 then 'test' else 'production' end,
      case when n % 3 = 0 then ${another.id}::uuid else ${endpoint.id}::uuid end, gen_random_uuid(),
      case when n % 50 = 0 then null when n % 7 = 0 then 'person.created' else 'person.updated' end, 1,
      case when n % 11 = 0 then 'exhausted' when n % 13 = 0 then 'suppressed' else 'delivered' end, 1,
      moment + interval '30 days'
    from generate_series(0, ${count - 1}::int) n,
      lateral (select date_trunc('milliseconds', ${at(day)}::timestamptz + n * ${Math.floor(DAY / count)}::bigint * interval '1 millisecond')
        as moment) at
    -- None leaves the 30 days between one look and the next.
    where moment not between now() - interval '30 days' and now() - interval '30 days' + interval '10 minutes'`;
}

const numbersOf = (accountId: string) => db<{ day: number; deliveries: number[] }[]>`
  select extract(epoch from day)::float8 * 1000 as day, deliveries from webhook_counted_days
  where account_id = ${accountId} and deliveries is not null order by day`;
/** Those of the three that are counted. */
async function countedOf(accountId: string): Promise<string[]> {
  const days = new Set((await numbersOf(accountId)).map(({ day }) => day));
  return Object.entries({ oldest, before, over }).flatMap(([name, day]) =>
    days.has(day) ? [name] : [],
  );
}
/** All are to be counted again. */
const uncount = () => db`
  update webhook_counted_days set endpoint_ids = null, event_types = null, statuses = null, deliveries = null`;

await fill(oldest, 2_400);
await fill(before, 300);
await fill(over, 1_200);
await fill(today, 30);

/** What failed on a day, once. */
async function failedOn(day: number): Promise<string> {
  const eventId = await recordEvent(db, church.id, { at: at(day + HOUR) });
  const when = { at: at(day + HOUR), status: "exhausted" };
  return recordDelivery(db, church.id, { ...when, endpointId: endpoint.id, eventId });
}
const failed = { before: await failedOn(before), over: await failedOn(over) };
const failedEvents = await db<{ id: string }[]>`
  select message_id as id from webhook_deliveries
  where account_id = ${church.id} and id = any(${Object.values(failed)}::uuid[])`;

const filters = [
  "",
  `filter[endpoint]=${endpoint.id}`,
  `filter[endpoint]=${endpoint.id},${another.id}`,
  `filter[endpoint]=${newId()}`,
  `filter[event]=${failedEvents.map(({ id }) => id).join(",")}`,
  "filter[event-type]=person.created",
  "filter[event-type]=person.created,webhook.test",
  "filter[kind]=test",
  "filter[kind]=production",
  "filter[status]=delivered",
  "filter[status]=exhausted",
  "filter[status]=processing",
  `filter[endpoint]=${another.id}&filter[event-type]=person.updated&filter[status]=suppressed`,
  `filter[id]=${failed.before},${failed.over},${newId()}`,
  `filter[created-since]=${at(over + 6 * HOUR)}`,
  `filter[to]=${at(over + 6 * HOUR)}`,
  `filter[from]=${at(over + 6 * HOUR)}&filter[event-type]=person.updated`,
];

const totalOf = async (filter = "") =>
  (await service.get(`/v1/webhook-deliveries?page[size]=1&${filter}`)).document.meta?.["total"];
const totals = () => Promise.all(filters.map(totalOf));

const givenUp = new Error("given up");

/** As many as there are, seen one by one and at the same moment as the total that is told. */
async function assertExact(): Promise<void> {
  const told = await totals();
  await uncount();
  assert.deepEqual(told, await totals());
}

test("no filter of deliveries is left out here", () => {
  const asked = filters.join("&");
  for (const name of Object.keys(filtersOf(webhookDeliveries([]))))
    assert.ok(asked.includes(`filter[${name}]=`), name);
});

test("a day that is over is counted, and every total stays as it was", async () => {
  const seen = await totals();
  assert.ok((seen[0] as number) > 1_530, "the part of the oldest day that is left");
  assert.equal(await countDays(db), 29, "those without any as well");
  assert.deepEqual(await countedOf(church.id), ["oldest", "before", "over"]);
  assert.deepEqual(await totals(), seen);
  assert.equal(await countDays(db), 0, "a second round finds nothing to do");
});

test("what was counted is not looked at again, but where a part of the day is over or was asked for", async () => {
  const seen = await totals();
  const add = (more: number, day: number) => db`
    update webhook_counted_days set deliveries[1] = deliveries[1] + ${more}
    where account_id = ${church.id} and day = ${at(day)}`;
  await add(1_000, over);
  await add(1_000_000, oldest);
  const told = await totals();
  assert.equal(told[0], (seen[0] as number) + 1_000);
  assert.equal(told.at(-1), seen.at(-1), "from six o'clock on");
  await add(-1_000, over);
  await add(-1_000_000, oldest);
});

test("one that is sent once more is in the total at once, and counted when it has ended", async () => {
  const eventId = await recordEvent(db, church.id, { at: at(over + HOUR) });
  const original = await recordDelivery(db, church.id, {
    at: at(over + HOUR),
    endpointId: endpoint.id,
    eventId,
    status: "exhausted",
  });
  // What the day led to is written within it, and this one was not.
  await uncount();
  await countDays(db);
  const [total, pending] = (await Promise.all([totalOf(), totalOf("filter[status]=pending")])) as [
    number,
    number,
  ];
  assert.deepEqual(await countedOf(church.id), ["oldest", "before", "over"]);

  const answer = await service.post(
    "/v1/webhook-redeliveries",
    document(
      "webhook-redeliveries",
      {},
      { relationships: { delivery: { data: { type: "webhook-deliveries", id: original } } } },
    ),
    { headers: newKey() },
  );
  assert.equal(answer.status, 202, answer.text);
  assert.equal(await totalOf(), total + 1);
  assert.equal(await totalOf("filter[status]=pending"), pending + 1);
  assert.deepEqual(await countedOf(church.id), ["oldest", "before"]);
  assert.equal(await countDays(db), 0, "it has not ended");

  await db`update webhook_deliveries set status = 'delivered' where id = ${one(answer).id}`;
  await db`delete from webhook_queue where delivery_id = ${one(answer).id}`;
  assert.equal(await countDays(db), 1);
  assert.equal(await totalOf(), total + 1);
});

test("what is forgotten leaves the total at once", async () => {
  const subject = { type: "people", id: newId() };
  for (const day of [before, over]) {
    const eventId = await recordEvent(db, church.id, { at: at(day + HOUR), subject });
    await recordDelivery(db, church.id, { at: at(day + HOUR), endpointId: endpoint.id, eventId });
  }
  await uncount();
  await countDays(db);
  const total = (await totalOf()) as number;
  await inTransaction(db, (tx) => forgetHistoryOf(tx, church.id, [subject.id]));
  assert.equal(await totalOf(), total - 2);
  assert.deepEqual(await countedOf(church.id), ["oldest"]);
  assert.equal(await countDays(db), 2);
  await assertExact();
});

/** As the routes do; it arrives in the same moment. */
async function sendAgain(tx: Tx, day: keyof typeof failed): Promise<void> {
  const to = { accountId: church.id, endpointId: endpoint.id, destinationVersion: 1 };
  const original = tx`
    select id, created_at, message_id, expires_at from webhook_deliveries
    where account_id = ${church.id} and id = ${failed[day]}`;
  const { id } = await queueRedeliveries(tx, to, original, 1);
  await tx`update webhook_deliveries set status = 'delivered' where account_id = ${church.id} and id = ${id}`;
  await tx`delete from webhook_queue where account_id = ${church.id} and delivery_id = ${id}`;
}

/** Until somebody waits for who has the lock. */
async function untilWaiting(): Promise<void> {
  let waiting = 0;
  while (waiting === 0) {
    await setImmediate();
    waiting = (await db`select from pg_locks where locktype = 'advisory' and not granted`).length;
  }
}

test("a day that cannot be counted keeps none from it, and the round is told to have failed", async () => {
  await uncount();
  await db.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
    create trigger refuse before update on webhook_counted_days for each row
      when (old.day = '${at(before)}') execute function refuse()`);
  try {
    await assert.rejects(countDays(db), /not this one/);
    assert.deepEqual(await countedOf(church.id), ["oldest", "over"]);
  } finally {
    await db`drop trigger refuse on webhook_counted_days`;
  }
  await countDays(db);
  assert.deepEqual(await countedOf(church.id), ["oldest", "before", "over"]);
});

test("who counts waits for who is changing the day", async () => {
  const total = (await totalOf()) as number;
  await uncount();
  let counting: Promise<number> | undefined;
  await inTransaction(db, async (tx) => {
    await sendAgain(tx, "over");
    counting = countDays(db);
    await untilWaiting();
  });
  await counting;
  assert.deepEqual(await countedOf(church.id), ["oldest", "before", "over"]);
  assert.equal(await totalOf(), total + 1);
  await assertExact();
});

test("who changes a day waits for who is counting it", async () => {
  await countDays(db);
  const total = (await totalOf()) as number;
  let sending: Promise<void> | undefined;
  await inTransaction(db, async (tx) => {
    await tx`select lock_counted_days(${church.id})`;
    sending = inTransaction(db, (other) => sendAgain(other, "over"));
    await untilWaiting();
    assert.deepEqual(await countedOf(church.id), ["oldest", "before", "over"]);
  });
  await sending;
  assert.deepEqual(await countedOf(church.id), ["oldest", "before"]);
  assert.equal(await totalOf(), total + 1);
});

test("all through a storm of changes and countings, the total is what is there", async () => {
  let storming = true;
  const change = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const days = turn % 2 === 0 ? (["before", "over"] as const) : (["over", "before"] as const);
      await inTransaction(db, async (tx) => {
        for (const day of days) await sendAgain(tx, day);
        if (turn % 3 === 0)
          await tx`delete from webhook_deliveries where account_id = ${church.id} and id = any(array(
            select id from webhook_deliveries where account_id = ${church.id} and origin_delivery_id is not null
            order by id limit 3 for update skip locked))`;
        if (turn % 5 === 4) throw givenUp;
      }).catch((error: unknown) => assert.equal(error, givenUp));
    }
  };
  let [looks, rounds] = [0, 0];
  const look = async () => {
    while (storming) {
      // At one moment.
      const [row] = await db.query<{ told: number; present: number }[]>(
        `select (select sum(rows)::int from ${countedDeliveries("$1")} as told) as told,
           (select count(*)::int from webhook_deliveries where account_id = $1) as present`,
        [church.id],
      );
      assert.equal(row?.told, row?.present);
      looks += 1;
    }
  };
  const count = async () => {
    while (storming) if ((await countDays(db)) > 0) rounds += 1;
  };
  const meanwhile = [count(), count(), look()];
  await Promise.all([change(40), change(40), change(40)]);
  storming = false;
  await Promise.all(meanwhile);
  assert.ok(rounds > 0 && looks > 0, "nobody counted or looked while it stormed");
  await countDays(db);
  await assertExact();
});

test("what another church has of a day is not in the total", async () => {
  const total = await totalOf();
  const other = await makeChurch(db);
  await fill(over, 1_100, { accountId: other.id });
  await uncount();
  await countDays(db);
  for (const { id } of [church, other])
    assert.deepEqual(await countedOf(id), ["oldest", "before", "over"]);
  assert.equal(await totalOf(), total);
  await assertExact();
});

test("only churches with many deliveries are counted, and none where nearly each is one of its kind", async () => {
  const [small, enough, varied] = [
    await makeChurch(db),
    await makeChurch(db),
    await makeChurch(db),
  ];
  await fill(over, 999, { accountId: small.id });
  await fill(over, 1_000, { accountId: enough.id });
  await fill(over, 1_001, { accountId: varied.id });
  await db`
    update webhook_deliveries set endpoint_id = gen_random_uuid()
    where account_id = any(${[enough.id, varied.id]}::uuid[])`;
  await countDays(db);
  assert.deepEqual(await countedOf(small.id), []);
  assert.deepEqual(await countedOf(enough.id), ["oldest", "before", "over"]);
  assert.deepEqual(await countedOf(varied.id), ["oldest", "before"], "empty ones");
});

test("numbers go with their day, and with their church", async () => {
  const gone = at(oldest - DAY);
  await db`insert into webhook_counted_days (account_id, day) values (${church.id}, ${gone}), (${newId()}, ${at(over)})`;
  await countDays(db);
  assert.equal((await db`select from webhook_counted_days where day = ${gone}`).length, 0);
  const strangers = await db`
    select from webhook_counted_days where account_id not in (select id from accounts)`;
  assert.equal(strangers.length, 0);
});

test("what a clock that was ahead has counted is not added up, and counted anew when its time has come", async () => {
  await countDays(db);
  const total = await totalOf();
  for (const day of [today - DAY, today])
    await db`
      insert into webhook_counted_days (account_id, day, endpoint_ids, event_types, statuses, deliveries)
      values (${church.id}, ${at(day)}, '{}', '{}', '{}', '{}')`;
  assert.equal(await totalOf(), total);
  await countDays(db);
  assert.deepEqual(
    (await numbersOf(church.id)).filter(({ day }) => day > over),
    [],
  );
});
