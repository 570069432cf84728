import { DAY } from "../../../src/base/clock.ts";
import type { Db } from "../../../src/store/db.ts";

/** Tables that have one partition per day; `store/partitions.ts` makes those of today and of the days to come. */
export const tables = [
  "webhook_events",
  "webhook_controls",
  "webhook_deliveries",
  "webhook_attempts",
] as const;

/** How many days a service that has run for long has behind it. */
export const DAYS_KEPT = 30;

export const nameOf = (table: string, day: number): string =>
  `${table}_${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}`;

/** The beginning of the day that began so many days ago, by the database's clock. */
export async function daysAgo(db: Db, days: number): Promise<number> {
  const [row] = await db<{ today: number }[]>`
    select extract(epoch from current_date)::float8 * 1000 as today`;
  return (row?.today ?? 0) - days * DAY;
}

/** The empty partitions of a month, whose cost each statement pays. */
export async function makePast(db: Db): Promise<void> {
  for (let days = 2; days <= DAYS_KEPT; days += 1) {
    const day = await daysAgo(db, days);
    for (const table of tables) {
      const [there] = await db`select to_regclass(${nameOf(table, day)}) is not null as known`;
      if (there?.["known"]) continue;
      await db.query(`create table ${nameOf(table, day)} (like ${table} including all)`);
      await attach(db, table, day);
    }
  }
}

/** Takes in a table that was filled aside; indexes that it does not have are made. */
export async function attach(db: Db, table: string, day: number): Promise<void> {
  await db.query(
    `alter table ${table} attach partition ${nameOf(table, day)}
     for values from ('${floorOf(day)}') to ('${floorOf(day + DAY)}')`,
  );
}

const floorOf = (at: number) => `${at.toString(16).padStart(12, "0")}${"0".repeat(20)}`;
