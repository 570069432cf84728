import type { Actor } from "../../access/actor.ts";
import { type Policy, reachOf, reachWithNames } from "../../access/policy.ts";
import { type Reach, reachesNothing } from "../../access/reach.ts";
import { forbidden, notFound } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { resolveAlias } from "../definition/aliases.ts";
import { policyOf } from "../definition/operations.ts";
import type { ToMany } from "../definition/relationships.ts";
import type { Resource } from "../definition/resource.ts";

/** How far the caller may do something, or 403 if they may not do it at all. */
export function allowedReach(
  actor: Actor,
  resource: Pick<Resource, "type" | "reach">,
  operation: { allow: Policy } | Policy,
  verb: string,
): Reach {
  const reach = reachOf(actor, policyOf(operation), resource.reach ?? {});
  return assertSome(reach, resource, verb);
}

function assertSome(reach: Reach, { type }: Pick<Resource, "type">, verb: string): Reach {
  if (reachesNothing(reach)) throw forbidden(`This person may not ${verb} ${type}.`);
  return reach;
}

/** How far the caller lists or reads a type, or 403. An empty list would hide that they may not. */
export function reachFor(actor: Actor, resource: Resource, operation: "list" | "read"): Reach {
  const policy = resource.operations[operation];
  if (!policy) throw notFound();
  const reach = reachWithNames(actor, policyOf(policy), resource.reach ?? {});
  return assertSome(reach, resource, "read");
}

/** The same without an error: nothing where the caller may not do it. */
export function reachTo(
  actor: Actor,
  resource: Resource,
  verb: "read" | "update" | "delete",
): Reach {
  const operation = resource.operations[verb];
  return operation ? reachOf(actor, policyOf(operation), resource.reach ?? {}) : [];
}

/** How far relationships show a type and `include` loads it. */
export function readReach(actor: Actor, resource: Resource): Reach {
  const { read } = resource.operations;
  return read ? reachWithNames(actor, policyOf(read), resource.reach ?? {}) : [];
}

/** How far the caller links to a type: to rows of which they read more than the names. */
export const linkReach = (actor: Actor, resource: Resource): Reach =>
  reachTo(actor, resource, "read");

/** How far a relationship shows its targets. */
export const reachOfLinks = (
  actor: Actor,
  target: Resource,
  { tells }: Pick<ToMany, "tells">,
): Reach => (tells ? linkReach : readReach)(actor, target);

/**
 * The id in a path, with aliases such as `me` replaced. A malformed id is answered like an absent one: 404, or 403 for
 * a caller who may not do this to any resource of the type.
 */
export function resolveId(
  resource: Resource,
  actor: Actor,
  id: string,
  verb: "read" | "update" = "read",
): string {
  const own = resolveAlias(resource, actor, id);
  if (isId(own)) return own;
  const operation = resource.operations[verb];
  if (operation) allowedReach(actor, resource, operation, verb === "read" ? verb : "change");
  throw notFound();
}
