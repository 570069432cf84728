import type { AccountRow } from "../features/accounts/account-status.ts";
import { type AccountTable, accountTables } from "../store/account-tables.ts";
import type { Db } from "../store/db.ts";
import { askEach } from "../store/on-each.ts";
import { awaySentence, CommandError } from "./failure.ts";

export interface ListedAccount extends AccountRow {
  server: number;
  people: number;
  /** About so many in the database, with indexes. The average row of each table counts. */
  bytes: number;
  /** The last change or request of a person, to the accuracy with which access tokens note their use. */
  "last-used-at": string | null;
}

export interface Page {
  accounts: ListedAccount[];
  /** The alias after which the next page begins. */
  next: string | null;
  /** The numbers of the servers that did not answer. */
  away: number[];
}

interface Options {
  server?: number | undefined;
  after?: string | undefined;
  limit: number;
}

/** A page of the accounts of all servers, or of one. */
export async function listAccounts(db: Db, { after = "", limit, server }: Options): Promise<Page> {
  const asked = db.servers.filter((one) => server === undefined || one.server === server);
  if (asked.length === 0) throw new CommandError("not-found", `There is no server ${server}.`);
  const { answers, away } = await askEach(asked, async (at) => ({
    at,
    rows: await accountsAfter(at, after, limit + 1),
  }));
  const [first] = away;
  if (first && answers.length === 0)
    throw new CommandError("database-unavailable", `${awaySentence(first.error)}.`);
  const all = answers
    .flatMap(({ at, rows }) => rows.map((row) => ({ at, row })))
    .sort((one, other) => (one.row.alias < other.row.alias ? -1 : 1));
  const page = all.slice(0, limit);
  const accounts: ListedAccount[] = [];
  for (const { at } of answers) {
    const own = page.filter((one) => one.at === at).map(({ row }) => row);
    const bytes = await bytesOf(
      at,
      own.map(({ id }) => id),
    );
    for (const row of own)
      accounts.push({ ...row, server: at.server, bytes: Math.round(bytes.get(row.id) ?? 0) });
  }
  return {
    accounts: accounts.sort((one, other) => (one.alias < other.alias ? -1 : 1)),
    next: all.length > limit ? (page.at(-1)?.row.alias ?? null) : null,
    away: away.map((one) => one.server.server),
  };
}

/** In the order of code units, like the sort above. */
const accountsAfter = async (at: Db, after: string, limit: number) => [
  ...(await at<Omit<ListedAccount, "bytes" | "server">[]>`
    select id, alias, church_name as "church-name", status, integration_approved as "integration-approved",
      (select count(*)::integer from people where account_id = accounts.id) as people,
      greatest(last_change_of(id),
        (select max(last_used_at) from access_tokens where account_id = accounts.id)) as "last-used-at"
    from accounts where alias collate "C" > ${after} order by alias collate "C" limit ${limit}`),
];

/** A share of each table by the number of rows, because reading all rows would take too long. */
async function bytesOf(at: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const total = new Map<string, number>();
  if (ids.length === 0) return total;
  for (const table of await accountTables(at))
    for (const { bytes, id } of await shareOf(at, table, ids))
      total.set(id, (total.get(id) ?? 0) + bytes);
  return total;
}

const shareOf = (at: Db, { name, owner }: AccountTable, ids: readonly string[]) => at<
  { id: string; bytes: number }[]
>`
  select own.id, own.rows * size.bytes / size.rows as bytes
  from (select ${at(owner)} as id, count(*)::float8 as rows from ${at(name)}
    where ${at(owner)} = any(${[...ids]}::uuid[]) group by 1) own,
  (select sum(pg_total_relation_size(leaf.oid))::float8 as bytes,
      -- PostgreSQL has not counted the rows of small tables.
      coalesce(nullif(sum(greatest(leaf.reltuples, 0)), 0), (select count(*) from ${at(name)}))::float8 as rows
    from pg_partition_tree(to_regclass(${name})) part join pg_class leaf on leaf.oid = part.relid
    where part.isleaf) size`;

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;

function inUnits(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  return `${Math.round(bytes / 1_000 ** power)} ${UNITS[power]}`;
}

export const accountLines = (accounts: readonly ListedAccount[]): string[] =>
  accounts.map((one) =>
    [
      one.alias,
      one["church-name"],
      `${one.status}${one["integration-approved"] ? ", approved" : ""}${one.server > 1 ? `, on server ${one.server}` : ""}`,
      `${one.people.toLocaleString("en")} people`,
      inUnits(one.bytes),
      one["last-used-at"] === null ? "never used" : `last used ${one["last-used-at"].slice(0, 10)}`,
    ].join("  "),
  );
