import { type Path, pathsOf } from "../../access/reach.ts";
import type { ScopeKinds, Scopes } from "../../access/scopes.ts";
import type { Resource } from "./resource.ts";

/** The kinds of scope that every installation has. Manifests declare the others. */
const kernelScopes = ["account", "self", "public", "creator"];

/** Definitions with the paths of the scopes that follow other scopes. */
export const withFollowingScopes = (definitions: readonly Resource[], scopes: ScopeKinds) =>
  definitions.map((resource) => {
    const following = [...scopes].flatMap(([scope, { follows }]) => {
      if (!follows) return [];
      const { scope: followed, ...below } = follows;
      const paths = pathsOf(resource.reach, followed).map((path): Path => ({ ...path, below }));
      return paths.length === 0 ? [] : [[scope, paths]];
    });
    if (following.length === 0) return resource;
    return { ...resource, reach: { ...resource.reach, ...Object.fromEntries(following) } };
  });

export function* checkScopes(
  definitions: readonly Resource[],
  scopes: ScopeKinds,
): Generator<string> {
  const types = new Set(definitions.map(({ type }) => type));
  for (const [name, { follows, type }] of scopes) {
    if (kernelScopes.includes(name)) yield `The scope ${name} is declared, but exists already.`;
    if (!types.has(type)) yield `The scope ${name} names ${type}, which are not defined.`;
    if (!follows) continue;
    const followed = scopes.get(follows.scope);
    if (!followed || followed.follows)
      yield `The scope ${name} follows ${follows.scope}, which has no paths of its own.`;
  }
  for (const resource of definitions)
    for (const scope of Object.keys(resource.reach ?? {})) {
      const kind = scopes.get(scope as keyof Scopes);
      if (!kind && !kernelScopes.includes(scope))
        yield `${resource.type} has a path for the scope ${scope}, which no manifest declares.`;
      if (kind?.follows)
        yield `${resource.type} has a path for the scope ${scope}, which follows ${kind.follows.scope}.`;
    }
}
