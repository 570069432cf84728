import type { Actor } from "./actor.ts";
import type { Permission } from "./permissions.ts";
import { beyondNames, type Grants, type Paths, type Reach, reachOfGrants } from "./reach.ts";
import type { Scope } from "./scopes.ts";

/** The requirements of an operation, as data that `vestry explain` can print. */
export type Policy =
  /** Any of these. The first one allows everything that the operation can do. */
  | {
      kind: "permission";
      permissions: readonly [Permission, ...Permission[]];
      /** Grants for this kind of scope do not count. */
      notThrough?: Scope;
      /**
       * The permission is for rows of another type about the resource, which do not change it. It also counts on paths by which the
       * caller only reads, unless they show the reduced view alone.
       */
      isAbout?: true;
    }
  | { kind: "full-administrator" }
  /** Also people with the administrative status `administrator`, whatever their roles are. */
  | { kind: "administrator" }
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

/** The first permission, which allows everything that the operation can do. */
export const mainOf = (policy: Policy): Policy =>
  policy.kind === "permission"
    ? { ...can(policy.permissions[0]), ...(policy.isAbout && { isAbout: true }) }
    : policy;

/** The permission to write rows of another type about a resource. */
export const writesAbout = (permission: Permission): Policy => ({
  kind: "permission",
  permissions: [permission],
  isAbout: true,
});

export const fullAdministrator: Policy = { kind: "full-administrator" };

export const administrator: Policy = { kind: "administrator" };

export const everyVisitor: Policy = { kind: "public" };

/** Full administrators reach everything. Others reach the union of their assignments. */
export const reachOf = (actor: Actor, policy: Policy, paths: Paths): Reach =>
  beyondNames(reachWithNames(actor, policy, paths));

/** The same, and the rows of which the caller reads the names alone. */
export function reachWithNames(actor: Actor, policy: Policy, paths: Paths): Reach {
  if (policy.kind === "public") return "everything";
  if (actor.administrativeStatus === "full-administrator")
    return paths.account ? reachOfGrants(actor, everyGrant(policy), paths) : "everything";
  if (policy.kind === "full-administrator") return [];
  if (policy.kind === "administrator")
    return actor.administrativeStatus === "administrator" ? "everything" : [];
  const { isAbout = false, notThrough, permissions } = policy;
  const grants = grantsOf(actor, permissions).filter(({ scope }) => scope !== notThrough);
  return reachOfGrants(
    actor,
    grants.map((one) => ({ ...one, isAbout })),
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
