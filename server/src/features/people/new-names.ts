import type { Queryable } from "../../store/db.ts";

/**
 * Returns the positions of the names that none of these people has. A repeated name is new only at its first position. Names are
 * compared without case and accents.
 */
export async function newNames(
  db: Queryable,
  accountId: string,
  { names, people }: { names: readonly string[]; people: readonly string[] },
): Promise<Set<number>> {
  const rows = await db<{ position: number }[]>`
    select distinct on (fold(sent.name)) sent.position::integer
    from unnest(${[...names]}::text[]) with ordinality as sent (name, position)
    where not exists (
      select from people
      where account_id = ${accountId} and id = any(${[...people]}::uuid[]) and name_folded = fold(sent.name))
    order by fold(sent.name), sent.position`;
  return new Set(rows.map(({ position }) => position - 1));
}
