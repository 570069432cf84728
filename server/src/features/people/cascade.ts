import type { Catalogue, WriteContext } from "../../jsonapi/definition/resource.ts";

/** A type with events whose rows the database deletes together with a person, or leaves without the person. */
interface Falling {
  readonly table: string;
  readonly column: string;
  readonly stays: boolean;
}

export const cascadingTypes = ({ resources }: Catalogue): readonly Falling[] =>
  [...resources.values()]
    .filter(({ captures }) => captures)
    .flatMap(({ relationships, table }) =>
      Object.values(relationships).flatMap((one) =>
        "column" in one && one.target === "people" && (one.required || one.cascades)
          ? [{ table, column: one.column, stays: one.outlives === true }]
          : [],
      ),
    );

/**
 * Returns the ids of rows that name a person and have a history, which is deleted with the person. The person must be locked, so that none is
 * added. The rows are not locked: a row under deletion by another transaction would then be missed, but its history
 * must be deleted too.
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
