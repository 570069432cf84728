import { StatementBuilder } from "../../../jsonapi/sql/statement-builder.ts";
import type { ChangeContext, JournalRow } from "./rows.ts";
import { PEOPLE, type View } from "./view.ts";

/** A resource that follows another one into a scope, or out of it. */
export interface Belonging {
  type: string;
  id: string;
  /** The person is at a place above the one that moved. People below see the leaders above them. */
  above: boolean;
}

/** The places that moved, those below them, their links and the people there, and the people above them before and after. */
export async function belongings(
  { actor, db }: ChangeContext,
  { links, trees }: View,
  moved: readonly JournalRow[],
): Promise<ReadonlyMap<JournalRow, readonly Belonging[]>> {
  const found = new Map<JournalRow, Belonging[]>(moved.map((row) => [row, []]));
  const rowsById = Map.groupBy(moved, ({ id }) => id);
  for (const [type, { below }] of trees) {
    const own = moved.filter((row) => row.type === type);
    if (own.length === 0) continue;
    const statement = new StatementBuilder(actor.accountId);
    const ids = statement.bind(own.map(({ id }) => id));
    const pairs = own.flatMap(({ id, places }) => places.map((place) => [id, place] as const));
    const movedIds = statement.bind(pairs.map(([id]) => id));
    const parents = statement.bind(pairs.map(([, place]) => place));
    const inTree = `from ${below.table} tree where tree.account_id = ${statement.account}`;
    const linked = [...links.values()].flatMap(({ person, places, resource }) =>
      places.map((column) => ({ column, person, resource })),
    );
    const rows = await statement.rows(
      db,
      `with around as (
         select tree.${below.from} as moved, tree.${below.to} as place, false as above ${inTree}
           and tree.${below.from} = any(${ids}::uuid[])
         union
         select given.moved, tree.${below.from}, true
         from unnest(${movedIds}::uuid[], ${parents}::uuid[]) given (moved, parent)
         join ${below.table} tree on tree.account_id = ${statement.account} and tree.${below.to} = given.parent
         where given.moved <> tree.${below.from}
       )
       select moved, '${type}', place, above from around where not above` +
        linked
          .map(({ column, person, resource }) => {
            const join = `from around join ${resource.table} x on x.account_id = ${statement.account} and x.${column} = around.place`;
            return `
       union all select moved, '${resource.type}', x.id, above ${join} where not above
       union select moved, '${PEOPLE}', x.${person}, above ${join}`;
          })
          .join(""),
    );
    for (const [id, kind, belonging, above] of rows)
      for (const row of rowsById.get(id as string) ?? [])
        found.get(row)?.push({
          type: kind as string,
          id: belonging as string,
          above: above as boolean,
        });
  }
  return found;
}
