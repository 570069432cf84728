import type { Actor } from "./actor.ts";
import type { Permission } from "./permissions.ts";
import { type Grants, type Paths, type Reach, reachOfGrants } from "./reach.ts";
import type { Scope } from "./scopes.ts";

/** The requirements of an operation, as data that `vestry explain` can print. */
export type Policy =
  /** Any of these. The first one allows everything that the operation can do. */
  | {
      kind: "permission";
      permissions: readonly [Permission, ...Permission[]];
      /** Grants for this kind of scope do not count. */
      notThrough?: Scope;
    }
  | { kind: "full-administrator" }
  /** Every caller. Only types of the public area have it, whose definitions say which rows are public. */
  | { kind: "public" };

export const can = (...permissions: readonly [Permission, ...Permission[]]): Policy => ({
  kind: "permission",
  permissions,
});

/** The same permissions, held in another kind of scope than this one. */
export const notThrough = (
  scope: Scope,
  ...permissions: readonly [Permission, ...Permission[]]
): Policy => ({ kind: "permission", permissions, notThrough: scope });

export const fullAdministrator: Policy = { kind: "full-administrator" };

export const everyVisitor: Policy = { kind: "public" };

/** Full administrators reach everything. Others reach the union of their assignments. */
export function reachOf(actor: Actor, policy: Policy, paths: Paths): Reach {
  if (policy.kind === "public") return "everything";
  if (actor.administrativeStatus === "full-administrator")
    return paths.account ? reachOfGrants(actor, everyGrant(policy), paths) : "everything";
  if (policy.kind === "full-administrator") return [];
  const grants = grantsOf(actor, policy.permissions);
  return reachOfGrants(
    actor,
    grants.filter(({ scope }) => scope !== policy.notThrough),
    paths,
  );
}

/** A full administrator holds every permission in the whole account and on their own records. */
function everyGrant(policy: Policy): Grants {
  const readOnly =
    policy.kind === "permission" && policy.permissions.every((one) => one.endsWith(":read"));
  return (["account", "self"] as const).map((scope) => ({ scope, ids: [], readOnly }));
}

/** The scopes in which the caller holds one of the permissions. */
function grantsOf({ assignments }: Actor, permissions: readonly Permission[]): Grants {
  return assignments.flatMap((assignment) =>
    permissions
      .filter((one) => includes(assignment.permissions, one))
      .map((permission) => ({
        scope: assignment.scopeType,
        ids: assignment.scopeIds,
        readOnly: permission.endsWith(":read"),
      })),
  );
}

/** Write permission includes read permission, because a write returns the resource. */
const includes = (permissions: readonly string[], permission: Permission): boolean =>
  permissions.includes(permission) || permissions.includes(permission.replace(/:read$/, ":write"));

/** Whether the caller holds the permission in the whole account. */
export const holds = (actor: Actor, permission: Permission): boolean =>
  reachOf(actor, can(permission), {}) === "everything";

/** Whether the caller holds the permission in any scope, the caller's own person included. */
export const holdsAnywhere = (actor: Actor, permission: Permission): boolean =>
  actor.administrativeStatus === "full-administrator" || grantsOf(actor, [permission]).length > 0;

/** Whether the caller holds the permission in a scope other than the caller's own records. */
export const holdsBeyondSelf = (actor: Actor, permission: Permission): boolean =>
  actor.administrativeStatus === "full-administrator" ||
  grantsOf(actor, [permission]).some(({ scope }) => scope !== "self");
