import type { PlannedRow, WrittenRow } from "../../../jsonapi/definition/importer.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { captureRows, revisedBy } from "../../../jsonapi/sql/write.ts";
import { json } from "../../../store/sql.ts";
import { errorsOf, textsIn } from "../columns/columns.ts";
import type { ImportJob } from "../jobs/jobs.ts";
import {
  type Batch,
  type Counts,
  count,
  countByColumn,
  finish,
  inBatch,
  type StepContext,
  type StepKey,
} from "./step.ts";

const ROWS_AT_ONCE = 300;

/** Writes the planned rows of a job, batch by batch. */
export async function run(services: StepContext, key: StepKey): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    after = await inBatch(services, key, "running", async (batch) => {
      const rows = await nextRows(batch.context, key.importJobId, from);
      if (rows.length === 0) return end(batch);
      await writeRows(batch, rows);
      services.progress?.(rows.length);
      return rows.at(-1)?.row;
    });
  }
}

async function end({ context, job }: Batch): Promise<undefined> {
  await countByColumn(context, job.id);
  await finish(context, job.id, "done");
  await captureRows(context, "import-jobs", "import-job.completed", [job.id]);
}

interface WaitingRow extends Omit<PlannedRow, "problems" | "warnings"> {
  cells: readonly string[] | null;
}

/** Rows without an outcome have not been written. */
const nextRows = (
  { actor, db }: WriteContext,
  importJobId: string,
  after: number,
): Promise<readonly WaitingRow[]> => db<WaitingRow[]>`
  select row_number as row, action, person_id as id, given as values, cells from import_rows
  where account_id = ${actor.accountId} and import_job_id = ${importJobId} and row_number > ${after}
    and action in ('create', 'update') and outcome is null
  order by row_number limit ${ROWS_AT_ONCE}`;

async function writeRows(
  { context, importer, job }: Batch,
  rows: readonly WaitingRow[],
): Promise<void> {
  const written = await importer.write(
    context,
    rows.map((row) => ({ ...row, problems: [] })),
  );
  const cells = new Map(rows.map((row) => [row.row, row.cells ?? []]));
  await store(context, job, written, cells);
  const planned = new Map(rows.map(({ action, row }) => [row, action]));
  const counts = { create: 0, update: 0, skip: 0, error: 0, written: 0 };
  for (const { action, row } of written) {
    counts[planned.get(row) ?? action] -= 1;
    counts[action] += 1;
    if (action === "create" || action === "update") counts.written += 1;
  }
  await count(context, job.id, counts satisfies Counts);
}

/** A row that could not be written has become an error, and one that changed nothing is skipped. */
async function store(
  { actor, db }: WriteContext,
  { headers, id: importJobId, mapping }: ImportJob,
  written: readonly WrittenRow[],
  cells: ReadonlyMap<number, readonly string[]>,
): Promise<void> {
  const places = columnsByPointer(mapping);
  const results = written.map(({ action, before, id, made, problems, row, version }) => ({
    row,
    action,
    id,
    version,
    before,
    made,
    errors: errorsOf(problems, places, textsIn(headers ?? [], cells.get(row) ?? [])),
  }));
  await db`
    update import_rows set action = result.action, person_id = result.id, written_version = result.version,
      before = result.before, made = result.made, errors = result.errors, given = null,
      outcome = case when result.version is not null then 'written' end,
      cells = case when result.action = 'error' then cells end,
      ${revisedBy(actor, "import_rows")}
    from jsonb_to_recordset(${json(results)}::text::jsonb)
      as result (row int, action text, id uuid, version int, before jsonb, made jsonb, errors jsonb)
    where account_id = ${actor.accountId} and import_job_id = ${importJobId} and row_number = result.row`;
}

/** The document of a row is not read again, so an error names the first column of its attribute. */
const columnsByPointer = (mapping: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(mapping).map(([column, target]) => [
      `/data/attributes/${(lists.get(target) ?? target).replace(".", "/")}`,
      column,
    ]),
  );

const lists = new Map([
  ["phone", "phones"],
  ["other-email", "other-emails"],
]);
