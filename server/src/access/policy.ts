import type { Actor, ScopeType } from "./actor.ts";
import { administratorPermissions, memberPermissions } from "./preset-roles.ts";

export const actions = [
  "read",
  "write",
  "delete",
  "report",
  "approve",
  "export",
  "merge",
  "admin",
] as const;

export type Action = (typeof actions)[number];

/** `people:read`. A role is a bundle of these. */
export type Permission = `${string}:${Action}`;

/** What an operation asks of the caller, as data: `vestry explain` prints it. */
export type Policy =
  | { kind: "permission"; permission: Permission }
  | { kind: "full-administrator" };

export const can = (action: Action, resource: string): Policy => ({
  kind: "permission",
  permission: `${resource}:${action}`,
});

export const fullAdministrator: Policy = { kind: "full-administrator" };

/**
 * How far a permission carries: everywhere in the church, or only to rows that one of these scopes names.
 * An empty list is nothing at all; it never means everything.
 */
export type Reach = "everything" | readonly ScopedReach[];

export interface ScopedReach {
  scope: ScopeType;
  ids: readonly string[];
}

/** Scopes that a type knows: which of its columns a scope's ids are compared with. */
export type ScopeColumns = Partial<Record<ScopeType, string>>;

/**
 * Full administrators reach everything. Others have the union of what their roles reach, and what every person may do
 * with their own record. There is no third way in.
 */
export function reachOf(actor: Actor, policy: Policy, scopes: ScopeColumns): Reach {
  if (actor.administrativeStatus === "full-administrator") return "everything";
  if (policy.kind === "full-administrator") return [];

  const { permission } = policy;
  if (actor.administrativeStatus === "administrator" && administratorPermissions.has(permission))
    return "everything";

  // Whoever writes is answered what is there now.
  const including = permission.replace(/:read$/, ":write") as Permission;
  const reached: ScopedReach[] = [];
  for (const assignment of actor.assignments) {
    const { permissions } = assignment;
    if (!permissions.includes(permission) && !permissions.includes(including)) continue;
    if (assignment.scopeType === "account") return "everything";
    if (assignment.scopeType === "self") reached.push({ scope: "self", ids: [actor.personId] });
    else if (scopes[assignment.scopeType] && assignment.scopeIds.length > 0)
      reached.push({ scope: assignment.scopeType, ids: assignment.scopeIds });
  }

  const own = memberPermissions[permission];
  if (own === "account") return "everything";
  if (own === "self" && scopes.self) reached.push({ scope: "self", ids: [actor.personId] });
  return reached.filter((reach) => scopes[reach.scope]);
}

export const reachesNothing = (reach: Reach): boolean =>
  reach !== "everything" && reach.length === 0;

/** For what is not about a row, such as a sensitive attribute: is the permission held everywhere? */
export const holds = (actor: Actor, permission: Permission): boolean =>
  reachOf(actor, { kind: "permission", permission }, {}) === "everything";
