import pg from "pg";
import { sessionSettings } from "./connection.ts";
import { type Db, inGlobalTransaction } from "./db.ts";
import { preparedName } from "./sql.ts";

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

/** It has its name from the start, because texts beyond a limit have none. */
const PROBE = "select 'pooler' as prepared";
preparedName(PROBE);

/**
 * Whether prepared statements survive a change of the connection. A pooler that can do this prepares them under names of its
 * own. An older one passes on the names of its clients, which then collide.
 */
export const keepsPreparedStatements = (pooled: Db): Promise<boolean> =>
  inGlobalTransaction(pooled, async (tx) => {
    await tx.query(PROBE, [], { prepared: true });
    const [row] = await tx<{ name: string }[]>`
      select name from pg_prepared_statements where statement = ${PROBE}`;
    return row !== undefined && !/^s\d+$/.test(row.name);
  });

/** Whether a pooler gave a statement to a connection that has not prepared it, or a name to one that has used it. */
export const losesPreparedStatements = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (/^(26000|42P05)$/.test(error.code ?? "") || /prepared statement/i.test(error.message));

/**
 * Whether connections of a pooler lack the settings of the role, because it opened them before the role had any. It may have
 * others, so two are asked.
 */
export async function lacksSettings(pooled: Db): Promise<boolean> {
  const ask = () => pooled<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name = any(${Object.keys(sessionSettings)}::text[])`;
  const rows = await Promise.all([ask(), ask()]);
  return rows.flat().some(({ name, setting }) => String(sessionSettings[name]) !== setting);
}

/** As operators write it in their settings, without user and password. */
export const placeOfPooler = ({ address: { database, host, port } }: Db): string =>
  `${host}:${port}/${database}`;

/** A pooler does not answer. Its server may. */
export class PoolerAway extends Error {
  readonly code: string;

  constructor(pooled: Db, cause: Error) {
    const { code: known } = cause as { code?: unknown };
    const code = typeof known === "string" ? known : "CONNECTION_LOST";
    super(`The pooler at ${placeOfPooler(pooled)} does not answer (${code}).`, { cause });
    this.name = "PoolerAway";
    this.code = code;
  }
}

/** Whether a pooler has refused a connection because of its settings. */
export const refusesSettings = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === "08P01" &&
  error.message.includes("startup parameter");

export const DIRECT_URL_MISSING =
  "DATABASE_URL leads to a pooler, which takes no settings from a connection. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.";
