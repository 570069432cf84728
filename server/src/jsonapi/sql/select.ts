import type { Reach } from "../../access/policy.ts";
import type { ToMany } from "../definition/relationships.ts";
import {
  type Catalogue,
  type Resource,
  targetOf,
  accountColumnOf,
} from "../definition/resource.ts";
import type { Statement } from "./statement.ts";

/** The condition for the rows that the caller reaches. It is empty when that is the whole table. */
export function reachCondition(statement: Statement, of: Resource, reach: Reach): string {
  const resources = of.rows === undefined ? "" : ` and (${of.rows})`;
  if (reach === "everything") return resources;
  const alternatives = reach.map(({ scope, ids }) => {
    const column = of.scopes?.[scope];
    return `${of.table}.${column} = any(${statement.bind(ids)}::uuid[])`;
  });
  return `${resources} and (${alternatives.length > 0 ? alternatives.join(" or ") : "false"})`;
}

/** The condition for the columns that a relationship fixes (`where`). */
export function constants(table: string, { where = {} }: ToMany): string {
  return Object.entries(where)
    .map(([column, value]) => {
      const values = [value].flat().map((one) => `'${one}'`);
      return ` and ${table}."${column}" in (${values.join(", ")})`;
    })
    .join("");
}

/** Rows of the joining table, joined with the target when the statement or the reach needs its columns. */
export function linkSource(
  statement: Statement,
  catalogue: Catalogue,
  relationship: ToMany,
  reach: Reach,
  joinTarget: boolean,
): { from: string; reach: string } {
  const target = targetOf(catalogue, relationship);
  const { table } = relationship;
  const isTarget = table === target.table && relationship.to === "id";
  const condition = reachCondition(statement, target, reach);
  if (isTarget || (!joinTarget && condition === "")) return { from: table, reach: condition };
  const accountColumn = accountColumnOf(target);
  return {
    from: `${table} join ${target.table} on ${target.table}.${accountColumn} = ${table}.account_id and ${target.table}.id = ${table}."${relationship.to}"`,
    reach: condition,
  };
}

/** Whether the rows can name one target twice. Rows that are the links or the targets themselves cannot. */
export const repeats = ({ to, writable }: ToMany): boolean => to !== "id" && !writable;

/** The condition for the rows of the account that the caller reaches. */
export function ownRows(statement: Statement, of: Resource, reach: Reach): string {
  return `${of.table}.${accountColumnOf(of)} = ${statement.account}${reachCondition(statement, of, reach)}`;
}
