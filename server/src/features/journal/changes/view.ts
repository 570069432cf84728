import type { Actor } from "../../../access/actor.ts";
import { type Reach, reachesNothing, type ScopedReach } from "../../../access/reach.ts";
import type { Below } from "../../../access/scopes.ts";
import { columnOf } from "../../../jsonapi/definition/members.ts";
import { isWritable } from "../../../jsonapi/definition/relationships.ts";
import type { Catalogue, Resource } from "../../../jsonapi/definition/resource.ts";
import { readReach } from "../../../jsonapi/request/reach.ts";
import { isFollowed } from "../followed.ts";

/** The types whose changes a caller sees: of the whole account, or in a scope. */
export interface View {
  whole: ReadonlySet<string>;
  scoped: ReadonlyMap<string, Scoped>;
  /** Types whose rows bring people into scopes, such as memberships. */
  links: ReadonlyMap<string, Link>;
  /** Types whose rows are places in a tree, by which a scope reaches all places below. */
  trees: ReadonlyMap<string, Tree>;
}

export interface Scoped {
  resource: Resource;
  reach: readonly ScopedReach[];
}

export interface Link {
  resource: Resource;
  /** The columns with the person and with the places. */
  person: string;
  places: readonly string[];
  /** The members on which depends who is in the scope. */
  decisive: ReadonlySet<string>;
}

export interface Tree {
  below: Below;
  /** The name of the relationship to the place above. */
  parents: ReadonlySet<string>;
}

export const PEOPLE = "people";

export const followedTypes = ({ resources }: Catalogue): string[] =>
  [...resources.values()].filter(isFollowed).map(({ type }) => type);

export function viewOf(actor: Actor, catalogue: Catalogue): View {
  const whole = new Set<string>();
  const scoped = new Map<string, Scoped>();
  for (const resource of catalogue.resources.values()) {
    if (!isFollowed(resource)) continue;
    // The routes of these types refuse integrations.
    if (resource.callers === "webhook-management" && actor.integrationId !== undefined) continue;
    const reach: Reach = readReach(actor, resource);
    if (reach === "everything") whole.add(resource.type);
    else if (!reachesNothing(reach)) scoped.set(resource.type, { resource, reach });
  }
  return { whole, scoped, links: linksIn(catalogue), trees: treesIn(catalogue) };
}

function linksIn({ resources }: Catalogue): Map<string, Link> {
  const links = new Map<string, Link>();
  const paths = Object.values(resources.get(PEOPLE)?.reach ?? {})
    .flatMap((one) => [one].flat())
    .filter((path) => "table" in path);
  for (const path of paths) {
    if (path.below) continue;
    const resource = [...resources.values()].find(({ table }) => table === path.table);
    if (!resource) continue;
    const places = links.get(resource.type)?.places ?? [];
    links.set(resource.type, {
      resource,
      person: path.from,
      places: [...new Set([...places, path.to])],
      decisive: decisiveMembers(
        resource,
        paths.flatMap(({ table, where }) => (table === path.table ? (where ?? []) : [])),
      ),
    });
  }
  return links;
}

/** The members that the conditions of the paths read, those that change rights, and the relationships. */
const decisiveMembers = (
  { attributes, relationships }: Resource,
  conditions: readonly string[],
): Set<string> =>
  new Set([
    ...Object.entries(attributes)
      .filter(
        ([name, one]) =>
          "changesRights" in one ||
          conditions.some((condition) => condition.includes(`x.${columnOf(name, one)}`)),
      )
      .map(([name]) => name),
    ...Object.keys(relationships),
  ]);

function treesIn({ declared, resources }: Catalogue): Map<string, Tree> {
  const trees = new Map<string, Tree>();
  for (const { follows: below, type } of declared.scopes.values()) {
    if (!below) continue;
    const { relationships = {} } = resources.get(type) ?? {};
    const parents = Object.entries(relationships)
      .filter(
        ([, one]) => one.kind === "to-one" && one.target === type && isWritable(one, "existing"),
      )
      .map(([name]) => name);
    trees.set(type, { below, parents: new Set(parents) });
  }
  return trees;
}
