import { hash } from "node:crypto";
import { limits } from "../base/limits.ts";
import type { Db } from "./db.ts";

/** The rows that a condition holds for: how many, and while they are few, which. */
export interface Matches {
  total: number;
  ids: string[] | undefined;
}

/** What was found, and what was to be seen when it was: changes of rows (`row_changes`) beyond that are new. */
interface Known extends Matches {
  snapshot: string;
  /** Snapshots say nothing of a database that was started again, or restored. */
  server: string;
}

/** By what was looked for; what nobody has asked for longest comes first. */
const remembered = new WeakMap<Db, Map<string, Known>>();

/**
 * The rows of a table that meet a condition on columns whose changes are kept in `row_changes`, and on nothing else; the
 * church is its first parameter. What was found before is brought up to date, and only found again where too much has
 * changed: that is exact whoever writes, and wherever, since each is one statement, and so one moment. Of a pool, not of a
 * transaction, which would remember what it may yet take back.
 */
export async function findOnce(
  db: Db,
  table: string,
  condition: string,
  params: readonly unknown[],
): Promise<Matches> {
  const memory = remembered.get(db) ?? new Map<string, Known>();
  remembered.set(db, memory);
  const key = hash("sha256", JSON.stringify([table, condition, params]), "base64");
  const known = memory.get(key);
  const found =
    (known && (await followChanges(db, table, condition, params, known))) ??
    (await find(db, table, condition, params));
  memory.delete(key);
  memory.set(key, found);
  if (memory.size > limits.searchesRememberedMax) memory.delete(memory.keys().next().value ?? key);
  return found;
}

const SNAPSHOT = "pg_current_snapshot()::text";
/** Another one after each start, after a crash, where statistics begin anew, and after a restore, which makes the table anew. */
const SERVER =
  "concat_ws(' ', pg_postmaster_start_time(), pg_stat_get_bgwriter_stat_reset_time(), pg_relation_filepath('row_changes'))";

/** More than these are not worth being kept as ids. */
const few = limits.matchesRememberedMax;

async function find(
  db: Db,
  table: string,
  condition: string,
  params: readonly unknown[],
): Promise<Known> {
  const of = `from ${table} where ${condition}`;
  const [row] = await db.queryArrays(
    `select ${SNAPSHOT}, ${SERVER}, ids, case when cardinality(ids) > ${few} then (select count(*) ${of}) end
      from (select array(select ${table}.id ${of} limit ${few + 1}) as ids offset 0) found`,
    params,
  );
  const [snapshot, server, ids, total] = row as unknown as [
    string,
    string,
    string[],
    number | null,
  ];
  return { snapshot, server, total: total ?? ids.length, ids: total === null ? ids : undefined };
}

/**
 * What is known, with each row that has changed since taken out as it was and put in as it is; nothing if more has changed
 * than is looked at one by one.
 */
async function followChanges(
  db: Db,
  table: string,
  condition: string,
  params: readonly unknown[],
  known: Known,
): Promise<Known | undefined> {
  const most = limits.changesFollowedMax;
  const [account, snapshot] = ["$1", `$${params.length + 1}::pg_snapshot`];
  const kept = `select id, was, number from row_changes
    where account_id = ${account} and table_name = '${table}' and server_started = pg_postmaster_start_time() and changed_in`;
  const [row] = await db.queryArrays(
    // What began after the snapshot, and what was under way.
    `with changes as materialized (
        ${kept} >= pg_snapshot_xmax(${snapshot})
        union all
        select change.* from pg_snapshot_xip(${snapshot}) as open (transaction)
        cross join lateral (${kept} = open.transaction offset 0) as change
        limit ${most + 1}
      )
      select ${SNAPSHOT}, ${SERVER}, array(select distinct id from changes),
        (select count(*) from (
          -- One that was added was not there before, whatever was done to it along the way.
          select distinct on (id) was from changes order by id, was is not null, number
        ) before, jsonb_populate_record(null::${table}, was) as ${table} where ${condition}),
        array(select ${table}.id from (
          select * from ${table} where ${table}.account_id = ${account} and id = any(array(select id from changes)) offset 0
        ) ${table} where ${condition}),
        (select count(*) > ${most} or count(id) < count(*) from changes)`,
    [...params, known.snapshot],
  );
  type Changes = [string, string, string[], number, string[], boolean];
  const [now, server, changed, before, after, isTooMuch] = row as unknown as Changes;
  if (server !== known.server || isTooMuch) return undefined;
  const total = known.total - before + after.length;
  const ids = known.ids && [...known.ids.filter((id) => !changed.includes(id)), ...after];
  // Those that have become few are found by their ids from now on.
  if (!ids && total <= few) return undefined;
  return { snapshot: now, server, total, ids: total > few ? undefined : ids };
}

/** Whoever remembers what was found before has to find it again: once an hour, of what has changed. */
export async function forgetChanges(db: Db): Promise<number> {
  const churches = await db<{ accountId: string; table: string }[]>`
    select account_id as "accountId", table_name as "table" from row_changes
    where changed_at < now() - make_interval(secs => ${limits.changesKeptMs / 1_000})
    group by account_id, table_name having count(id) > 0 or count(*) > 1`;
  let forgotten = 0;
  // One by one: whoever deletes somebody, or a church, waits for no more than that.
  for (const { accountId, table } of churches) {
    const [row] = await db<{ rows: number }[]>`
      select forget_changes(${accountId}, ${table}) as rows`;
    forgotten += row?.rows ?? 0;
  }
  // Of a church that was deleted meanwhile.
  const { count } = await db`
    delete from row_changes where not exists (select from accounts where id = row_changes.account_id)`;
  return forgotten + count;
}
