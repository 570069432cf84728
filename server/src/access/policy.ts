import type { Actor, ScopeType } from "./actor.ts";
import type { Permission } from "./permissions.ts";

/** The requirements of an operation, as data that `vestry explain` can print. */
export type Policy =
  | { kind: "permission"; permission: Permission }
  | { kind: "full-administrator" };

export const can = (permission: Permission): Policy => ({ kind: "permission", permission });

export const fullAdministrator: Policy = { kind: "full-administrator" };

/**
 * The rows that a permission covers: the whole account, or the rows in these scopes. An empty list means no rows.
 */
export type Reach = "everything" | readonly ScopedReach[];

export interface ScopedReach {
  scope: ScopeType;
  ids: readonly string[];
}

/** The scopes of a type and the columns they are compared with. */
export type ScopeColumns = Partial<Record<ScopeType, string>>;

/** Full administrators reach everything. Others reach the union of their assignments. */
export function reachOf(actor: Actor, policy: Policy, scopes: ScopeColumns): Reach {
  if (actor.administrativeStatus === "full-administrator") return "everything";
  if (policy.kind === "full-administrator") return [];

  const { permission } = policy;
  // Write permission includes read permission, because a write returns the resource.
  const including = permission.replace(/:read$/, ":write");
  const reached: ScopedReach[] = [];
  for (const { permissions, scopeIds, scopeType } of actor.assignments) {
    if (!permissions.includes(permission) && !permissions.includes(including)) continue;
    if (scopeType === "account") return "everything";
    const ids = scopeType === "self" ? [actor.personId] : scopeIds;
    if (scopes[scopeType] && ids.length > 0) reached.push({ scope: scopeType, ids });
  }
  return reached;
}

export const reachesNothing = (reach: Reach): boolean =>
  reach !== "everything" && reach.length === 0;

/** Whether the caller holds the permission in the whole account. */
export const holds = (actor: Actor, permission: Permission): boolean =>
  reachOf(actor, { kind: "permission", permission }, {}) === "everything";
