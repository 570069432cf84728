import { fail } from "../base/errors.ts";
import { type Db, inTransaction } from "./db.ts";

/** Any constant will do, as long as no other program locks it: "pass" in ASCII. */
const PASSING_LOCK = 0x70_61_73_73;

/** What their names begin with: no migration makes such an index. */
const PREFIX = "passing_";

/**
 * Gives every foreign key to a table an index for as long as something is done. For each row that is deleted from the
 * table PostgreSQL looks who refers to it, key by key, and reads all rows of the church where no index helps: what takes
 * seconds with these takes an hour without, and every write would pay for them if they stayed.
 *
 * They are made and dropped while others write, by one at a time; what was interrupted left some, and they are dropped by
 * whoever comes next.
 */
export async function withPassingIndexes<T>(
  db: Db,
  table: string,
  act: () => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    // Whoever waits for a lock, and whoever has not closed what they read, keeps an old snapshot, for whose end every
    // index waits that is made beside it. So this neither waits nor leaves anything open.
    const [row] = await tx.query<{ locked: boolean }[]>(
      `select pg_try_advisory_xact_lock(${PASSING_LOCK}::bigint) as locked`,
    );
    if (row?.locked !== true)
      throw fail("conflict", "Another large church is being deleted: wait until it is gone.");
    await tx.query("set local idle_in_transaction_session_timeout = 0");
    await dropAll(db);
    try {
      for (const key of await unindexedKeysTo(db, table)) await makeIndex(db, key);
      return await act();
    } finally {
      await dropAll(db);
    }
  });
}

export async function passingIndexes(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'i' and starts_with(relname, ${PREFIX})`;
  return rows.map(({ name }) => name);
}

async function dropAll(db: Db): Promise<void> {
  for (const name of await passingIndexes(db))
    await db.query(`drop index concurrently if exists ${name}`);
}

interface Key {
  name: string;
  /** The table whose rows refer. */
  referring: string;
  column: string;
}

const unindexedKeysTo = (db: Db, table: string): Promise<Key[]> =>
  db<Key[]>`
    select k.conname as name, k.conrelid::regclass::text as referring, a.attname as column
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[2]
    where k.contype = 'f' and k.confrelid = ${table}::regclass and not exists (
      select from pg_index x where x.indrelid = k.conrelid and x.indpred is null
      and array[x.indkey[0], x.indkey[1]] = k.conkey)
    order by k.conname`;

const TIMED_OUT = "57014";

async function makeIndex(db: Db, { column, name, referring }: Key): Promise<void> {
  try {
    await db.query(
      `create index concurrently ${PREFIX}${name} on ${referring} (account_id, ${column}) where ${column} is not null`,
    );
  } catch (error) {
    if ((error as { code?: unknown }).code !== TIMED_OUT) throw error;
    throw fail(
      "conflict",
      "An index waits for a transaction that has been open for long, such as a backup: run it again when that has ended.",
    );
  }
}
