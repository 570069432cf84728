import type { Db } from "../../../src/store/db.ts";
import { cpuMicroseconds, parentOf } from "../processes.ts";

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
  // The parent of a backend is the parent of all processes of PostgreSQL.
  return {
    databaseCpuMicroseconds: cpuMicroseconds(parentOf(row.backend)),
    walBytes: row.walBytes,
  };
}
