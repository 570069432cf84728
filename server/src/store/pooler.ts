import pg from "pg";
import { sessionSettings } from "./connection.ts";
import { type Db, inGlobalTransaction } from "./db.ts";

/** The key of the advisory lock. It is "role" in ASCII. */
const ROLE_LOCK = 0x72_6f_6c_65;

/**
 * Gives the settings of connections to the role of a pooler, in this database. `direct` leads to PostgreSQL itself, where
 * each connection still brings its own.
 */
export async function prepareRole(direct: Db, role: string): Promise<void> {
  const { database } = direct.address;
  const wanted = Object.entries(sessionSettings).map(([name, value]) => `${name}=${value}`);
  await inGlobalTransaction(direct, async (tx) => {
    await tx`select pg_advisory_xact_lock(${ROLE_LOCK}::bigint)`;
    const [known] = await tx<{ fits: boolean }[]>`
      select setconfig @> ${wanted}::text[] as fits from pg_db_role_setting
      where setrole = ${role}::regrole
        and setdatabase = (select oid from pg_database where datname = current_database())`;
    if (known?.fits) return;
    const [name, place] = [role, database].map((each) => pg.escapeIdentifier(each));
    for (const [setting, value] of Object.entries(sessionSettings))
      await tx.query(`alter role ${name} in database ${place} set ${setting} = '${value}'`);
  });
}

/**
 * Whether prepared statements survive a change of the connection. A pooler that can do this prepares them under names of its
 * own. An older one passes on the names of its clients, which then collide.
 */
export const keepsPreparedStatements = (pooled: Db): Promise<boolean> =>
  inGlobalTransaction(pooled, async (tx) => {
    await tx`select 'pooler' as prepared`;
    const [row] = await tx<{ name: string }[]>`
      select name from pg_prepared_statements where statement = 'select ''pooler'' as prepared'`;
    return row !== undefined && !/^s\d+$/.test(row.name);
  });

/** Whether a pooler has refused a connection because of its settings. */
export const refusesSettings = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === "08P01" &&
  error.message.includes("startup parameter");

export const DIRECT_URL_MISSING =
  "DATABASE_URL leads to a pooler, which takes no settings from a connection. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.";
