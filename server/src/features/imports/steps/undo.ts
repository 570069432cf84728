import type { UndoneRow } from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { json } from "../../../store/sql.ts";
import { type Batch, count, finish, inBatch, type StepContext, type StepKey } from "./step.ts";
import { revisedBy } from "../../../jsonapi/sql/write.ts";

/** Fewer than a run writes at once: each deletion looks for records in all tables, while colleagues wait for the people. */
const ROWS_AT_ONCE = 50;
const ROW_MAX = 2 ** 31 - 1;

/** The rows of imports name people too. They are no reason to keep a person. */
const ignored = ["import_rows.person_id"];

/** Takes back what a run has written, the last rows first. */
export async function undo(services: StepContext, key: StepKey): Promise<void> {
  for (let before: number | undefined = ROW_MAX; before !== undefined; ) {
    const until: number = before;
    before = await inBatch(services, key, "undoing", async (batch) => {
      const rows = await lastRows(batch.context, key.importJobId, until);
      if (rows.length === 0) {
        await finish(batch.context, key.importJobId, "undone");
        return undefined;
      }
      await undoRows(batch, rows);
      services.progress?.(rows.length);
      return rows.at(-1)?.row;
    });
  }
}

const lastRows = (
  { actor, db }: WriteContext,
  importJobId: string,
  before: number,
): Promise<readonly UndoneRow[]> => db<UndoneRow[]>`
  select row_number as row, action, person_id as id, written_version as version, before, made
  from import_rows
  where account_id = ${actor.accountId} and import_job_id = ${importJobId} and row_number < ${before}
    and outcome = 'written'
  order by row_number desc limit ${ROWS_AT_ONCE}`;

async function undoRows(
  { context, importer, job }: Batch,
  rows: readonly UndoneRow[],
): Promise<void> {
  const { accountId } = context.actor;
  const numbers = rows.map(({ row }) => row);
  // A row that names a person disappears with the person. These rows stay, so they stop naming people first.
  await context.db`
    update import_rows set person_id = null
    where account_id = ${accountId} and import_job_id = ${job.id} and row_number = any(${numbers}::int[])`;
  const undone = await importer.undo(context, rows, ignored);
  await context.db`
    update import_rows set person_id = place.id
    from jsonb_to_recordset(${json(rows)}::text::jsonb) as place (row int, id uuid)
    where account_id = ${accountId} and import_job_id = ${job.id} and row_number = place.row
      and exists (select from person_facts where account_id = ${accountId} and person_id = place.id)`;
  await context.db`
    update import_rows set before = null, made = null, written_version = null,
      outcome = case when row_number = any(${[...undone]}::int[]) then 'undone' else 'kept' end,
      ${revisedBy(context.actor)}
    where account_id = ${accountId} and import_job_id = ${job.id} and row_number = any(${numbers}::int[])`;
  await count(context, job.id, { undone: undone.size, kept: rows.length - undone.size });
}
