import type { Actor } from "../../access/actor.ts";
import type { Permission } from "../../access/permissions.ts";
import { can, reachOf } from "../../access/policy.ts";
import { type Reach, reachesNothing } from "../../access/reach.ts";
import type { RowRights } from "../definition/custom-fields.ts";
import { policyOf } from "../definition/operations.ts";
import type { Operations, Resource } from "../definition/resource.ts";

type Update = NonNullable<Operations["update"]>;

/**
 * The reaches that decide the caller's rights on a row: that of the first permission, the same on the caller's own record, and those
 * of the other permissions. Undefined if the caller may do everything that the operation can do.
 */
export function reachesOfRights(
  actor: Actor,
  resource: Resource,
  operation: Update,
): readonly Reach[] | undefined {
  const policy = policyOf(operation);
  if (policy.kind !== "permission") return undefined;
  const [first, ...others] = policy.permissions;
  const paths = "ofCreators" in operation ? operation.ofCreators : undefined;
  const reachWith = (permission: Permission): Reach => {
    const reach = reachOf(actor, can(permission), resource.reach ?? {});
    const path = paths?.[permission];
    if (path === undefined || reachesNothing(reach)) return reach;
    return [{ scope: "creator", ids: [actor.personId], path }];
  };
  const main = reachWith(first);
  if (main === "everything") return undefined;
  return [
    main.filter(({ scope }) => scope !== "self"),
    main.filter(({ scope }) => scope === "self"),
    ...others.map(reachWith),
  ];
}

/** The rights on a row, from whether each of those reaches contains it. */
export function rightsIn(operation: Update, reached: readonly boolean[]): RowRights {
  const policy = policyOf(operation);
  const [, ...others] = policy.kind === "permission" ? policy.permissions : [];
  const [all = false, own = false, ...some] = reached;
  return { all, own, some: new Set(others.filter((_, position) => some[position])) };
}
