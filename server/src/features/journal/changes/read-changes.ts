import { NIL_ID } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import { holds } from "../../../access/policy.ts";
import { type Position, presentPosition } from "./position.ts";
import { assertSameReach } from "./reach.ts";
import { changesInScope } from "./in-scope.ts";
import type { Change, ChangeContext, JournalRow } from "./rows.ts";
import { PEOPLE, type View, viewOf } from "./view.ts";

export interface ChangesQuery {
  /** Undefined begins at the oldest row that is kept. */
  after: Position | undefined;
  size: number;
  /** Undefined means all. */
  types: readonly string[] | undefined;
  actions: readonly string[] | undefined;
}

export interface PageOfChanges {
  changes: readonly Change[];
  /** The last row that was read, whether or not the caller sees it. */
  last: string;
  isComplete: boolean;
  /** The number of rows after the last one, up to a limit. */
  behind: number;
}

/** The position must be valid. `read` may share what it reads with other callers. */
export async function readChanges(
  context: ChangeContext,
  { actions, after, size, types }: ChangesQuery,
  read = readRows,
): Promise<PageOfChanges> {
  const view = viewOf(context.actor, context.catalogue);
  const isShown = (type: string) => types?.includes(type) ?? true;
  const typesOfRows = typesRead(view, isShown);
  const page = await read(context, { after, size, types: typesOfRows });
  if (after) await assertSameReach(context, view, after);
  const rows = page.rows.slice(0, size);
  const changes = rows.some((row) => needsScope(view, row))
    ? await changesInScope(context, view, after?.source ?? NIL_ID, rows, isShown)
    : rows;
  const last =
    page.rows.length > size
      ? (rows.at(-1)?.position ?? "")
      : (page.last ?? (after ?? (await presentPosition(context))).source);
  return {
    changes: changes
      .filter(({ action }) => actions?.includes(action) ?? true)
      .map((one) => ({ ...one, members: membersShown(context, one) })),
    last,
    isComplete: page.isComplete,
    behind: page.isComplete ? 0 : await countRows(context, last, typesOfRows),
  };
}

/** Whether the scope of the caller says if the row is shown, or who follows from it. Every caller of the account sees the others. */
const needsScope = ({ links, scoped, scopeTypes }: View, { action, type }: JournalRow): boolean =>
  scoped.has(type) ||
  (scoped.has(PEOPLE) && links.has(type)) ||
  (scoped.size > 0 && action === "deleted" && scopeTypes.has(type));

/** The names that the caller may read. The name of a sensitive member would say that there is one. */
function membersShown({ actor, catalogue }: ChangeContext, { members, type }: Change): string[] {
  const resource = catalogue.resources.get(type);
  if (!resource) return [];
  const { attributes, reduced } = resource;
  const isReduced = reduced && !holds(actor, reduced.fullWith);
  return members.filter((name) => {
    const { readableWith, withheld } = attributes[name] ?? {};
    if (withheld || (readableWith && !holds(actor, readableWith))) return false;
    return !isReduced || reduced.members.includes(name);
  });
}

async function countRows(
  { actor, db }: ChangeContext,
  last: string,
  types: readonly string[],
): Promise<number> {
  const [found] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select from journal
      where account_id = ${actor.accountId} and id > ${last}::uuid and action is not null
        and resource_type = any(${[...types]}::text[])
      limit ${limits.changesScannedMax}) waiting`;
  return found?.count ?? 0;
}

/** The types that the caller sees, and those whose rows bring others into a scope. */
function typesRead({ links, scoped, whole }: View, isShown: (type: string) => boolean) {
  const shown = [...whole, ...scoped.keys()].filter(isShown);
  return scoped.has(PEOPLE) && isShown(PEOPLE) ? [...new Set([...shown, ...links.keys()])] : shown;
}

const ID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";

/** The rows that a caller reads. */
export interface RowsQuery {
  after: Position | undefined;
  size: number;
  types: readonly string[];
}

export interface RowsRead {
  /** One row more than the page has, if there is one. */
  rows: readonly JournalRow[];
  /** The last row that was looked at, if the page is not full. */
  last: string | null;
  isComplete: boolean;
}

/** Reads a range of the index and stops when the page is full. All parts of the statement see the same rows. */
export async function readRows(
  { actor, db }: ChangeContext,
  { after, size, types }: RowsQuery,
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
        select id, action, resource_type, resource_id, subject_id, coalesce(places, '{}') as places, merged_into, occurred_at,
          changes, omitted, integration_id, request_id ${range}) scanned
      where action is not null and resource_type = any(${[...types]}::text[])
      order by id limit ${size + 1}
    )
    select id as position, action, resource_type as type, resource_id as id, subject_id as "subjectId",
      places || array(select (value ->> 'from')::uuid from jsonb_each(changes) where value ->> 'from' ~ ${ID}) as places,
      merged_into as "mergedInto",
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt",
      array(select jsonb_object_keys(changes)) || coalesce(omitted, '{}') as members,
      (select integration.name from integrations integration where integration.id = integration_id) as client,
      request_id as "requestId", null::uuid as last, null::integer as scanned
    from found
    union all
    select null, null, null, null, null, null, null, null, null, null, null, (array_agg(id order by id desc))[1], count(*)::integer
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
