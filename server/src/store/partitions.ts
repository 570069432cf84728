import pg from "pg";
import { DAY, HOUR } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import { webhookLimits } from "../base/webhook-limits.ts";
import type { Db, Queryable } from "./queryable.ts";

/**
 * The history of webhooks has one partition per day (UTC), such as `webhook_events_20261120`, and the journal one per month
 * (`journal_202611`). An expired partition is dropped as a whole, which is cheap for any number of rows. Deleting them would cost
 * a write for each row.
 */
const tables = {
  webhook_events: "webhooks",
  webhook_controls: "webhooks",
  webhook_deliveries: "webhooks",
  webhook_attempts: "webhooks",
  journal: "journal",
} as const;

type Table = keyof typeof tables;

/** How long each history is kept, in milliseconds. */
const retention: Readonly<Record<(typeof tables)[Table], number>> = {
  webhooks: webhookLimits.retentionMs,
  journal: limits.journalMs,
};

/** Partitions are made this many days before they are needed, so that no write has to wait for one. */
const DAYS_AHEAD = 7;

/** `doctor` reports missing days only beyond this number, because nodes may have been off for a while. */
const DAYS_MISSED_MAX = 2;
/** `doctor` reports an expired partition only after this time. Sweeps drop it within the hour. */
const DROPPED_LATE_MS_MAX = 3 * HOUR;

/** The key of the advisory lock. It is "part" in ASCII. */
const PARTITION_LOCK = 0x70_61_72_74;

/** PostgreSQL reports a row without a partition as a failed check that has no name. */
export const isPartitionMissing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === "23514" && error.constraint === undefined;

/**
 * Makes the missing partitions of yesterday, today and the next days, and returns their number. It makes all that it can
 * and then rejects if one could not be made.
 */
export async function ensurePartitions(db: Db, daysAhead = DAYS_AHEAD): Promise<number> {
  if ((await missing(db, daysAhead)).length === 0) return 0;
  const { made, failures } = await db.begin(undefined, async (tx) => {
    await tx`select pg_advisory_xact_lock(${PARTITION_LOCK}::bigint)`;
    const made = await missing(tx, daysAhead);
    const failures = await forEach(made, ({ end, name, start, table }) =>
      tx.savepoint(async (apart) => {
        // Creating a partition in place would block every writer of the table, so the table is created and then attached.
        // A new partition grows from nothing, so it is analyzed only when it has doubled.
        await apart.query(
          `create table ${name} (like ${table} including all)` +
            " with (autovacuum_analyze_scale_factor = 1)",
        );
        await apart.query(
          `alter table ${table} attach partition ${name} for values` +
            ` from ('${floorOf(start)}') to ('${floorOf(end)}')`,
        );
      }),
    );
    return { made, failures };
  });
  if (failures.length > 0) throw cannotBe("made", failures);
  return made.length;
}

/** The names of a table's partitions, the newest first. */
export async function partitionsOf(db: Db, table: Table): Promise<string[]> {
  const { there } = await present(db);
  return there
    .filter((one) => one.table === table && isPartition(one))
    .sort((a, b) => b.start - a.start)
    .map(({ name }) => name);
}

interface Partition {
  table: Table;
  name: string;
  /** In milliseconds. */
  start: number;
  end: number;
}

async function missing(db: Queryable, daysAhead: number): Promise<Partition[]> {
  const { today, there } = await present(db);
  // A table with this name that is not attached receives no rows.
  const known = new Set(there.filter(isPartition).map(({ name }) => name));
  // Work that started before midnight may be written after it, so yesterday is included.
  const days = Array.from({ length: daysAhead + 2 }, (_, index) => today + (index - 1) * DAY);
  return (Object.keys(tables) as Table[]).flatMap((table) => {
    const stamps = new Set(days.map((day) => stampOf(day, table)));
    return [...stamps]
      .map((stamp) => partition(table, stamp))
      .filter(({ name }) => !known.has(name));
  });
}

/** Drops what ended that long ago and returns the names. Rejects at the end if one could not be dropped. */
export async function dropPartitions(db: Db, kept = retention): Promise<string[]> {
  const { there, now } = await present(db);
  const over = there.filter(({ end, table }) => end + kept[tables[table]] <= now);
  const failures = await forEach(over, async ({ detaching, name, table }) => {
    // Detaching concurrently blocks neither readers nor writers, but it cannot run in a transaction.
    const how = detaching ? "finalize" : "concurrently";
    if (detaching !== undefined)
      await db.query(`alter table ${table} detach partition ${name} ${how}`);
    await db.query(`drop table ${name}`);
  });
  if (failures.length > 0) throw cannotBe("dropped", failures);
  return over.map(({ name }) => name);
}

/** The names of partitions that should have been made or dropped long ago, the oldest first. */
export async function neglectedPartitions(
  db: Db,
  kept = retention,
): Promise<{ missing: string[]; overdue: string[] }> {
  const { now, there, today } = await present(db);
  const soon = await missing(db, DAYS_AHEAD - DAYS_MISSED_MAX);
  const late = there.filter(
    ({ end, table }) => end + kept[tables[table]] + DROPPED_LATE_MS_MAX <= now,
  );
  return {
    missing: soon
      .filter(({ end }) => end > today)
      .sort((a, b) => a.start - b.start)
      .map(({ name }) => name),
    overdue: late.map(({ name }) => name),
  };
}

// -- Failures ------------------------------------------------------------------------------------------------------

interface Failure {
  name: string;
  error: unknown;
}

/** Runs the partitions one after the other and returns the failures. */
async function forEach<One extends Partition>(
  partitions: readonly One[],
  act: (partition: One) => Promise<unknown>,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const one of partitions)
    await act(one).catch((error: unknown) => failures.push({ name: one.name, error }));
  return failures;
}

function cannotBe(done: string, failures: readonly Failure[]): Error {
  const names = failures.map(({ name }) => name).join(", ");
  const [first] = failures;
  const why = first?.error instanceof Error ? first.error.message : String(first?.error);
  return new Error(`Partitions cannot be ${done}: ${why} (${names}).`, { cause: first?.error });
}

// -- Existing partitions -------------------------------------------------------------------------------------------

/** `detaching` is undefined for a detached partition that has not been dropped. */
type Present = Partition & { detaching: boolean | undefined };

const isPartition = ({ detaching }: Present): boolean => detaching === false;

interface Presence {
  now: number;
  /** The start of the current day, in milliseconds. */
  today: number;
  /** The oldest first. */
  there: Present[];
}

/** Partitions, and detached tables that a node left behind when it died. */
async function present(db: Queryable): Promise<Presence> {
  const rows = await db.query<{ name: string; detaching: boolean | null; now: number }[]>(
    `select c.relname::text as name, i.inhdetachpending as detaching,
       (extract(epoch from now()) * 1000)::float8 as now
     from (values (0)) as always left join pg_class c
       on c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname ~ '^[a-z_]+_([0-9]{8}|[0-9]{6})$'
     left join pg_inherits i on i.inhrelid = c.oid`,
  );
  const there = rows.flatMap(({ name, detaching }) => {
    const [, table = "", stamp = ""] = /^([a-z_]+)_(\d+)$/.exec(name ?? "") ?? [];
    if (!isTable(table)) return [];
    return [{ ...partition(table, stamp), detaching: detaching ?? undefined }];
  });
  const now = rows[0]?.now ?? Number.NaN;
  return {
    now,
    today: Math.floor(now / DAY) * DAY,
    there: there.sort((a, b) => a.start - b.start),
  };
}

const isTable = (name: string): name is Table => name in tables;

/** The day, or the month, with which the name of a partition ends. */
const stampOf = (day: number, table: Table) =>
  new Date(day)
    .toISOString()
    .slice(0, tables[table] === "journal" ? 7 : 10)
    .replaceAll("-", "");

function partition(table: Table, stamp: string): Partition {
  const [year, month, day] = [stamp.slice(0, 4), stamp.slice(4, 6), stamp.slice(6)].map(Number);
  const start = Date.UTC(year ?? 0, (month ?? 1) - 1, day || 1);
  const end = day ? start + DAY : Date.UTC(year ?? 0, month ?? 1, 1);
  return { table, name: `${table}_${stamp}`, start, end };
}

/** The same as `history_floor` in the database. */
const floorOf = (day: number) => {
  const hex = day.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};
