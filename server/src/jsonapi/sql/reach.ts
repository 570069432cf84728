import type { Permission } from "../../access/permissions.ts";
import { can, type Policy, reachOf } from "../../access/policy.ts";
import { type Reach, reachesNothing } from "../../access/reach.ts";
import { fail, forbidden } from "../../base/errors.ts";
import { policyOf } from "../definition/operations.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import { definitionOf } from "../definition/targets.ts";
import { ownRows, reachedBy } from "../request/reach-conditions.ts";
import { StatementBuilder } from "./statement-builder.ts";

/** Whether each reach contains a row. An absent row is reached by none of them. */
export async function reachesRow(
  context: Pick<ReadContext, "actor" | "db">,
  resource: Resource,
  id: string,
  reaches: readonly Reach[],
): Promise<readonly boolean[]> {
  if (reaches.every((one) => reachesNothing(one))) return reaches.map(() => false);
  const statement = new StatementBuilder(context.actor.accountId, id);
  const conditions = reaches.map((one) => reachedBy(statement, resource, one));
  const [row] = await statement.rows(
    context.db,
    `select ${conditions.join(", ")} from ${resource.table} where ${ownRows(statement, resource, "everything")} and ${resource.table}.id = ${statement.id}`,
  );
  return row ? (row as readonly boolean[]) : reaches.map(() => false);
}

/** Whether the caller may do something with a resource. An absent resource is in the reach of the whole account only. */
export async function mayReach(
  context: ReadContext,
  operation: Policy | { allow: Policy },
  resource: Resource,
  id: string,
): Promise<boolean> {
  const reach = reachOf(context.actor, policyOf(operation), resource.reach ?? {});
  if (reach === "everything") return true;
  const [reached = false] = await reachesRow(context, resource, id, [reach]);
  return reached;
}

/** Whether the caller holds a permission at a resource of a type. */
export const mayAt =
  (type: string) =>
  (context: ReadContext, permission: Permission, id: string): Promise<boolean> =>
    mayReach(context, can(permission), definitionOf(context.catalogue, type), id);

/** 403 at a member of the document unless the caller holds the permission there. The error calls the resource `noun`. */
export const assertMayAt =
  (type: string, noun: string) =>
  async (
    context: ReadContext,
    permission: Permission,
    id: string,
    pointer: string,
  ): Promise<void> => {
    if (await mayAt(type)(context, permission, id)) return;
    throw fail("forbidden", `This person lacks ${permission} at the ${noun}.`, { pointer });
  };

/**
 * 403 for a place outside the caller's scope, whether or not it exists. An absent place is reported by the foreign key to
 * callers with the whole account.
 */
export async function assertReaches(
  context: ReadContext,
  operation: Policy | { allow: Policy },
  resource: Resource,
  id: string,
): Promise<void> {
  if (!(await mayReach(context, operation, resource, id)))
    throw forbidden(`${resource.type} ${id} is outside the scope of this person.`);
}
