import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { can } from "../../../access/policy.ts";
import { fail, notFound } from "../../../base/errors.ts";
import type { ReadContext } from "../../../jsonapi/definition/resource.ts";
import type { RawQuery } from "../../../jsonapi/request/query-reader.ts";
import { allowedReach, resolveId } from "../../../jsonapi/request/reach.ts";
import { parseNoQuery } from "../../../jsonapi/request/shape.ts";
import { contextOf, idIn, type RouteDependencies } from "../../../jsonapi/routes/steps.ts";
import { assertReadable } from "../../../jsonapi/sql/read.ts";
import type { RowError } from "../columns/columns.ts";
import { importJobs } from "../jobs/definition.ts";
import { type ImportJob, readJob } from "../jobs/jobs.ts";
import type { Encoding } from "./records.ts";

export const ERROR_FILE_PATH = "/v1/import-jobs/:id/error-file";

/** The header of the column with the reasons. A corrected file that still has the column gets no second one. */
export const REASONS = "Errors";

/** Registers `GET /v1/import-jobs/:id/error-file`. */
export function registerErrorFiles(app: FastifyInstance, dependencies: RouteDependencies): void {
  app.get(ERROR_FILE_PATH, async (request, reply) => {
    const context = await contextOf(dependencies, importJobs, request);
    parseNoQuery(context.catalogue, importJobs, request.query as RawQuery);
    const id = resolveId(importJobs, context.actor, idIn(request), "read");
    allowedReach(context.actor, importJobs, can("import-jobs:write"), "read");
    await assertReadable(context, importJobs, id);
    const job = await readJob(context, id);
    if (!job) throw notFound();
    const { fileEncoding, headers } = job;
    if (!headers || !fileEncoding) throw fail("conflict", "No file of this import has been read.");
    reply.headers({
      "Content-Type": `text/csv; charset=${fileEncoding}`,
      "Content-Disposition": 'attachment; filename="errors.csv"',
      "Cache-Control": "no-store",
    });
    return reply.send(Readable.from(errorFile(context, { ...job, headers }, fileEncoding)));
  });
}

const ROWS_AT_ONCE = 500;

interface WrongRow {
  row: number;
  cells: readonly string[] | null;
  errors: readonly RowError[];
}

async function* errorFile(
  { actor, db }: ReadContext,
  { delimiter, headers, id, mapping }: ImportJob & { headers: readonly string[] },
  encoding: Encoding,
): AsyncGenerator<Buffer> {
  const had = headers.at(-1) === REASONS && !Object.hasOwn(mapping, REASONS);
  const columns = had ? headers.slice(0, -1) : headers;
  const line = (cells: readonly string[]) =>
    encoded(`${cells.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`, encoding);
  yield line([...columns, REASONS]);
  for (let after = 0; ; ) {
    const rows = await db<WrongRow[]>`
      select row_number as row, cells, errors from import_rows
      where account_id = ${actor.accountId} and import_job_id = ${id} and action = 'error' and row_number > ${after}
      order by row_number limit ${ROWS_AT_ONCE}`;
    for (const { cells, errors } of rows)
      if (cells) yield line([...columns.map((_, at) => cells[at] ?? ""), reasonsOf(errors)]);
    after = rows.at(-1)?.row ?? 0;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

const reasonsOf = (errors: readonly RowError[]): string =>
  errors
    .map(({ column, detail }) => (column === null ? detail : `${column}: ${detail}`))
    .join(" | ");

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) || cell.trim() !== cell
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;

/** The bytes of Windows-1252 by their characters. */
const windows1252 = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder("windows-1252").decode(Uint8Array.of(byte)),
    byte,
  ]),
);

const encoded = (text: string, encoding: Encoding): Buffer =>
  encoding === "utf-8"
    ? Buffer.from(text)
    : Buffer.from(Array.from(text, (character) => windows1252.get(character) ?? 0x3f));
