import type { ScopeKinds, Scopes, ScopeType } from "../../access/scopes.ts";

/** The words for the scopes in which roles are assigned. */
export const assignableScopes = (kinds: ScopeKinds): readonly ScopeType[] => [
  "account",
  ...inOrder(kinds, [...kinds.keys()]),
  "self",
];

/** Campuses and lists come with a later version. Until then such an assignment would reach nothing. */
const laterScopes = ["campus", "list"];

/** The words that clients may meet in the scope of an assignment. */
export const knownScopes = (kinds: ScopeKinds): readonly string[] => [
  "account",
  ...inOrder<string>(kinds, [...kinds.keys(), ...laterScopes]),
  "self",
];

/** Alphabetical, but a scope that follows another one is wider and stands before it. */
function inOrder<Name extends string>(kinds: ScopeKinds, names: readonly Name[]): Name[] {
  const placeOf = (name: string) => {
    const follows = kinds.get(name as keyof Scopes)?.follows;
    return follows ? `${follows.scope} 0` : `${name} 1`;
  };
  return names.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}
