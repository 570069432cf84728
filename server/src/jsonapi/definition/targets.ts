import type { Fields } from "./input.ts";
import type { Catalogue, Resource, WriteContext } from "./resource.ts";

/** The definition of a type. */
export function definitionOf({ resources }: Pick<Catalogue, "resources">, type: string): Resource {
  const found = resources.get(type);
  if (!found) throw new Error(`Unknown resource type ${type}.`);
  return found;
}

/** The definition of the type to which a relationship leads. */
export const targetOf = (
  catalogue: Pick<Catalogue, "resources">,
  { target }: { target: string },
): Resource => definitionOf(catalogue, target);

/** The context of a write of another type in the same request. */
export const forType = <F extends Fields>(
  context: WriteContext,
  { type }: Resource<F>,
): WriteContext<F> => ({
  ...context,
  resource: definitionOf(context.catalogue, type) as Resource<F>,
  expectedVersion: undefined,
});
