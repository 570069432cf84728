import type { Actor } from "../../access/actor.ts";
import { extrasOf, ID, layoutOf, locateExtras } from "../definition/layout.ts";
import { accountColumnOf } from "../definition/members.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import type { Extra, Row } from "../definition/rows.ts";
import { type Cursor, cursorValuesOf } from "../request/cursors.ts";
import type { ListQuery } from "../request/list-query.ts";
import { reachFor } from "../request/reach.ts";
import { columnsFor, countedRows, ownRows } from "../request/reach-conditions.ts";
import { isHiddenSort, showsSort, type SortKey } from "../request/sorts.ts";
import { placeFor } from "./select.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** A condition in addition to the caller's filters, for lists of related resources. */
export type Restriction = (statement: StatementBuilder) => string;

export interface PageOfRows {
  /** The columns of the layout, then the cursor's value (for `page[after]`), the extras, and the total. */
  rows: Row[];
  extras: readonly Extra[];
  total: number;
  /** Whether more rows follow, for `page[after]`. */
  more: boolean;
}

export async function readPage(
  context: ReadContext,
  resource: Resource,
  query: ListQuery,
  restrict?: Restriction,
): Promise<PageOfRows> {
  const statement = new StatementBuilder(context.actor.accountId);
  const { page, sort } = query;
  statement.prepared = query.conditions.length === 0 && sort.length <= 1;
  const reach = reachFor(context.actor, resource, "list");
  const where = (rows: typeof ownRows) =>
    rows(statement, resource, reach) +
    (restrict?.(statement) ?? "") +
    query.standing.map((condition) => ` and ${condition}`).join("") +
    query.conditions.map((condition) => ` and (${condition(statement)})`).join("");
  const counted = countOf(statement, resource, query, where(countedRows));
  const text = pageOf(statement, context, resource, query, { counted, where: where(ownRows) });
  const rows = await statement.rows(context.db, withAdded(statement, resource, query) + text);

  const total = rows[0]?.at(-1) as number;
  const found = rows[0]?.[ID] === null ? [] : rows;
  const after = page.kind === "after";
  const more = after && found.length > page.size;
  const width = layoutOf(resource).width + (after ? 1 : 0);
  const extras = locateExtras(extrasOf(resource, query.fields.get(resource.type), "list"), width);
  return { rows: more ? found.slice(0, page.size) : found, extras, total, more };
}

/** The rest of the statement reads a table of this name that also has the added rows. */
function withAdded(statement: StatementBuilder, { table }: Resource, { added }: ListQuery): string {
  if (!added) return "";
  const { condition, view } = added;
  const rows = (from: string, more: string) =>
    `select ${table}.*${more} from ${from} where ${table}.account_id = ${statement.account} and ${condition(statement)}`;
  return `with ${table} as (${rows(table, ", null as added_id")} union all ${rows(`${view} as ${table}`, "")}) `;
}

function countOf(
  statement: StatementBuilder,
  resource: Resource,
  { place }: ListQuery,
  where: string,
): string {
  return `select count(*) from ${placeFor(statement, resource, place)}${resource.table} where ${where}`;
}

/** The page and its total come from one snapshot. An empty page is one row of the total and nulls. */
function pageOf(
  statement: StatementBuilder,
  context: ReadContext,
  resource: Resource,
  query: ListQuery,
  { counted, where }: { counted: string; where: string },
): string {
  const { actor } = context;
  const { page, place, sort } = query;
  const ownColumns = columnsFor(statement, context, resource);
  const [id, shownId] = [`${resource.table}.id`, `${resource.table}.added_id`];
  const columns =
    (query.added ? ownColumns.replace(id, `coalesce(${shownId}, ${id}::text)`) : ownColumns) +
    (page.kind === "after" ? `, ${sortedBy(statement, resource, actor, sort[0])}::text` : "") +
    extrasOf(resource, query.fields.get(resource.type), "list")
      .map((extra) => `, ${extra.expression}`)
      .join("");
  const order = orderOf(statement, resource, actor, sort);
  const isAfter = page.kind === "after";
  const afterCursor =
    isAfter && page.after
      ? ` and ${beyondCursor(statement, resource, actor, sort[0], page.after)}`
      : "";
  const limit = `limit ${limitOf(statement, isAfter ? page.size + 1 : page.size)}`;
  const skipped = isAfter ? 0 : (page.number - 1) * page.size;
  const own = `${resource.table}.${accountColumnOf(resource)} = ${statement.account} and ${resource.table}.id =`;
  // PostgreSQL computes the columns of every row that it sorts or skips, and fetches rows that do not match. The statement
  // therefore finds the ids first, which an index alone may do, and then looks up each row by its id.
  const found =
    `unnest(array(select ${resource.table}.id from ${resource.table} where ${where}${afterCursor} order by ${order}` +
    ` ${limit} offset ${statement.bind(skipped)})) as found (id) cross join lateral` +
    ` (select * from ${resource.table} where ${own} found.id offset 0) as ${resource.table}`;
  return (
    `select ${columns}, counted.total from ${placeFor(statement, resource, place)}(select (${counted}) as total) as counted` +
    ` left join (${found}) on true order by ${order} ${limit}`
  );
}

/** Common page sizes, and one row more for cursors. Each size is a separate statement. */
const usualSizes = new Set([10, 20, 25, 50, 100].flatMap((size) => [size, size + 1]));

/**
 * PostgreSQL keeps the plan of a statement with a constant limit. With a parameter it plans every execution, which takes
 * as long as reading 25 people.
 */
const limitOf = (statement: StatementBuilder, size: number): string =>
  usualSizes.has(size) ? String(size) : statement.bind(size);

/** An expression names its table itself. */
function sortColumn(resource: Resource, key: SortKey | undefined): string {
  const column = key?.sort.column ?? "id";
  return column.includes("(") ? column : `${resource.table}."${column}"`;
}

/** A sort and its cursors have no value where the view of a row hides the attribute. */
function sortedBy(
  statement: StatementBuilder,
  resource: Resource,
  actor: Actor,
  key: SortKey | undefined,
): string {
  const column = sortColumn(resource, key);
  const shown = key && showsSort(statement, resource, actor, key);
  return shown === undefined ? column : `(case when ${shown} then ${column} end)`;
}

/** The id is the last sort key, so that pages never repeat or skip a row. */
function orderOf(
  statement: StatementBuilder,
  resource: Resource,
  actor: Actor,
  sort: readonly SortKey[],
): string {
  // An index supports `asc nulls last` and, backwards, `desc nulls first`. Columns that are never null specify neither.
  const keys = sort.map((key) => {
    const nullable = key.sort.nullable || isHiddenSort(resource, actor, key);
    const direction = key.descending ? "desc" : "asc";
    return `${sortedBy(statement, resource, actor, key)} ${direction}${nullable ? " nulls last" : ""}`;
  });
  const last = sort.at(-1);
  if (last?.sort.column !== "id")
    keys.push(`${resource.table}.id ${last?.descending ? "desc" : "asc"}`);
  return keys.join(", ");
}

function beyondCursor(
  statement: StatementBuilder,
  resource: Resource,
  actor: Actor,
  key: SortKey | undefined,
  cursor: Cursor,
): string {
  const operator = key?.descending ? "<" : ">";
  const id = `${statement.bind(cursor.id)}::uuid`;
  if (!key || key.sort.column === "id") return `${resource.table}.id ${operator} ${id}`;
  const column = sortedBy(statement, resource, actor, key);
  if (cursor.value === null) return `${column} is null and ${resource.table}.id ${operator} ${id}`;
  const value = `${statement.bind(cursor.value)}::${cursorValuesOf(resource, key).cast}`;
  const beyond = `(${column}, ${resource.table}.id) ${operator} (${value}, ${id})`;
  return isHiddenSort(resource, actor, key) ? `(${beyond} or ${column} is null)` : beyond;
}
