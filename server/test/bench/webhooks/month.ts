import { DAY } from "../../../src/base/clock.ts";
import type { Db } from "../../../src/store/db.ts";
import { makeLiveEndpoint } from "../../support/engine.ts";
import { type TestAccount, makeAccount } from "../../support/make.ts";
import { attach, DAYS_KEPT, daysAgo, nameOf, tables } from "./days.ts";
import { clear, SNAPSHOT, type Stand } from "./stand.ts";

/** The history of 200 accounts after a month. */
export interface Month {
  /** Half of everything is its. */
  readonly largest: TestAccount;
  /** The others are alike. */
  readonly usual: readonly TestAccount[];
  readonly deliveries: number;
}

const ACCOUNTS = 200;
const ENDPOINTS_OF_EACH = 2;
/** Days that are over, beside those that are kept. */
export const DAYS_OVER = 3;

let filled: Promise<Month> | undefined;

/** Created once for all benches, because it takes minutes. */
export const fillMonth = (stand: Stand): Promise<Month> => (filled ??= fill(stand));

async function fill({ db, deliveries, say }: Stand): Promise<Month> {
  await clear(db);
  const accounts: TestAccount[] = [];
  const endpoints: string[] = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const made = await makeAccount(db);
    accounts.push(made);
    for (let endpoint = 0; endpoint < ENDPOINTS_OF_EACH; endpoint += 1) {
      const url = `https://receiver.example/${endpoint}`;
      endpoints.push((await makeLiveEndpoint(db, made.id, { url })).id);
    }
  }
  const events = Math.ceil(deliveries / DAYS_KEPT / ENDPOINTS_OF_EACH);
  for (let days = DAYS_KEPT + DAYS_OVER; days > 1; days -= 1) {
    const day = await daysAgo(db, days);
    await fillDay(db, day, { accounts: accounts.map(({ id }) => id), endpoints, events });
    say(
      `${new Date(day).toISOString().slice(0, 10)} has ${events * ENDPOINTS_OF_EACH} deliveries.`,
    );
  }
  await db`vacuum analyze`;
  const [largest, ...usual] = accounts as [TestAccount, ...TestAccount[]];
  return { largest, usual, deliveries: events * ENDPOINTS_OF_EACH * (DAYS_KEPT - 1) };
}

/**
 * Filled aside and taken in afterwards, when the indexes are made as well: one row after the other would take five times
 * as long. Accounts take turns, so that the rows of one account are scattered.
 */
async function fillDay(
  db: Db,
  day: number,
  of: { accounts: readonly string[]; endpoints: readonly string[]; events: number },
): Promise<void> {
  const { accounts, endpoints, events } = of;
  const name = (table: string) => nameOf(table, day);
  for (const table of tables) {
    await db.query(`drop table if exists ${name(table)}`);
    await db.query(`create table ${name(table)} (like ${table} including defaults)`);
  }
  await db.query(
    `insert into ${name("webhook_events")} (account_id, id, event_type, occurred_at, cause, subject_type, subject_id,
       snapshot, snapshot_bytes)
     select accounts[case when n % 2 = 0 then 1 else 2 + n % (array_length(accounts, 1) - 1) end], history_id(moment),
       case when n % 7 = 0 then 'person.created' else 'person.updated' end, moment, 'api', 'people', gen_random_uuid(),
       $2, $3
     from generate_series(1, $4::int) as n, (select $1::uuid[] as accounts) known,
       lateral (select to_timestamp(($5::float8 + n * ($6::float8 / ($4::int + 1))) / 1000)::timestamptz(3) as moment) at`,
    [accounts, SNAPSHOT, Buffer.byteLength(SNAPSHOT), events, day, DAY],
  );
  await db.query(
    `insert into ${name("webhook_deliveries")} (account_id, id, created_at, updated_at, kind, endpoint_id, message_id,
       event_type, destination_version, status, attempt_count, expires_at)
     select event.account_id, history_id(occurred_at), occurred_at, occurred_at, 'production', endpoint.id, event.id,
       event_type, 1, case when chance < 4 then 'failed-permanent' when chance < 5 then 'exhausted' else 'delivered' end,
       case when chance = 4 then 8 else 1 end, occurred_at + interval '30 days'
     from ${name("webhook_events")} event
     join webhook_endpoints endpoint on endpoint.account_id = event.account_id and endpoint.id = any($1::uuid[]),
       lateral (select abs(hashtext(event.id::text || endpoint.id)) % 100 as chance) thrown
     order by occurred_at`,
    [endpoints],
  );
  await db.query(
    `insert into ${name("webhook_attempts")} (account_id, delivery_id, sequence, attempt_number, state, outcome,
       http_status, error_code, duration_ms, started_at, finished_at)
     select account_id, id, 1, 1, 'completed', case status when 'delivered' then 'success' else 'permanent-failure' end,
       case status when 'delivered' then 204 else 404 end, case status when 'delivered' then null else 'http-404' end,
       20, created_at, created_at
     from ${name("webhook_deliveries")}`,
  );
  for (const table of tables) await attach(db, table, day);
}
