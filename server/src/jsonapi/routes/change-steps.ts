import { mainOf, type Policy, reachOf } from "../../access/policy.ts";
import { ApiError, fail, forbidden } from "../../base/errors.ts";
import type { RowRights } from "../definition/custom-fields.ts";
import { linkPolicyOf } from "../definition/relationships.ts";
import type { ResourceInput } from "../definition/input.ts";
import { placesOf } from "../definition/members.ts";
import { policyOf } from "../definition/operations.ts";
import type { Operations, ReadContext, Resource } from "../definition/resource.ts";
import { definitionOf } from "../definition/targets.ts";
import { versionRequired } from "../request/etag.ts";
import { absent, type InputRules } from "../request/input.ts";
import { allowedReach, linkReach } from "../request/reach.ts";
import { reachesOfRights, rightsIn } from "../request/row-rights.ts";
import { assertReaches, mayReach, reachesRow } from "../sql/reach.ts";
import { assertReadable, customFieldsIn, linkableIds } from "../sql/read.ts";
import { assertMayChange } from "../sql/write.ts";

/** Steps that changes of an existing resource share. */

/** Returns the caller's rights on the resource, or throws 403 if they may not change any resource of the type. */
export async function changeRules(
  context: ReadContext,
  resource: Resource,
  operation: NonNullable<Operations["update"]>,
  id: string,
): Promise<InputRules> {
  const { actor } = context;
  const customFields = await customFieldsIn(context, resource);
  allowedReach(actor, resource, operation, "change");
  return { actor, customFields, id, rights: await rightsOn(context, resource, operation, id) };
}

async function rightsOn(
  context: ReadContext,
  resource: Resource,
  operation: NonNullable<Operations["update"]>,
  id: string,
): Promise<RowRights | undefined> {
  const reaches = reachesOfRights(context.actor, resource, operation);
  return reaches && rightsIn(operation, await reachesRow(context, resource, id, reaches));
}

/** 428 for a type that requires `If-Match`, but 404 first. */
export async function assertVersionGiven(
  context: ReadContext,
  resource: Resource,
  id: string,
  expectedVersion: number | undefined,
): Promise<void> {
  if (resource.versionTag === undefined || expectedVersion !== undefined) return;
  await assertReadable(context, resource, id);
  throw versionRequired();
}

/** Mistakes in the document are reported only to callers who may change the resource: 404 and 403 come before 422. */
export async function accessFirst<T>(
  context: ReadContext,
  resource: Resource,
  id: string,
  parse: () => Promise<T>,
): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    if (error instanceof ApiError && error.status !== 400) {
      await assertReadable(context, resource, id);
      await assertMayChange(context, resource, id);
    }
    throw error;
  }
}

/** 403 for links that need another permission than the change of the resource. */
export async function assertMayLink(
  context: ReadContext,
  resource: Resource,
  id: string,
  names: Iterable<string>,
  pointerTo = (name: string) => `/data/relationships/${name}`,
): Promise<void> {
  for (const name of names) {
    const needed = linkPolicyOf(resource.relationships[name]);
    if (needed && !(await mayReach(context, needed, resource, id)))
      throw fail("forbidden", `This person may not change ${name}.`, { pointer: pointerTo(name) });
  }
}

/**
 * 422 for resources that a caller without the whole account links to and of which they read no more than a name. Foreign keys check the rest, and
 * `assertPlace` checks the place.
 */
export async function assertLinkable(
  context: ReadContext,
  resource: Resource,
  { targets, toOne }: Pick<ResourceInput, "targets" | "toOne">,
  pointerTo = (name: string) => `/data/relationships/${name}/data`,
): Promise<void> {
  const place = placesOf(resource).find((name) => (toOne[name] ?? null) !== null);
  for (const [name, id] of Object.entries(toOne)) {
    const relationship = resource.relationships[name];
    if (id === null || name === place || relationship?.kind !== "to-one") continue;
    const target = definitionOf(context.catalogue, targets?.[name] ?? relationship.target);
    if (linkReach(context.actor, target) === "everything") continue;
    if (!(await linkableIds(context, target, [id])).has(id))
      throw new ApiError([absent(relationship, pointerTo(name))]);
  }
}

/** 403 for a place outside the caller's scope, whether or not it exists. No place means the whole account. */
export async function assertPlace(
  context: ReadContext,
  resource: Resource,
  operation: Policy | { allow: Policy },
  { id, name, type }: { id: string | null; name: string; type?: string },
): Promise<void> {
  const place = resource.relationships[name];
  if (!place) return;
  const main = mainOf(policyOf(operation));
  if (id !== null)
    await assertReaches(context, main, definitionOf(context.catalogue, type ?? place.target), id);
  else if (reachOf(context.actor, main, {}) !== "everything")
    throw forbidden("This person may do this only at a place in their scope.");
}
