import { readdirSync, readFileSync } from "node:fs";
import type { Db } from "../../../src/store/db.ts";

export interface DatabaseUsage {
  /** The processor time of all PostgreSQL processes. Not a number on systems without /proc. */
  readonly databaseCpuMicroseconds: number;
  readonly walBytes: number;
}

/** The usage of PostgreSQL since its start. */
export async function databaseUsage(db: Db): Promise<DatabaseUsage> {
  const [row] = await db<{ backend: number; walBytes: number }[]>`
    select pg_backend_pid() as backend, (pg_current_wal_lsn() - '0/0')::float8 as "walBytes"`;
  if (!row) throw new Error("PostgreSQL does not say who it is.");
  return { databaseCpuMicroseconds: cpuOf(row.backend), walBytes: row.walBytes };
}

/** The kernel counts in hundredths of a second. */
const TICK_MICROSECONDS = 10_000;

function cpuOf(backend: number): number {
  const postmaster = statOf(backend)?.parent;
  if (postmaster === undefined) return Number.NaN;
  // Those that have ended are counted with the one that started them.
  let ticks = statOf(postmaster)?.withChildren ?? 0;
  for (const pid of readdirSync("/proc").map(Number)) {
    const stat = pid > 0 ? statOf(pid) : undefined;
    if (stat?.parent === postmaster) ticks += stat.own;
  }
  return ticks * TICK_MICROSECONDS;
}

function statOf(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Behind the name, which may contain anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    const own = user + system;
    return { parent: Number(fields[1]), own, withChildren: own + endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
