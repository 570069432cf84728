import { holds } from "../../access/policy.ts";
import {
  ApiError,
  escapePointer,
  fail,
  forbidden,
  type Problem,
  problem,
} from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Importer, Matches } from "../../jsonapi/definition/importer.ts";
import type { JobFields } from "./fields.ts";
import type { CreateInput } from "../../jsonapi/definition/input.ts";
import {
  type ReadContext,
  targetOf,
  type WriteContext,
  type Written,
} from "../../jsonapi/definition/resource.ts";
import { customFieldsIn } from "../../jsonapi/sql/read.ts";
import { deleteRow, insertRow } from "../../jsonapi/sql/write.ts";
import type { DateFormat } from "./convert.ts";
import { isTarget, targetNamed } from "./columns.ts";
import { type ImportKind, importerOf, neededFor } from "./kinds.ts";
import type { Encoding } from "./records.ts";
import type { ImportStatus } from "./statuses.ts";

/** The columns of a job that its steps read. */
export interface ImportJob {
  id: string;
  kind: ImportKind;
  mapping: Readonly<Record<string, string>>;
  matchOn: readonly string[];
  onMatch: "skip" | "update";
  blankOverwrites: boolean;
  delimiter: string;
  encoding: Encoding | null;
  dateFormat: DateFormat;
  status: ImportStatus;
  batchId: string | null;
  runAt: string | null;
  isUndoOver: boolean;
}

/** Reads a job and locks it until the transaction ends. */
export async function lockJob(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  id: string,
): Promise<ImportJob | undefined> {
  const [job] = await db<ImportJob[]>`
    select id, kind, mapping, match_on as "matchOn", on_match as "onMatch", blank_overwrites as "blankOverwrites",
      delimiter, encoding, date_format as "dateFormat", status, batch_id as "batchId", run_at::text as "runAt",
      finished_at < now() - ${limits.importUndoMs} * interval '1 millisecond' is true as "isUndoOver"
    from import_jobs where account_id = ${actor.accountId} and id = ${id} for no key update`;
  return job;
}

/** 403 for a caller who may not write the records of an import. */
export function assertMayWriteRecords(
  { actor, catalogue }: ReadContext,
  job: Pick<ImportJob, "kind" | "mapping">,
): void {
  const missing = neededFor(catalogue, job).find((permission) => !holds(actor, permission));
  if (missing) throw forbidden(`This person lacks ${missing} for the whole account.`);
}

/** POST /v1/import-jobs */
export async function createJob(
  context: WriteContext<JobFields>,
  input: CreateInput<JobFields>,
): Promise<Written> {
  const { attributes } = input;
  const { kind, mapping, "match-on": matchOn = [] } = attributes;
  assertMayWriteRecords(context, { kind, mapping });
  const importer = importerOf(context.catalogue, { kind });
  const { peopleImporter } = context.catalogue.published;
  const matches = importer.matches === "people" ? peopleImporter.matches : importer.matches;
  const problems = [
    ...(await unknownTargets(context, importer, mapping)),
    ...missingTargets(matches, mapping, matchOn),
    ...missingMatch(importer, matchOn),
  ];
  if (problems.length > 0) throw new ApiError(problems);
  return insertRow(context, context.resource, input);
}

async function unknownTargets(
  context: WriteContext,
  importer: Importer,
  mapping: ImportJob["mapping"],
): Promise<Problem[]> {
  const resource = targetOf(context.catalogue, { target: importer.type });
  const fields = await customFieldsIn(context, resource);
  const place = "/data/attributes/mapping";
  return Object.entries(mapping)
    .filter(([, target]) => !targetNamed(target, importer, context.catalogue, fields))
    .map(([column, target]) =>
      problem("unknown-attribute", `An import of ${resource.type} cannot set ${target}.`, {
        pointer: `${place}/${escapePointer(column)}`,
      }),
    );
}

/** A row can match by a value only if a column contains that value. */
const missingTargets = (
  matches: Matches,
  mapping: ImportJob["mapping"],
  matchOn: readonly string[],
): Problem[] =>
  matchOn.flatMap((name) => {
    const missing = (matches[name] ?? []).filter(
      (needed) => !Object.values(mapping).some((target) => isTarget(target, needed)),
    );
    if (missing.length === 0) return [];
    const detail = `No column sets ${missing.join(" and ")}, which \`match-on\` needs.`;
    return [problem("missing-attribute", detail, { pointer: "/data/attributes/mapping" })];
  });

const missingMatch = ({ matches, type }: Importer, matchOn: readonly string[]): Problem[] =>
  matches === "people" && matchOn.length === 0
    ? [
        problem("missing-attribute", `An import of ${type} finds the person of each row by it.`, {
          pointer: "/data/attributes/match-on",
        }),
      ]
    : [];

/** DELETE /v1/import-jobs/:id. The rows disappear with the job. The people stay. */
export async function deleteJob(context: WriteContext, id: string): Promise<void> {
  const job = await lockJob(context, id);
  if (job && ["validating", "running", "undoing"].includes(job.status))
    throw fail("conflict", `The import is ${job.status}. Wait until this step has ended.`);
  await deleteRow(context, context.resource, id);
}
