import { DAY } from "../clock.ts";
import { type Db, inTransaction } from "./db.ts";

/**
 * History lies in one partition per day (UTC), named after it: `webhook_events_20261120`. A day that is over is dropped
 * whole, which costs the same for ten rows and for ten million; deleting them would cost a write for each.
 */
const tables = [
  "webhook_events",
  "webhook_controls",
  "webhook_deliveries",
  "webhook_attempts",
] as const;

/** A write on a day without a partition would fail: so many days are there before they are needed. */
const DAYS_AHEAD = 7;

/** Any constant will do, as long as no other program locks it: "part" in ASCII. */
const PARTITION_LOCK = 0x70_61_72_74;

/** Makes the partitions of today and of the days to come; answers how many were missing. */
export async function ensurePartitions(db: Db, daysAhead = DAYS_AHEAD): Promise<number> {
  if ((await missing(db, daysAhead)).length === 0) return 0;
  return inTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${PARTITION_LOCK}::bigint)`;
    const days = await missing(tx, daysAhead);
    for (const { day, name, table } of days) {
      // Attached, not created in place: that would keep every writer of the table waiting.
      await tx.unsafe(`create table ${name} (like ${table} including all)`);
      await tx.unsafe(
        `alter table ${table} attach partition ${name} for values` +
          ` from ('${floorOf(day)}') to ('${floorOf(day + DAY)}')`,
      );
    }
    return days.length;
  });
}

/** The names of a table's partitions, the newest first. */
export async function partitionsOf(db: Db, table: (typeof tables)[number]): Promise<string[]> {
  const { there } = await present(db);
  return there
    .filter((one) => one.table === table && one.detaching === false)
    .sort((a, b) => b.day - a.day)
    .map(({ name }) => name);
}

interface Partition {
  table: string;
  name: string;
  /** Its beginning, in milliseconds. */
  day: number;
}

async function missing(db: Pick<Db, "unsafe">, daysAhead: number): Promise<Partition[]> {
  const { today, there } = await present(db);
  const known = new Set(there.map(({ name }) => name));
  return tables.flatMap((table) =>
    // Yesterday too: what was begun before midnight may be written after it.
    Array.from({ length: daysAhead + 2 }, (_, index) => {
      const day = today + (index - 1) * DAY;
      return { table, name: `${table}_${stampOf(day)}`, day };
    }).filter(({ name }) => !known.has(name)),
  );
}

/** Drops the days that ended `keptMs` ago; answers their names. */
export async function dropPartitions(db: Db, keptMs: number): Promise<string[]> {
  const { there, today } = await present(db);
  const over = there.filter(({ day }) => day + DAY + keptMs <= today);
  for (const { detaching, name, table } of over) {
    // Neither readers nor writers wait for it, and it waits for them; so it cannot be part of a transaction.
    const how = detaching ? "finalize" : "concurrently";
    if (detaching !== undefined)
      await db.unsafe(`alter table ${table} detach partition ${name} ${how}`);
    await db.unsafe(`drop table ${name}`);
  }
  return over.map(({ name }) => name);
}

/** `detaching`: undefined for one that is no partition any more, but was not dropped either. */
type Present = Partition & { detaching: boolean | undefined };

/** Partitions, and tables of such a name that a node left behind when it died between the two steps. */
async function present(db: Pick<Db, "unsafe">): Promise<{ today: number; there: Present[] }> {
  const rows = await db.unsafe<{ name: string; detaching: boolean | null; today: string }[]>(
    `select c.relname::text as name, i.inhdetachpending as detaching, current_date::text as today
     from (values (0)) as always left join pg_class c
       on c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname ~ '^webhook_[a-z]+_[0-9]{8}$'
     left join pg_inherits i on i.inhrelid = c.oid`,
  );
  const there = rows.flatMap(({ name, detaching }) => {
    const [, table = "", stamp = ""] = /^(webhook_[a-z]+)_(\d{8})$/.exec(name ?? "") ?? [];
    if (!tables.some((one) => one === table)) return [];
    const day = Date.parse(`${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6)}T00:00Z`);
    return [{ table, name, day, detaching: detaching ?? undefined }];
  });
  return { today: Date.parse(`${rows[0]?.today}T00:00Z`), there };
}

const stampOf = (day: number) => new Date(day).toISOString().slice(0, 10).replaceAll("-", "");

/** What `history_floor` says of a day. */
const floorOf = (day: number) => {
  const hex = day.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
