import { holdsAnywhere, mainOf, reachOf } from "../../access/policy.ts";
import { reachesNothing } from "../../access/reach.ts";
import { placesOf } from "../definition/members.ts";
import { policyOf } from "../definition/operations.ts";
import { targetTypes } from "../definition/relationships.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import { definitionOf } from "../definition/targets.ts";

/** Whether there is a resource of the type that the caller may create, at some place. */
export function mayCreate(
  { actor, catalogue }: Pick<ReadContext, "actor" | "catalogue">,
  resource: Resource,
): boolean {
  const { create } = resource.operations;
  if (!create) return false;
  if ("run" in create && create.anyScope?.some((one) => holdsAnywhere(actor, one))) return true;
  const policy = policyOf(create);
  const reach = reachOf(actor, policy, resource.reach ?? {});
  if (reach === "everything") return true;
  const main = mainOf(policy);
  const types = placesOf(resource).flatMap((name) => {
    const place = resource.relationships[name];
    return place ? targetTypes(place) : [];
  });
  return (
    !reachesNothing(reach) &&
    types.some(
      (target) =>
        !reachesNothing(reachOf(actor, main, definitionOf(catalogue, target).reach ?? {})),
    )
  );
}
