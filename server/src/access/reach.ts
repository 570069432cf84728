import type { Actor, Scope } from "./actor.ts";

/** The rows that a permission covers: the whole account, or the rows in these scopes. An empty list means no rows. */
export type Reach = "everything" | readonly ScopedReach[];

export interface ScopedReach {
  scope: Scope | "creator" | "household" | "class-reading";
  ids: readonly string[];
}

/**
 * How a row of a type leads to the ids of a scope: by a column of its own, or by rows of `table` that lead from the id of
 * the row (`from`) to the scope (`to`). `where` is an SQL condition: on the row itself for a column, and otherwise only on
 * the alias `x` of the other table.
 */
export type Path = ({ column: string } | { table: string; from: string; to: string }) & {
  where?: string;
  /** The scope lets the caller read these rows and never change them. */
  readOnly?: true;
};

/**
 * The paths of a type. `cell-tree` follows the path of `cell`, with the cells below. `public` is a condition, because public
 * rows lead to no id. `class-reading` is a further path of `course-class`, for reading. `creator` reaches rows for the person who created them, if that person holds the permission in any
 * scope other than `self`. `household` reaches the people who share a household with the caller, for reading.
 */
export type Paths = Partial<
  Record<
    "cell" | "course" | "course-class" | "class-reading" | "self" | "creator" | "household",
    Path
  >
> & {
  public?: { where: string };
  /** The rows that a grant for the whole account reaches, if not all. It also limits full administrators. */
  account?: { where: string };
};

export const column = (name: string, where?: string): Path => ({
  column: name,
  ...(where !== undefined && { where }),
});

export const via = (
  table: string,
  { from, to, where }: { from: string; to: string; where?: string },
): Path => ({ table, from, to, ...(where !== undefined && { where }) });

export const readOnly = (path: Path): Path => ({ ...path, readOnly: true });

export type Grants = readonly { scope: Scope; ids: readonly string[]; readOnly: boolean }[];

export function reachOfGrants(actor: Actor, grants: Grants, paths: Paths): Reach {
  if (!paths.account && grants.some(({ scope }) => scope === "account")) return "everything";
  const reached = new Map<ScopedReach["scope"], readonly string[]>();
  const add = (scope: ScopedReach["scope"], ids: readonly string[]) =>
    reached.set(scope, [...new Set([...(reached.get(scope) ?? []), ...ids])]);
  for (const { ids, readOnly: reads, scope } of grants) {
    if (scope === "public" || scope === "account") {
      if (paths[scope]) add(scope, []);
      continue;
    }
    const path = pathOf(paths, scope);
    const own = scope === "self" ? [actor.personId] : ids;
    if (path && own.length > 0 && (reads || !path.readOnly)) add(scope, own);
    if (paths["class-reading"] && own.length > 0 && reads && scope === "course-class")
      add("class-reading", own);
  }
  if (paths.household && grants.some(({ readOnly: reads, scope }) => reads && scope === "self"))
    add("household", [actor.personId]);
  if (paths.creator && grants.some(({ scope }) => scope !== "self" && scope !== "public"))
    add("creator", [actor.personId]);
  return [...reached].map(([scope, ids]) => ({ scope, ids }));
}

/** The path by which a scope reaches the rows of a type. Scopes of later versions have none. */
export function pathOf(paths: Paths, scope: ScopedReach["scope"]): Path | undefined {
  if (scope === "cell-tree") return paths.cell;
  if (scope === "account" || scope === "campus" || scope === "list" || scope === "public")
    return undefined;
  return paths[scope];
}

export const reachesNothing = (reach: Reach): boolean =>
  reach !== "everything" && reach.length === 0;

/** A reach without the rows that only these scopes cover. The whole account stays the whole account. */
export const withoutScopes = (reach: Reach, ...scopes: ScopedReach["scope"][]): Reach =>
  reach === "everything" ? reach : reach.filter(({ scope }) => !scopes.includes(scope));
