import type { Reach } from "../../access/reach.ts";
import { accountColumnOf } from "../definition/members.ts";
import type { ToMany } from "../definition/relationships.ts";
import type { Catalogue, Resource } from "../definition/resource.ts";
import { targetOf } from "../definition/targets.ts";
import type { Place } from "../request/near.ts";
import { reachCondition } from "../request/reach-conditions.ts";
import type { StatementBuilder } from "./statement-builder.ts";

/** The condition for the columns that a relationship fixes (`where`). */
export function constants(table: string, { where = {} }: ToMany): string {
  return Object.entries(where)
    .map(([column, value]) => {
      const values = [value].flat().map((one) => `'${one}'`);
      return ` and ${table}."${column}" in (${values.join(", ")})`;
    })
    .join("");
}

/** The place from which a statement measures distances, before the tables in `from`. */
export const placeFor = (
  statement: StatementBuilder,
  { nearby }: Resource,
  place?: Place,
): string =>
  nearby
    ? `(select ${statement.bind(place?.latitude ?? null)}::float8 as latitude,` +
      ` ${statement.bind(place?.longitude ?? null)}::float8 as longitude) as place, `
    : "";

/** Rows of the joining table, joined with the target when the statement or the reach needs its columns. */
export function linkSource(
  statement: StatementBuilder,
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
