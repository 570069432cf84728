import type { Actor, ScopeType } from "./actor.ts";
import type { Permission } from "./permissions.ts";

/** What an operation asks of the caller, as data: `vestry explain` prints it. */
export type Policy =
  | { kind: "permission"; permission: Permission }
  | { kind: "full-administrator" };

export const can = (permission: Permission): Policy => ({ kind: "permission", permission });

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

/** Full administrators reach everything. Others reach what their assignments reach together. */
export function reachOf(actor: Actor, policy: Policy, scopes: ScopeColumns): Reach {
  if (actor.administrativeStatus === "full-administrator") return "everything";
  if (policy.kind === "full-administrator") return [];

  const { permission } = policy;
  // A permission to write includes the one to read, since a write returns the resource.
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

/** For what is not about a row, such as a sensitive attribute: is the permission held everywhere? */
export const holds = (actor: Actor, permission: Permission): boolean =>
  reachOf(actor, { kind: "permission", permission }, {}) === "everything";
