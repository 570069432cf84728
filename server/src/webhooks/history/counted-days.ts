import { type Db, inTransaction } from "../../store/db.ts";
import { planAnew } from "../../store/plan-anew.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { type DeliveryState, deliveryStates } from "../engine/transition.ts";

const { countedAfterMs, countedFromDeliveries, numbersPerDayMax, retentionMs } = webhookLimits;

const kept = `now() - ${retentionMs} * interval '1 millisecond'`;
/** What a clock that was ahead has counted is not used, and counted anew when its time has come. */
const isOver = `day <= now() - ${countedAfterMs} * interval '1 millisecond'`;

/** The longest row of days that were counted, as the ids that begin in it: one range is what PostgreSQL leaves partitions out by. */
const longestRun = (account: string, bound: string) => `(
  select ${bound} from (
    select day, day - row_number() over (order by day) * interval '24 hours' as run from webhook_counted_days
    where account_id = ${account} and day >= ${kept} and ${isOver} and deliveries is not null
  ) counted group by run order by count(*) desc, run limit 1)`;
const first = "history_floor(min(day))";
const next = "history_floor(max(day) + interval '24 hours')";
/** Beyond every id: where no day was counted, all are before the first. */
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * In place of the deliveries of a church: one row for many that are alike, and in `rows` how many; those of days that nobody
 * has counted, and of the one of which a part is over, one by one.
 */
export const countedDeliveries = (account: string): string => `(
  select account_id, history_floor(day) as id, endpoint_id, event_type, status, status as recorded_status, rows,
    case when event_type like 'webhook.%' then substr(event_type, 9) else 'production' end as kind
  from webhook_counted_days, unnest(endpoint_ids, event_types, statuses, deliveries)
    as alike (endpoint_id, event_type, status, rows)
  where account_id = ${account} and history_floor(day) >= ${longestRun(account, first)}
    and history_floor(day) < ${longestRun(account, next)}
  union all
  select account_id, id, endpoint_id, event_type, status, recorded_status, 1, kind from webhook_delivery_history
  where account_id = ${account}
    and (id < coalesce(${longestRun(account, first)}, '${LAST_ID}') or id >= ${longestRun(account, next)}))`;

/** Counts what can be counted of churches that have many deliveries; answers how many days of how many churches. */
export async function countDays(db: Db): Promise<number> {
  const [bounds] = await db<{ oldest: string; last: string }[]>`
    select date_trunc('day', now() - ${retentionMs} * interval '1 millisecond', 'UTC') as oldest,
      date_trunc('day', now() - ${countedAfterMs} * interval '1 millisecond', 'UTC') as last`;
  if (!bounds) throw new Error("A selection of two values answers one row.");
  const { last, oldest } = bounds;
  // Of a church that was deleted while its days were noted for counting, they are left.
  await db`
    delete from webhook_counted_days where day < ${oldest} or day > ${last}
      or not exists (select from accounts where id = account_id)`;
  await db`
    insert into webhook_counted_days (account_id, day)
    select account_id, day
    from (
      select account_id from webhook_deliveries
      where id >= history_floor(${last}) and id < history_floor(${last}::timestamptz + interval '24 hours')
      group by account_id having count(*) >= ${countedFromDeliveries}
    ) large
    cross join generate_series(${oldest}::timestamptz, ${last}::timestamptz, interval '24 hours') as day
    on conflict do nothing`;
  const waiting = await db<{ account: string; day: string }[]>`
    select account_id as account, day from webhook_counted_days where deliveries is null order by account_id, day`;
  let counted = 0;
  const failures: unknown[] = [];
  for (const { account, day } of waiting)
    try {
      counted += await countDay(db, account, day);
    } catch (error) {
      // The next ones may be in order: the round goes on, and fails at its end.
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return counted;
}

const final = (Object.keys(deliveryStates) as DeliveryState[]).filter(
  (state) => deliveryStates[state].final,
);

/**
 * Not yet, while a delivery has not ended: the numbers would have to change with it. Nor where there would be as many numbers
 * as it takes time to read deliveries.
 */
const countDay = (db: Db, account: string, day: string): Promise<number> =>
  inTransaction(db, async (tx) => {
    await planAnew(tx);
    await tx`select lock_counted_days(${account})`;
    const { count } = await tx`
      update webhook_counted_days
      set endpoint_ids = alike.endpoint_ids, event_types = alike.event_types, statuses = alike.statuses,
        deliveries = alike.deliveries
      from (
        select coalesce(array_agg(endpoint_id), '{}') as endpoint_ids, coalesce(array_agg(event_type), '{}') as event_types,
          coalesce(array_agg(status), '{}') as statuses, coalesce(array_agg(rows), '{}') as deliveries
        from (
          select endpoint_id, event_type, status, count(*)::integer as rows from webhook_delivery_history
          where account_id = ${account} and id >= history_floor(${day})
            and id < history_floor(${day}::timestamptz + interval '24 hours')
          group by endpoint_id, event_type, status
        ) one
        having count(*) <= ${numbersPerDayMax} and coalesce(bool_and(status = any(${final})), true)
      ) alike
      where account_id = ${account} and day = ${day}`;
    return count;
  });
