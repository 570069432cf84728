import { type AccountTable, accountTables } from "./account-tables.ts";
import { type Db, inGlobalTransaction, type Tx } from "./db.ts";
import { withoutJournal } from "./journal.ts";
import { makePartitions, pour, withoutTimeLimits } from "./move.ts";

/** These rows stay where they are, or are made again. */
const LEFT = new Set(["account_homes", "account_moves", "webhook_queue"]);

interface Bucket {
  bucket: number;
  rows: number;
  bytes: number;
  digest: string;
}

type Buckets = ReadonlyMap<number, Bucket>;

/** The number of buckets of a table. The key of a row decides in which one it is. */
const BUCKETS = 4_096;

/**
 * The copy of an account for another server, outside the tables of the service. Nothing acts on it there, and no constraint holds,
 * so its rows can arrive in any order. `bring` makes it equal to the account, and repeats only what has changed since.
 */
export class StagedAccount {
  readonly #source: Db;
  readonly #target: Db;
  readonly #id: string;
  readonly #schema: string;
  readonly #tables: readonly AccountTable[];
  /** The number of rows of each table in the last snapshot. */
  readonly #rows = new Map<string, number>();

  private constructor(source: Db, target: Db, id: string, tables: readonly AccountTable[]) {
    this.#source = source;
    this.#target = target;
    this.#id = id;
    this.#schema = schemaOf(id);
    this.#tables = tables;
  }

  static async prepare(source: Db, target: Db, id: string): Promise<StagedAccount> {
    const tables = (await accountTables(source)).filter(({ name }) => !LEFT.has(name));
    const schema = schemaOf(id);
    await inGlobalTransaction(source, (from) =>
      inGlobalTransaction(target, (to) => makePartitions(from, to)),
    );
    await target.query(`create schema if not exists ${schema}`);
    for (const { columns, name } of tables)
      await target.query(
        `create unlogged table if not exists ${schema}.${name} as
         select ${namesOf(columns)} from public.${name} with no data`,
      );
    return new StagedAccount(source, target, id, tables);
  }

  /** Makes the copy equal to a snapshot of the account, and returns the number of rows that it copied. */
  bring(): Promise<number> {
    return inGlobalTransaction(this.#source, async (from) => {
      await from`set transaction isolation level repeatable read, read only`;
      await withoutTimeLimits(from);
      return inGlobalTransaction(this.#target, async (to) => {
        await withoutTimeLimits(to);
        let copied = 0;
        for (const table of this.#tables) copied += await this.#bringTable(from, to, table);
        return copied;
      });
    });
  }

  async #bringTable(from: Tx, to: Tx, table: AccountTable): Promise<number> {
    const staged = `${this.#schema}.${table.name}`;
    const [wanted, known] = await Promise.all([
      this.#bucketsOf(from, table, table.name),
      this.#bucketsOf(to, table, staged),
    ]);
    this.#rows.set(table.name, totalOf("rows", [...wanted.values()]));
    const different = differencesOf(wanted, known);
    if (different.length === 0) return 0;
    const isDifferent = `${bucketOf(table)} = any('{${different.join(",")}}')`;
    if (known.size > 0) await to.query(`delete from ${staged} where ${isDifferent}`);
    const rows = different.flatMap((bucket) => wanted.get(bucket) ?? []);
    const total = totalOf("rows", rows);
    if (total === 0) return 0;
    await pour(from, to, table, {
      where: `${this.#isOwn(table)} and ${isDifferent}`,
      into: staged,
      bytesOfRow: totalOf("bytes", rows) / total,
    });
    return total;
  }

  /** Adds the account to the tables of the service, in a transaction of the target. */
  async place(tx: Tx, replaced: readonly string[]): Promise<void> {
    await withoutTimeLimits(tx);
    await withoutJournal(tx);
    for (const table of this.#tables) {
      const names = namesOf(table.columns);
      if (replaced.includes(table.name))
        await tx.query(`delete from ${table.name} where ${this.#isOwn(table)}`);
      const { count } = await tx.query(
        `insert into ${table.name} (${names}) overriding system value
         select ${names} from ${this.#schema}.${table.name}`,
      );
      const wanted = this.#rows.get(table.name);
      if (count !== wanted)
        throw new Error(`The account has ${wanted} rows in ${table.name}, and ${count} arrived.`);
    }
  }

  async #bucketsOf(tx: Tx, table: AccountTable, name: string): Promise<Buckets> {
    const rows = await tx.query<Bucket[]>(
      `select bucket, count(*)::integer as rows, sum(octet_length(content))::float8 as bytes,
         sum(hashtextextended(content, 0))::text as digest
       from (
         select ${bucketOf(table)} as bucket, row(${namesOf(table.columns)})::text as content
         from ${name} where ${this.#isOwn(table)} offset 0
       ) row group by bucket`,
    );
    return new Map(rows.map((row) => [row.bucket, row]));
  }

  #isOwn({ owner }: AccountTable): string {
    return `${owner} = '${this.#id}'`;
  }
}

/** Removes the copy. A move that was killed may have removed it already. */
export async function removeStaged(target: Db, id: string): Promise<void> {
  await target.query(`drop schema if exists ${schemaOf(id)} cascade`);
}

/** The accounts of which this server has a copy. */
export async function stagedAccounts(target: Db): Promise<string[]> {
  const schemas = await target<{ id: string }[]>`
    select substr(nspname, 6)::uuid::text as id from pg_namespace where nspname ~ '^move_[0-9a-f]{32}$'`;
  return schemas.map(({ id }) => id);
}

const schemaOf = (id: string): string => `move_${id.replaceAll("-", "")}`;

const namesOf = (columns: AccountTable["columns"]): string =>
  columns.map(({ name }) => name).join(", ");

const bucketOf = ({ key }: AccountTable): string =>
  `(hashtextextended(concat_ws(',', ${key.join(", ")}), 0) & ${BUCKETS - 1})::integer`;

const totalOf = (member: "bytes" | "rows", buckets: readonly Bucket[]): number =>
  buckets.reduce((sum, one) => sum + one[member], 0);

function differencesOf(one: Buckets, other: Buckets): number[] {
  const all = new Set([...one.keys(), ...other.keys()]);
  return [...all].filter((bucket) => one.get(bucket)?.digest !== other.get(bucket)?.digest);
}
