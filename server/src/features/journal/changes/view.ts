import type { Actor } from "../../../access/actor.ts";
import {
  isCondition,
  pathsOf,
  type Reach,
  reachesNothing,
  type ScopedReach,
} from "../../../access/reach.ts";
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
  /** The types whose resources are named by scopes. */
  scopeTypes: ReadonlySet<string>;
  /** The links by which the caller's own records lead to other resources. */
  ownLinks: ReadonlySet<string>;
}

export interface Scoped {
  resource: Resource;
  reach: readonly ScopedReach[];
}

export interface Link {
  /** The members on which depends who is in the scope. */
  decisive: ReadonlySet<string>;
}

export interface Tree {
  below: Below;
  /** The name of the relationship to the place above. */
  parents: ReadonlySet<string>;
  /** The members that make a place public. */
  publicity: ReadonlySet<string>;
  /** The kinds of scope that name places of the tree. */
  scopes: ReadonlySet<string>;
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
  const ownLinks = [...scoped.values()]
    // The office reads these rows without a link.
    .filter(({ reach }) => !reach.some(({ scope }) => scope === "account"))
    .flatMap(({ reach }) =>
      reach.flatMap(({ path }) => (isCondition(path) ? [] : (path.through ?? []))),
    );
  return {
    whole,
    scoped,
    links: linksIn(catalogue),
    trees: treesIn(catalogue),
    scopeTypes: new Set([...catalogue.declared.scopes.values()].map(({ type }) => type)),
    ownLinks: new Set(ownLinks),
  };
}

function linksIn({ resources }: Catalogue): Map<string, Link> {
  const links = new Map<string, Link>();
  const paths = Object.values(resources.get(PEOPLE)?.reach ?? {})
    .flatMap((one) => [one].flat())
    .filter((path) => "table" in path);
  for (const path of paths) {
    if (path.below) continue;
    const resource = [...resources.values()].find(
      ({ table, type }) => type === path.through || table === path.table,
    );
    if (!resource) continue;
    const { decisive = [] } = links.get(resource.type) ?? {};
    const read = membersRead(resource, path.where ?? "");
    links.set(resource.type, {
      decisive: new Set([...decisive, ...decisiveMembers(resource), ...read]),
    });
  }
  return links;
}

const decisiveMembers = ({ attributes, relationships }: Resource): string[] => [
  "status",
  ...Object.keys(attributes).filter((name) => "changesRights" in (attributes[name] ?? {})),
  ...Object.keys(relationships),
];

/** The attributes that a condition reads. */
export const membersRead = ({ attributes }: Resource, condition: string): string[] =>
  Object.entries(attributes).flatMap(([name, attribute]) =>
    new RegExp(`\\b${columnOf(name, attribute)}\\b`).test(condition) ? name : [],
  );

function treesIn({ declared, resources }: Catalogue): Map<string, Tree> {
  const trees = new Map<string, Tree>();
  for (const { follows: below, type } of declared.scopes.values()) {
    const resource = resources.get(type);
    if (!below || !resource) continue;
    const { reach, relationships } = resource;
    const parents = Object.entries(relationships)
      .filter(
        ([, one]) => one.kind === "to-one" && one.target === type && isWritable(one, "existing"),
      )
      .map(([name]) => name);
    const conditions = pathsOf(reach, "public").map(({ where }) => where);
    const scopes = [...declared.scopes].filter(([, one]) => one.type === type);
    trees.set(type, {
      below,
      parents: new Set(parents),
      publicity: new Set(membersRead(resource, conditions.join(" "))),
      scopes: new Set(scopes.map(([name]) => name)),
    });
  }
  return trees;
}
