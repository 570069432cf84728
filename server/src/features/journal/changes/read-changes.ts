import { limits } from "../../../base/limits.ts";
import { assertKept, type Position, presentPosition } from "./position.ts";
import { changesInScope } from "./in-scope.ts";
import type { Change, ChangeContext, JournalRow } from "./rows.ts";
import { PEOPLE, type View, viewOf } from "./view.ts";

export interface ChangesQuery {
  /** Undefined begins at the oldest row that is kept. */
  after: Position | undefined;
  size: number;
  /** Undefined means all. */
  types: readonly string[] | undefined;
}

export interface PageOfChanges {
  changes: readonly Change[];
  /** The last row that was read, whether or not the caller sees it. */
  last: string;
  isComplete: boolean;
}

export async function readChanges(
  context: ChangeContext,
  { after, size, types }: ChangesQuery,
): Promise<PageOfChanges> {
  if (after) await assertKept(context, after);
  const view = viewOf(context.actor, context.catalogue);
  const isShown = (type: string) => types?.includes(type) ?? true;
  const page = await readRows(context, { after, size, types: typesRead(view, isShown) });
  const rows = page.rows.slice(0, size);
  const changes =
    view.scoped.size === 0 ? rows : await changesInScope(context, view, rows, isShown);
  return {
    changes,
    last:
      page.rows.length > size
        ? (rows.at(-1)?.position ?? "")
        : (page.last ?? (after ?? (await presentPosition(context))).source),
    isComplete: page.isComplete,
  };
}

/** The types that the caller sees, and those whose rows bring others into a scope. */
function typesRead({ links, scoped, trees, whole }: View, isShown: (type: string) => boolean) {
  const shown = [...whole, ...scoped.keys()].filter(isShown);
  const moving = scoped.has(PEOPLE) || [...trees.keys()].some((type) => scoped.has(type));
  return moving ? [...new Set([...shown, ...links.keys(), ...trees.keys()])] : shown;
}

interface RowsRead {
  /** One row more than the page has, if there is one. */
  rows: readonly JournalRow[];
  /** The last row that was looked at, if the page is not full. */
  last: string | null;
  isComplete: boolean;
}

/** Reads a range of the index and stops when the page is full. All parts of the statement see the same rows. */
async function readRows(
  { actor, db }: ChangeContext,
  { after, size, types }: { after: Position | undefined; size: number; types: readonly string[] },
): Promise<RowsRead> {
  const range = db`
    from journal
    where account_id = ${actor.accountId}
      and id >= coalesce(${after?.source ?? null}::uuid, history_floor(now() - ${limits.changesMs} * interval '1 millisecond'))
      and (${after === undefined || after.again} or id > ${after?.source ?? null}::uuid)
    order by id limit ${limits.changesScannedMax}`;
  const read = await db<(JournalRow & { last: string | null; scanned: number | null })[]>`
    with found as materialized (
      select * from (
        select id, action, resource_type, resource_id, subject_id, coalesce(places, '{}') as places, merged_into, occurred_at, changes ${range}) scanned
      where action is not null and resource_type = any(${[...types]}::text[])
      order by id limit ${size + 1}
    )
    select id as position, action, resource_type as type, resource_id as id, subject_id as "subjectId", places,
      merged_into as "mergedInto",
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      array(select jsonb_object_keys(changes)) as members, null::uuid as last, null::integer as scanned
    from found
    union all
    select null, null, null, null, null, null, null, null, null, (array_agg(id order by id desc))[1], count(*)::integer
    from (select id ${range}) scanned
    where (select count(*) from found) <= ${size}
    order by position nulls last`;
  const end = read.at(-1);
  const rows = read.slice(0, -1);
  const isFull = rows.length > size;
  return {
    rows,
    last: isFull ? null : (end?.last ?? null),
    isComplete: !isFull && (end?.scanned ?? 0) < limits.changesScannedMax,
  };
}
