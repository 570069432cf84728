import { raw } from "../../store/sql.ts";
import { columnsByType } from "../definition/relationships.ts";
import type { Resource, WriteContext } from "../definition/resource.ts";

/** Records that have a name. */
export interface Named {
  /** Equal for names that differ only in case and accents. */
  key: string;
  ids: readonly string[];
}

/** The records of an account by each of these names. Case and accents make no difference. */
export async function idsNamed(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  { table }: Pick<Resource, "table">,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, Named>> {
  const rows = await db<(Named & { name: string })[]>`
    select given.name, fold(given.name) as key,
      coalesce(array_agg(found.id::text order by found.id) filter (where found.id is not null), '{}') as ids
    from unnest(${[...new Set(names)]}::text[]) as given (name)
    left join ${raw(table)} found
      on found.account_id = ${actor.accountId} and found.name_folded = fold(given.name)
    group by given.name`;
  return new Map(rows.map(({ name, ...named }) => [name, named]));
}

/** Those of the records that a record of the account names. */
export async function usedAmong(
  { actor, catalogue, db }: WriteContext,
  type: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const uses = [...catalogue.resources.values()].flatMap((resource) =>
    Object.values(resource.relationships).flatMap((one): [table: string, column: string][] => {
      if ("expression" in one) return [];
      if (one.kind === "to-many") return one.target === type ? [[one.table, one.to]] : [];
      const column = columnsByType(one)[type];
      return column === undefined ? [] : [[resource.table, column]];
    }),
  );
  const selects = uses.map(
    ([table, column]) => db`
      union select ${db(column)} from ${db(table)}
      where account_id = ${actor.accountId} and ${db(column)} = any(${[...ids]}::uuid[])`,
  );
  const rows = await db<{ id: string }[]>`select null::uuid as id where false ${selects}`;
  return new Set(rows.map(({ id }) => id));
}
