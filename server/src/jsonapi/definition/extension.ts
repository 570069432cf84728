import { type Paths, pathsOf } from "../../access/reach.ts";
import type { Attribute } from "./attributes.ts";
import type { Filter } from "./filters.ts";
import type { Relationship } from "./relationships.ts";
import type { ReducedView, Resource, RowConditions } from "./resource.ts";
import type { Sort } from "./sorts.ts";

/**
 * The members that a feature adds to a type of another feature, on tables of its own. The type's own definition then names
 * no table of a neighbor.
 */
export interface Extension {
  /** Computed attributes. Only the type itself stores values. */
  attributes?: Readonly<Record<string, Attribute<unknown, "read-only">>>;
  relationships?: Readonly<Record<string, Relationship>>;
  filters?: Readonly<Record<string, Filter>>;
  sorts?: Readonly<Record<string, Sort>>;
  /** Actions that other routes serve. They have conditions of their own. */
  actions?: Readonly<Record<string, Required<Pick<RowConditions, "allowedIf">> & RowConditions>>;
  /** Further paths. */
  reach?: Omit<Paths, "account" | "public">;
  /** The contributed members and filters that belong to the type's reduced view. */
  reduced?: Partial<Pick<ReducedView, "members" | "filters" | "namesFilters">>;
}

/** Contributions by the name of the type. */
export type Extensions = Readonly<Record<string, Extension>>;

const parts = ["attributes", "relationships", "filters", "sorts"] as const;

/**
 * The definitions with what features contribute to them. A type's own members come first, then those of the features in
 * their order.
 */
export function extendedTypes(
  definitions: readonly Resource[],
  contributions: readonly Extensions[],
): Resource[] {
  const mistakes = [...checkExtensions(definitions, contributions)];
  if (mistakes.length > 0)
    throw new Error(`The extensions contradict the definitions:\n  ${mistakes.join("\n  ")}`);
  return definitions.map((resource) => {
    const added = contributions.flatMap(({ [resource.type]: one }) => one ?? []);
    return added.reduce(extended, resource);
  });
}

function extended(resource: Resource, added: Extension): Resource {
  return {
    ...resource,
    attributes: { ...resource.attributes, ...added.attributes },
    relationships: { ...resource.relationships, ...added.relationships },
    filters: { ...resource.filters, ...added.filters },
    ...(added.actions && { actions: { ...resource.actions, ...added.actions } }),
    sorts: { ...resource.sorts, ...added.sorts },
    ...(added.reach && { reach: extendedPaths(resource.reach ?? {}, added.reach) }),
    ...(resource.reduced &&
      added.reduced && { reduced: extendedView(resource.reduced, added.reduced) }),
  };
}

/** A scope reaches a row by any of its paths. */
const extendedPaths = (own: Paths, added: NonNullable<Extension["reach"]>): Paths => ({
  ...own,
  ...Object.fromEntries(
    (Object.keys(added) as (keyof typeof added)[]).map((scope) => [
      scope,
      [...pathsOf(own, scope), ...pathsOf(added, scope)],
    ]),
  ),
});

const extendedView = (
  own: ReducedView,
  { filters = [], members = [], namesFilters = [] }: NonNullable<Extension["reduced"]>,
): ReducedView => ({
  ...own,
  members: [...own.members, ...members],
  filters: [...(own.filters ?? []), ...filters],
  ...(own.names && { namesFilters: [...(own.namesFilters ?? []), ...namesFilters] }),
});

function* checkExtensions(
  definitions: readonly Resource[],
  contributions: readonly Extensions[],
): Generator<string> {
  const types = new Map(definitions.map((resource) => [resource.type, resource]));
  /** The contributed names, as `people.filters.cell`. */
  const known = new Set<string>();
  for (const [type, added] of contributions.flatMap((one) => Object.entries(one))) {
    const resource = types.get(type);
    if (!resource) yield `${type} is extended, but not defined.`;
    else if (added.reduced && !resource.reduced)
      yield `${type} has no reduced view that an extension could add to.`;
    for (const part of parts)
      for (const name of Object.keys(added[part] ?? {})) {
        const member = `${type}.${part}.${name}`;
        if (known.has(member) || Object.hasOwn(resource?.[part] ?? {}, name))
          yield `${member} is contributed, but exists already.`;
        known.add(member);
      }
  }
}
