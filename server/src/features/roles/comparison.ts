import {
  type AdministrativeStatus,
  isFullAdministrator,
  lasting,
  ranksAbove,
} from "../../access/actor.ts";
import { permissionsOf } from "../../access/identify.ts";
import { can, holds, reachOf } from "../../access/policy.ts";
import type { Permission } from "../../access/permissions.ts";
import type { ScopeKind, ScopeType } from "../../access/scopes.ts";
import type { ReadContext } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { reachesRow } from "../../jsonapi/sql/reach.ts";

/**
 * Compares the rights of the caller with rights that the caller would give, or with those of another person. Both are one
 * question: the permissions that the caller does not hold over all of a scope.
 */

export type RightsContext = Pick<ReadContext, "actor" | "catalogue" | "db">;

/** The scope of an assignment. */
export interface HeldScope {
  type: ScopeType;
  ids: readonly string[];
}

/** The kind of a scope that names resources. */
export const kindOf = (
  { catalogue }: Pick<RightsContext, "catalogue">,
  type: ScopeType,
): ScopeKind | undefined =>
  type === "account" || type === "self" ? undefined : catalogue.declared.scopes.get(type);

/** Those of the permissions that the caller does not hold over all of a scope. */
export async function lackedOver(
  context: RightsContext,
  permissions: readonly Permission[],
  { ids, type }: HeldScope,
): Promise<readonly Permission[]> {
  const { actor, catalogue } = context;
  if (isFullAdministrator(actor)) return [];
  const kind = kindOf(context, type);
  const lacked = permissions.filter((permission) => !holds(actor, permission));
  if (!kind || ids.length === 0) return lacked;
  const target = definitionOf(catalogue, kind.type);
  // A grant for the named resources does not cover those below them.
  const covering: readonly string[] = kind.follows ? [type] : [...catalogue.declared.scopes.keys()];
  const reaches = lacked.map((permission) => {
    const reach = reachOf(actor, can(permission), target.reach ?? {});
    return reach === "everything" ? [] : reach.filter(({ scope }) => covering.includes(scope));
  });
  const missing = new Set<Permission>();
  for (const id of ids) {
    const reached = await reachesRow(context, target, id, reaches);
    for (const [position, permission] of lacked.entries())
      if (!reached[position]) missing.add(permission);
  }
  return lacked.filter((permission) => missing.has(permission));
}

export const inAccount: HeldScope = { type: "account", ids: [] };

/** The right to grant is not passed on within a scope. */
const isOfGranting = (permission: Permission): boolean =>
  /^(roles|role-assignments):/.test(permission);

/** Those of the permissions that the caller cannot grant in a scope. */
export async function ungrantable(
  context: RightsContext,
  permissions: readonly Permission[],
  scope: HeldScope,
): Promise<readonly Permission[]> {
  const others = permissions.filter((permission) => !isOfGranting(permission));
  return [
    ...(await lackedOver(context, permissions.filter(isOfGranting), inAccount)),
    ...(await lackedOver(context, others, scope)),
  ];
}

/** The permissions without which the caller cannot grant, or revoke, a role in a scope. */
export const lackedToGrant = async (
  context: RightsContext,
  right: Permission,
  { permissions, scope }: Pick<Held, "permissions" | "scope">,
): Promise<readonly Permission[]> => [
  ...(await lackedOver(context, [right], scope)),
  ...(await ungrantable(context, permissions, scope)),
];

/** A role that a person holds, or will hold. */
interface Held {
  scope: HeldScope;
  permissions: readonly Permission[];
  until: string | null;
  isDerived: boolean;
}

interface Standing {
  status: AdministrativeStatus;
  roles: readonly Held[];
}

async function standingOf(
  { actor, catalogue, db }: RightsContext,
  personId: string,
): Promise<Standing> {
  const { accountId } = actor;
  const [person] = await db<{ status: AdministrativeStatus }[]>`
    select administrative_status as status from person_facts
    where account_id = ${accountId} and person_id = ${personId}`;
  const roles = await db<
    {
      code: string | null;
      own: Permission[];
      type: ScopeType;
      ids: string[];
      until: string | null;
      isDerived: boolean;
    }[]
  >`
    select code, permissions as own, scope_type as type, scope_ids as ids, valid_until as until, is_derived as "isDerived"
    from roles_ahead where account_id = ${accountId} and person_id = ${personId}`;
  const { presets } = catalogue.declared;
  return {
    status: person?.status ?? "none",
    roles: roles.map(({ code, ids, isDerived, own, type, until }) => ({
      scope: { type, ids },
      permissions: permissionsOf({ code, own }, presets) as readonly Permission[],
      until,
      isDerived,
    })),
  };
}

/**
 * Whether a person outranks the caller: the person holds a right that the caller does not hold over all of its scope and for
 * as long. Acts that can put a caller into the place of a person ask this. Roles that begin later count, because a log-in
 * outlasts the act. With `stored`, roles that follow from a task do not count.
 */
export async function outranks(
  context: RightsContext,
  personId: string,
  which: "all" | "stored" = "all",
): Promise<boolean> {
  const { actor, catalogue } = context;
  if (personId === actor.personId) return false;
  if (await catalogue.published.outranksByNotes(context, personId)) return true;
  if (isFullAdministrator(actor)) return false;
  const { roles, status } = await standingOf(context, personId);
  if (ranksAbove(status, actor)) return true;
  for (const { isDerived, permissions, scope, until } of roles) {
    const isNothing = kindOf(context, scope.type) !== undefined && scope.ids.length === 0;
    if (isNothing || (isDerived && which === "stored")) continue;
    const caller = { ...context, actor: lasting(actor, until) };
    if ((await lackedOver(caller, permissions, scope)).length > 0) return true;
  }
  return false;
}

/** Whether the caller could grant each role that a person holds. */
export async function mayGrantRolesOf(context: RightsContext, personId: string): Promise<boolean> {
  const { actor, catalogue } = context;
  if (isFullAdministrator(actor)) return true;
  // No caller can grant the right to read the note of another person.
  if (await catalogue.published.outranksByNotes(context, personId)) return false;
  const { roles, status } = await standingOf(context, personId);
  if (status !== "none") return false;
  for (const role of roles) {
    const caller = { ...context, actor: lasting(actor, role.until) };
    const lacked = await lackedToGrant(caller, "role-assignments:write", role);
    if (lacked.length > 0) return false;
  }
  return true;
}
