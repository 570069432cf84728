import { authorOf } from "../../../access/operator.ts";
import { newId } from "../../../base/ids.ts";
import { folded } from "../../../base/folded.ts";
import { limits } from "../../../base/limits.ts";
import { languageOf } from "../../../mail/languages.ts";
import { json } from "../../../store/sql.ts";
import { type WriteContext } from "../../../jsonapi/definition/resource.ts";
import type { Finding, ImportAction, ImportOptions } from "../../../jsonapi/definition/importer.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { customFieldsIn } from "../../../jsonapi/sql/read.ts";
import {
  type Column,
  errorsOf,
  meaningsOf,
  readCells,
  type Reading,
  type RowError,
  targetNamed,
  textsIn,
} from "../columns/columns.ts";
import { insertRows, type Value } from "../../../store/insert-rows.ts";
import { deleteFile, readFile } from "../file/file.ts";
import type { ImportJob } from "../jobs/jobs.ts";
import { detectEncoding, type Encoding, readRecords, UnreadableFile } from "../file/records.ts";
import { phoneReader } from "../columns/convert.ts";
import { choiceOf } from "../columns/labels.ts";
import {
  type Batch,
  count,
  countByColumn,
  finish,
  ImportFailed,
  inBatch,
  type StepContext,
  type StepKey,
} from "./step.ts";

const ROWS_AT_ONCE = 300;

interface FileRecord {
  row: number;
  cells: readonly string[];
}

/** The earlier rows of the file. */
type Seen = Pick<ImportOptions, "earlier" | "members">;

interface Plan {
  columns: readonly Column[];
  reading: Reading;
  headers: readonly string[];
}

/**
 * Reads the file and stores the planned action of each row. It writes no people. A run that was interrupted begins again,
 * because the comparison of rows with earlier rows needs all of them.
 */
export async function dryRun(services: StepContext, key: StepKey): Promise<void> {
  const begun = await inBatch(services, key, "validating", async ({ context, job }) => {
    await forgetRows(context, job.id);
    return job;
  });
  if (!begun) return;
  try {
    await readWhole(services, key, begun);
  } catch (error) {
    if (error instanceof UnreadableFile) throw new ImportFailed(error.message);
    throw error;
  }
}

async function readWhole(services: StepContext, key: StepKey, job: ImportJob): Promise<void> {
  const chunks = () => readFile(services.db, key);
  const encoding = job.encoding ?? (await detectEncoding(chunks));
  const seen: Seen = { earlier: new Map(), members: new Map() };
  let plan: Plan | undefined;
  let done = 0;
  let blank = 0;
  const planBatch = (records: readonly FileRecord[]) =>
    inBatch(services, key, "validating", async (batch) => {
      if (!plan) return false;
      // Another worker that has planned these rows continues.
      if ((await plannedRows(batch.context, job.id)) !== done) return false;
      await planRows(batch, plan, records, seen);
      done += records.length;
      return true;
    });

  let row = 0;
  let records: FileRecord[] = [];
  for await (const cells of readRecords(chunks, { delimiter: job.delimiter, encoding })) {
    row += 1;
    if (!plan) {
      const headers = cells.map((header) => header.trim());
      plan = await inBatch(services, key, "validating", (batch) =>
        planOf(batch, headers, encoding),
      );
      if (!plan) return;
      continue;
    }
    if (cells.length > limits.importColumnsMax)
      throw new UnreadableFile(
        `Row ${row} has more than ${limits.importColumnsMax} cells. Check \`delimiter\` and the quotation marks.`,
      );
    if (cells.every((cell) => cell.trim() === "")) {
      blank += 1;
      if (blank > limits.importBlankRowsMax)
        throw new UnreadableFile(
          `The file has more than ${limits.importBlankRowsMax.toLocaleString("en")} blank rows. Delete them.`,
        );
      continue;
    }
    records.push({ row, cells });
    if (done + records.length > limits.importRowsMax)
      throw new UnreadableFile(
        `The file has more than ${limits.importRowsMax.toLocaleString("en")} rows. Split it into several files.`,
      );
    if (records.length < ROWS_AT_ONCE) continue;
    if (!(await planBatch(records))) return;
    services.progress?.(records.length);
    records = [];
  }
  if (!plan) throw new UnreadableFile("The file is empty.");
  if (records.length > 0 && !(await planBatch(records))) return;
  services.progress?.(records.length);
  await inBatch(services, key, "validating", async ({ context }) => {
    if (done === 0) throw new UnreadableFile("The file has a header and no rows.");
    await deleteFile(context.db, key);
    await countByColumn(context, job.id);
    await finish(context, job.id, "ready");
  });
}

async function planOf(
  { context, importer, job }: Batch,
  headers: readonly string[],
  encoding: Encoding,
): Promise<Plan> {
  if (headers.length > limits.importColumnsMax)
    throw new UnreadableFile(
      `The file has more than ${limits.importColumnsMax} columns. Remove columns that are not imported.`,
    );
  const { householdKey } = job;
  const names = [...Object.keys(job.mapping), ...(householdKey === null ? [] : [householdKey])].map(
    (name) => name.trim(),
  );
  const missing = names.filter((name) => !headers.includes(name));
  if (missing.length > 0)
    throw new UnreadableFile(
      `The file has no column ${missing.map((name) => JSON.stringify(name)).join(", ")}. Its columns are ${headers
        .slice(0, 20)
        .map((header) => JSON.stringify(header.slice(0, 60)))
        .join(", ")}. Check \`mapping\` and \`delimiter\`.`,
    );
  const repeated = names.filter((name) => headers.indexOf(name) !== headers.lastIndexOf(name));
  if (repeated.length > 0)
    throw new UnreadableFile(`The file has several columns ${JSON.stringify(repeated[0])}.`);

  const resource = definitionOf(context.catalogue, importer.type);
  const fields = await customFieldsIn(context, resource);
  const column = (name: string, targetName: string): Column => {
    const target = targetNamed(targetName, importer, context.catalogue, fields);
    if (!target) throw new UnreadableFile(`An import cannot set ${targetName} any more.`);
    const meanings = meaningsOf(job.valueMapping[name]);
    return { name, at: headers.indexOf(name.trim()), target, meanings };
  };
  const columns = Object.entries(job.mapping).map(([name, target]) => column(name, target));
  if (householdKey !== null) columns.push(column(householdKey, "household-key"));
  await context.db`
    update import_jobs set headers = ${json(headers)}::text::jsonb, file_encoding = ${encoding}
    where account_id = ${context.actor.accountId} and id = ${job.id}`;
  return {
    columns: columns.sort((a, b) => a.at - b.at),
    reading: await readingOf(context, job),
    headers,
  };
}

async function readingOf({ actor, db }: WriteContext, job: ImportJob): Promise<Reading> {
  const { blankOverwrites, blankValues, dateFormat, defaultAreaCode } = job;
  const [account] = await db<{ country: string | null; lang: string | null }[]>`
    select country, lang from account_facts where account_id = ${actor.accountId}`;
  const language = languageOf(account?.lang);
  return {
    blankOverwrites,
    blanks: new Set(blankValues.map((text) => folded(text.trim()))),
    dateFormat,
    phoneOf: phoneReader({ country: job.country ?? account?.country, areaCode: defaultAreaCode }),
    choiceOf: (choices, text) => choiceOf(choices, text, language),
  };
}

/** Plans a batch of rows and stores the result. */
async function planRows(
  { context, importer, job }: Batch,
  { columns, headers, reading }: Plan,
  records: readonly FileRecord[],
  seen: Seen,
): Promise<void> {
  const read = records.map(({ cells, row }) => readCells(row, cells, columns, reading));
  const fitting = read.filter((_, at) => !isTooLong(records[at], headers));
  const { matchOn, onMatch } = job;
  const planned = await importer.plan(context, fitting, { matchOn, onMatch, ...seen });
  const planOfRow = new Map(planned.map((one) => [one.row, one]));
  const counts = { rows: records.length, create: 0, update: 0, skip: 0, error: 0 };
  const author = authorOf(context.actor);
  const rows = read.map((one, at) => {
    const { cells = [] } = records[at] ?? {};
    const plan = planOfRow.get(one.row);
    // A cell that cannot be converted does not hide the other problems of its row.
    const action = one.problems.length > 0 ? "error" : (plan?.action ?? "error");
    counts[action] += 1;
    const told = (findings: readonly Finding[]) =>
      errorsOf(findings, one.columns, textsIn(headers, cells));
    return {
      account_id: context.actor.accountId,
      id: newId(),
      created_by: author,
      modified_by: author,
      import_job_id: job.id,
      row_number: one.row,
      action,
      errors: isTooLong(records[at], headers)
        ? [tooLong(headers.length)]
        : told([...one.problems, ...(plan?.problems ?? [])]),
      warnings: told(plan?.warnings ?? []),
      person_id: plan?.id ?? null,
      given: isWritten(action) ? (plan?.values ?? null) : null,
      cells: action === "skip" ? null : cells.map((cell) => cell.replaceAll("\0", "")),
    };
  });
  await insertRecords(context.db, rows);
  await count(context, job.id, counts);
}

const isWritten = (action: ImportAction) => action === "create" || action === "update";

const insertRecords = (tx: WriteContext["db"], rows: readonly Readonly<Record<string, Value>>[]) =>
  insertRows(
    tx,
    "import_rows",
    Object.keys(rows[0] ?? {}),
    rows.map((row) => Object.values(row)),
  );

/** Rows with more cells than the header have a delimiter too many. Their values may be in the wrong columns. */
const isTooLong = (record: FileRecord | undefined, headers: readonly string[]): boolean =>
  record?.cells.slice(headers.length).some((cell) => cell.trim() !== "") === true;

const tooLong = (headers: number): RowError => ({
  column: null,
  value: null,
  code: "invalid-attribute",
  detail: `The row has more cells than the header, which has ${headers}. Quote cells that contain the delimiter.`,
});

async function plannedRows({ actor, db }: WriteContext, importJobId: string): Promise<number> {
  const [row] = await db<{ rows: number }[]>`
    select (counts ->> 'rows')::int as rows from import_jobs
    where account_id = ${actor.accountId} and id = ${importJobId}`;
  return row?.rows ?? 0;
}

/** Deletes the rows of a former file or of an interrupted dry run. */
export async function forgetRows(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  importJobId: string,
): Promise<void> {
  await db`
    delete from import_rows where account_id = ${actor.accountId} and import_job_id = ${importJobId}`;
  await db`
    update import_jobs set counts = default where account_id = ${actor.accountId} and id = ${importJobId}`;
}
