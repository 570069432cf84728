import { withoutJournal } from "./journal.ts";
import { type Db, inGlobalTransaction, type Queryable, type Tx } from "./db.ts";

const BATCH_ROWS_MAX = 2_000;
const BATCH_BYTES_MAX = 4 * 2 ** 20;

/** The number of rows in each table, on both sides. */
export type Counts = ReadonlyMap<string, number>;

/** Rows of these tables in `public` belong to the target: its migrations, its facts, its number and its identity. */
const OWN = "('schema_migrations', 'schema_facts', 'this_server', 'webhook_installation')";

const OURS = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  and not exists (
    select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')`;

/** Whether a database has no tables, or those of this service without rows. */
export async function isWithoutRows(db: Db): Promise<boolean> {
  const tables = await db.query<{ name: string }[]>(
    `select c.oid::regclass::text as name from pg_class c where ${OURS} and relname not in ${OWN}`,
  );
  if (tables.length === 0) return true;
  const [record] = await db`select to_regclass('schema_migrations') as name`;
  if (record?.["name"] === null) return false;
  const rows = await Promise.all(tables.map(({ name }) => db.query(`select from ${name} limit 1`)));
  return rows.every(({ count }) => count === 0);
}

/**
 * Copies all rows of one database into another one that has the same schema and no rows, and the jobs of these queues that
 * still wait.
 *
 * The rows are those of one snapshot. Values travel as PostgreSQL's own text, as in the dumps of `pg_dump`. The target is
 * written in one transaction: foreign keys are removed, the tables are copied, and the keys are added again, which checks
 * every reference. Then the rows of each table are counted on both sides. A failure leaves the target without rows.
 */
export async function copyRows(
  source: Db,
  target: Db,
  queues: readonly string[],
  copied: (table: string, rows: number) => void,
): Promise<Counts> {
  const counts = await inGlobalTransaction(source, async (from) => {
    await from`set transaction isolation level repeatable read, read only`;
    await withoutTimeLimits(from);
    return inGlobalTransaction(target, async (to) => {
      await withoutTimeLimits(to);
      await withoutJournal(to);
      const tables = await tablesOf(from);
      await makePartitions(from, to);
      const keys = await removeForeignKeys(to);
      const counts = new Map<string, number>();
      for (const table of tables) {
        const where = table.name === JOBS ? waiting(queues) : "true";
        const rows = await copyTable(from, to, table, where);
        counts.set(table.name, rows);
        copied(table.name, rows);
      }
      for (const { definition, name, table } of keys)
        await to.query(`alter table ${table} add constraint ${name} ${definition}`);
      return counts;
    });
  });
  await target`analyze`;
  return counts;
}

/** One side waits while the other one works. */
export async function withoutTimeLimits(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`;
  await tx`set local idle_in_transaction_session_timeout = 0`;
}

interface Table {
  /** As statements name it. */
  name: string;
  /** Without generated ones. */
  columns: readonly { name: string; type: string }[];
  bytes: number;
}

const JOBS = "pgboss.job";

const tablesOf = (db: Queryable): Promise<Table[]> =>
  db.query<Table[]>(
    `select c.oid::regclass::text as name,
       (select json_agg(json_build_object('name', quote_ident(attname), 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       coalesce((select sum(pg_table_size(relid)) from pg_partition_tree(c.oid)), pg_table_size(c.oid))::float8 as bytes
     from pg_class c
     where ${OURS} and c.relname not in ${OWN} or c.oid = to_regclass('${JOBS}')
     order by 1`,
  );

/** The next start schedules the other jobs. */
const waiting = (queues: readonly string[]) =>
  `state < 'completed' and name in (${queues.map((name) => `'${name}'`).join(", ")})`;

const countOf = async (db: Queryable, { name }: Table, where: string): Promise<number> => {
  const [row] = await db.query<{ rows: number }[]>(
    `select count(*) as rows from ${name} where ${where}`,
  );
  return row?.rows ?? 0;
};

async function copyTable(from: Tx, to: Tx, table: Table, where: string): Promise<number> {
  const { bytes, name } = table;
  const rows = await countOf(from, table, where);
  await pour(from, to, table, { where, into: name, bytesOfRow: bytes / Math.max(rows, 1) });
  const copied = await countOf(to, table, where);
  if (copied !== rows)
    throw new Error(`The table ${name} has ${rows} rows, and ${copied} of them arrived.`);
  return rows;
}

interface Pouring {
  where: string;
  /** The table that gets the rows. */
  into: string;
  /** About so many, to keep batches small. */
  bytesOfRow: number;
}

/** Copies rows in batches. */
export async function pour(
  from: Tx,
  to: Tx,
  { columns, name }: Pick<Table, "columns" | "name">,
  { bytesOfRow, into, where }: Pouring,
): Promise<void> {
  const batch = Math.floor(BATCH_BYTES_MAX / Math.max(bytesOfRow, 1));
  const fetch = `fetch ${Math.min(Math.max(batch, 1), BATCH_ROWS_MAX)} from moving`;
  const texts = columns.map((column) => `${column.name}::text`);
  const parameters = columns.map((_, at) => `$${at + 1}::text[]`);
  const values = columns.map(({ type }, at) => `v${at}::${type}`);
  const insert = `
    insert into ${into} (${columns.map((column) => column.name).join(", ")}) overriding system value
    select ${values.join(", ")} from unnest(${parameters.join(", ")}) as row (${columns.map((_, at) => `v${at}`).join(", ")})`;

  await from.query(
    `declare moving no scroll cursor for select ${texts.join(", ")} from ${name} where ${where}`,
  );
  for (;;) {
    const fetched = await from.queryArrays(fetch, []);
    if (fetched.length === 0) break;
    await to.query(
      insert,
      columns.map((_, at) => fetched.map((row) => row[at])),
    );
  }
  await from.query("close moving");
}

/** Makes the days of history that the target lacks. */
export async function makePartitions(from: Tx, to: Tx): Promise<void> {
  const all = (db: Tx) =>
    db.query<{ name: string; parent: string; bound: string }[]>(
      `select c.relname::text as name, i.inhparent::regclass::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound
       from pg_class c join pg_inherits i on i.inhrelid = c.oid
       where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
    );
  const known = new Set((await all(to)).map(({ name }) => name));
  for (const { bound, name, parent } of await all(from))
    if (!known.has(name)) await to.query(`create table ${name} partition of ${parent} ${bound}`);
}

/** Without them, tables can be copied in any order. */
async function removeForeignKeys(tx: Tx) {
  const keys = await tx.query<{ name: string; table: string; definition: string }[]>(
    `select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = conrelid
     where contype = 'f' and conparentid = 0 and ${OURS}`,
  );
  for (const { name, table } of keys)
    await tx.query(`alter table ${table} drop constraint ${name}`);
  return keys;
}
