/** The kinds of scope that manifests declare. Each feature adds its own with `declare module`. */
export interface Scopes {}

/** The scope of an assignment: the whole account, the resources that it names, or the person's own records. */
export type ScopeType = "account" | "self" | keyof Scopes;

/** `public` is held by every person and cannot be assigned. A type says which of its rows are public. */
export type Scope = ScopeType | "public";

/** A kind of scope whose assignments name resources. */
export interface ScopeKind {
  /** The type of the named resources. */
  type: string;
  /** The scope has the paths of another one, to the named resources and to all those below them. */
  follows?: Below & { scope: keyof Scopes };
}

/** A closure table: rows of `table` lead from a resource (`from`) to itself and to each one below it (`to`). */
export interface Below {
  table: string;
  from: string;
  to: string;
}

/** All declared kinds by their names. */
export type ScopeKinds = ReadonlyMap<keyof Scopes, ScopeKind>;
