import { limits } from "../../base/limits.ts";
import { ID } from "../definition/layout.ts";
import type { ToMany } from "../definition/relationships.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import type { Linkage, Row } from "../definition/rows.ts";
import { targetOf } from "../definition/targets.ts";
import { reachOfLinks } from "../request/reach.ts";
import { ownRows } from "../request/reach-conditions.ts";
import { constants, linkSource } from "./select.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** A column with the linkage of to-many relationships that share the same rows. */
export interface LinkageColumn {
  names: string[];
  column: string;
}

/** The columns of callers who reach every target. They have no parameters. */
const unlimited = new WeakMap<Resource, readonly LinkageColumn[]>();

/**
 * The linkage of every to-many relationship of one resource. Relationships that read the same rows share a subquery,
 * because setting up a subquery takes PostgreSQL longer than finding the few rows.
 *
 * A column is a text. Commas separate the rows, and spaces separate the ids of the relationships in a row. The id is a
 * parameter, not a column of the row, because the name of a table would be ambiguous if a type is related to itself.
 */
export function linkageColumnsOf(
  context: ReadContext,
  statement: StatementBuilder,
  resource: Resource,
): readonly LinkageColumn[] {
  const { actor, catalogue } = context;
  const links = Object.entries(resource.relationships).flatMap(([name, relationship]) =>
    relationship.kind === "to-one"
      ? []
      : {
          name,
          relationship,
          reach: reachOfLinks(actor, targetOf(catalogue, relationship), relationship),
        },
  );
  const isUnlimited = links.every(({ reach }) => reach === "everything");
  const known = isUnlimited ? unlimited.get(resource) : undefined;
  if (known) return known;

  const found = new Map<string, [name: string, id: string][]>();
  for (const { name, reach, relationship } of links) {
    const { from, order, table, to } = relationship;
    const source = linkSource(statement, catalogue, relationship, reach, false);
    const rows = `${source.from} where ${table}.account_id = ${statement.account} and ${table}."${from}" = ${statement.id}${source.reach}${order ? ` order by ${table}."${order}", ${table}."${to}"` : ""}`;
    const linked = `case when true${constants(table, relationship)} then ${table}."${to}" end`;
    found.set(rows, [...(found.get(rows) ?? []), [name, linked]]);
  }
  const columns = [...found].map(([rows, members]) => {
    const text = `concat(${members.map(([, linked]) => linked).join(", ' ', ")})`;
    // One more row than is shown, to detect that there are more.
    const column = `array_to_string(array(select ${text} from ${rows} limit ${limits.linkageMax + 1}), ',')`;
    return { names: members.map(([name]) => name), column };
  });
  if (isUnlimited) unlimited.set(resource, columns);
  return columns;
}

/** Reads the linkage from the columns of a row, starting at column `from`. */
export async function linkageIn(
  context: ReadContext,
  resource: Resource,
  row: Row,
  linkageColumns: readonly LinkageColumn[],
  from: number,
): Promise<Map<string, Linkage>> {
  const linkage = new Map<string, Linkage>();
  for (const [position, { names }] of linkageColumns.entries()) {
    const text = row[from + position] as string;
    const rows = text === "" ? [] : text.split(",");
    const cut = rows.length > limits.linkageMax;
    for (const [at, name] of names.entries())
      linkage.set(
        name,
        cut ? await linkageOf(context, resource, row, name) : idsIn(resource, name, rows, at),
      );
  }
  return linkage;
}

/** Without duplicates, sorted unless the relationship has an order. A row without the relationship contributes no id. */
function idsIn(resource: Resource, name: string, rows: readonly string[], place: number): string[] {
  const ids = [...new Set(rows.map((row) => row.split(" ")[place] ?? ""))].filter(Boolean);
  return (resource.relationships[name] as ToMany).order ? ids : ids.sort();
}

/** The linkage of one relationship with too many rows for a shared column. */
async function linkageOf(context: ReadContext, resource: Resource, row: Row, name: string) {
  const [relationship, id] = [resource.relationships[name] as ToMany, row[ID] as string];
  const [counted] = await linked(context, id, relationship, "count");
  const total = counted?.[0] as number;
  return total > limits.linkageMax ? { total } : linkedIds(context, id, relationship);
}

/** The relationship's own route shows more ids than a document, up to the limit of included resources. */
export async function linkedIds(context: ReadContext, id: string, relationship: ToMany) {
  const rows = await linked(context, id, relationship, "id");
  return rows.map((row) => row[0] as string);
}

function linked(context: ReadContext, id: string, to: ToMany, what: "id" | "count") {
  const statement = new StatementBuilder(context.actor.accountId);
  const target = targetOf(context.catalogue, to);
  const reached = ownRows(statement, target, reachOfLinks(context.actor, target, to));
  const related = relatedTo(id, to)(statement);
  const order = to.order
    ? `(select min(x."${to.order}") from ${to.table} x where x.account_id = ${statement.account}` +
      ` and x."${to.from}" = ${statement.bind(id)} and x."${to.to}" = ${target.table}.id), `
    : "";
  const [columns, end] =
    what === "count"
      ? ["count(*)", ""]
      : ["id", ` order by ${order}id limit ${limits.includedMax}`];
  const sql = `select ${columns} from ${target.table} where ${reached}${related}${end}`;
  return statement.rows(context.db, sql);
}

/** The condition for the rows of the target that a relationship links to. */
export function relatedTo(id: string, relationship: ToMany) {
  return (statement: StatementBuilder): string => {
    const { table } = relationship;
    return (
      ` and id in (select x."${relationship.to}" from ${table} x where x.account_id = ${statement.account}` +
      ` and x."${relationship.from}" = ${statement.bind(id)}${constants("x", relationship)})`
    );
  };
}
