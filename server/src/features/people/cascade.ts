import type { Catalogue, WriteContext } from "../../jsonapi/definition/resource.ts";

/** A type that tells events, and the column without which there is none of it: the database lets it fall with the person. */
interface Falling {
  readonly table: string;
  readonly column: string;
}

export const cascadingTypes = ({ resources }: Catalogue): readonly Falling[] =>
  [...resources.values()]
    .filter(({ captures }) => captures)
    .flatMap(({ relationships, table }) =>
      Object.values(relationships).flatMap((one) =>
        one.kind === "to-one" && one.target === "people" && one.required
          ? [{ table, column: one.column }]
          : [],
      ),
    );

/**
 * The ids of what goes with a person and has a history of its own, which names them. The person must be locked, so that
 * nothing is added. These are not: one that somebody is just taking away would not be found by whoever waits for that, and
 * its history must go as well.
 */
export async function cascadedIds(
  { actor, catalogue, db }: WriteContext,
  personId: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { column, table } of cascadingTypes(catalogue)) {
    const rows = await db<{ id: string }[]>`
      select id from ${db(table)}
      where account_id = ${actor.accountId} and ${db(column)} = ${personId}`;
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}
