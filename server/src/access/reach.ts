import type { Actor } from "./actor.ts";
import type { Below, Scope } from "./scopes.ts";

/** The rows that a permission covers: the whole account, or the rows in these scopes. An empty list means no rows. */
export type Reach = "everything" | readonly ScopedReach[];

/** The rows that lead to one of the ids by a path, or meet a condition. */
export interface ScopedReach {
  scope: PathScope;
  ids: readonly string[];
  path: Path | Condition;
}

/** `creator` is the person who created a row, if they hold the permission in any scope other than `self`. */
export type PathScope = Scope | "creator";

/**
 * How a row of a type leads to the ids of a scope: by a column of its own, or by rows of `table` that lead from the id of
 * the row (`from`) to the scope (`to`). `where` is an SQL condition: on the row itself for a column, and otherwise only on
 * the alias `x` of the other table.
 */
export type Path = ({ column: string } | { table: string; from: string; to: string }) & {
  where?: string;
  /** The scope lets the caller read these rows and never change them. */
  readOnly?: true;
  /** A type with a reduced view shows these rows in it, even to callers with the permission of the full view. */
  onlyReduced?: true;
  /** The scope lets the caller read the names of these rows. It counts for nothing else, also not for links to them. */
  onlyNames?: true;
  /** The path leads to the given ids and to all ids below them. */
  below?: Below;
  /** The type whose rows lead a person to these rows, such as memberships. The feed of changes follows it. */
  through?: string;
  /** The ids that the path led to, for the feed of changes. */
  former?: Former | readonly Former[];
};

/** SQL on the row `gone`, which can be deleted already. The other tables are as its transaction leaves them. */
export interface Former {
  /** An array of ids. */
  ids: string;
  /** The condition under which the row was reached. Changes of its members can end the path. */
  where?: string;
  /** The row keeps the ids of places that are deleted. */
  dangling?: true;
}

/** An SQL condition on the row itself, for scopes without ids. */
export interface Condition {
  where: string;
}

/** The paths of a type. `creator` leads to the person who created the row. */
export type Paths = Readonly<
  Partial<Record<Exclude<PathScope, "public" | "account">, Path | readonly Path[]>>
> & {
  readonly public?: Condition;
  /** The rows that a grant for the whole account reaches, if not all. It also limits full administrators. */
  readonly account?: Condition;
};

export const column = (name: string, where?: string): Path => ({
  column: name,
  ...(where !== undefined && { where }),
});

export const via = (
  table: string,
  path: { from: string; to: string } & Pick<Path, "former" | "through" | "where">,
): Path => ({ table, ...path });

export const readOnly = (path: Path): Path => ({ ...path, readOnly: true });

export const onlyReduced = (path: Path): Path => ({ ...path, onlyReduced: true });

export const onlyNames = (path: Path): Path => ({ ...path, onlyNames: true });

export type Grants = readonly {
  scope: Scope;
  ids: readonly string[];
  readOnly: boolean;
  /** The permission is for rows of another type about the row. */
  isAbout?: boolean;
}[];

export function reachOfGrants({ personId }: Actor, grants: Grants, paths: Paths): Reach {
  if (!paths.account && grants.some(({ scope }) => scope === "account")) return "everything";
  const own = [personId];
  const granted = [
    ...grants.map((one) => (one.scope === "self" ? { ...one, ids: own } : one)),
    ...grants
      .filter(({ scope }) => scope !== "self" && scope !== "public")
      .map((one) => ({ ...one, scope: "creator" as const, ids: own })),
  ];
  return [...new Set(granted.map(({ scope }) => scope))].flatMap((scope) =>
    pathsOf(paths, scope).flatMap((path): ScopedReach[] => {
      if (isCondition(path)) return [{ scope, path, ids: [] }];
      const those = granted.filter((one) => one.scope === scope && counts(one, path));
      const ids = [...new Set(those.flatMap((one) => one.ids))];
      return ids.length > 0 ? [{ scope, path, ids }] : [];
    }),
  );
}

const counts = (
  { isAbout = false, readOnly }: Pick<Grants[number], "isAbout" | "readOnly">,
  path: Path,
): boolean => readOnly || !path.readOnly || (isAbout && !path.onlyReduced && !path.onlyNames);

export const formersOf = ({ former = [] }: Path): readonly Former[] => [former].flat();

/** The paths by which a scope reaches the rows of a type. */
export const pathsOf = <S extends PathScope>(paths: Paths | undefined, scope: S) =>
  [paths?.[scope] ?? []].flat() as readonly (S extends "public" | "account" ? Condition : Path)[];

export const isCondition = (path: Path | Condition): path is Condition =>
  !("column" in path || "table" in path);

/** Whether the rows of a type are people, whose own record is the row itself. */
export const rowsArePeople = (paths: Paths | undefined): boolean =>
  pathsOf(paths, "self").some((path) => "column" in path && path.column === "id");

export const reachesNothing = (reach: Reach): boolean =>
  reach !== "everything" && reach.length === 0;

/** A reach without the rows of which the caller reads the names alone. */
export const beyondNames = (reach: Reach): Reach =>
  reach === "everything" ? reach : reach.filter(({ path }) => isCondition(path) || !path.onlyNames);

/** A reach without the rows that only these scopes cover. The whole account stays the whole account. */
export const withoutScopes = (reach: Reach, ...scopes: PathScope[]): Reach =>
  reach === "everything" ? reach : reach.filter(({ scope }) => !scopes.includes(scope));
