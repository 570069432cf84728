import { describedCatalogue } from "../../catalogue.ts";
import { type Db, inTransaction } from "../../store/db.ts";
import { type Finding, few, finding } from "./finding.ts";

/** Lists say how many there are by `row_counts`: whoever writes past its triggers makes them say something else. */
export async function* examineRowCounts(db: Db): AsyncGenerator<Finding> {
  const wrong: string[] = [];
  for (const { counted, table } of describedCatalogue.resources.values())
    if (counted && (await differ(db, table))) wrong.push(table);
  if (wrong.length > 0)
    yield finding(
      "row-counts-differ",
      `Lists have wrong totals: rows of ${few(wrong)} were written past the database's triggers.`,
      "Run select recount_rows() in the database; writers wait for a moment.",
    );
}

/** In one statement: what is kept and what is there change together. */
async function differ(db: Db, table: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // It reads all there is.
    await tx`set local statement_timeout = 0`;
    const [row] = await tx<{ differ: boolean }[]>`
      select exists (
        select from (
          select account_id, sum(rows) as rows from row_counts where table_name = ${table} group by account_id
        ) kept
        full join (
          select account_id, count(*) as rows from ${tx(table)} group by account_id
        ) present using (account_id)
        where coalesce(kept.rows, 0) <> coalesce(present.rows, 0)
      ) as differ`;
    return row?.differ === true;
  });
}
