import sql from "sql-template-tag";
import { holds } from "../../../access/policy.ts";
import {
  ApiError,
  escapePointer,
  fail,
  forbidden,
  type Problem,
  problem,
} from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { Importer, Matches } from "../../../jsonapi/definition/importer.ts";
import type { JobFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import {
  type ReadContext,
  type WriteContext,
  type Written,
} from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { customFieldsIn } from "../../../jsonapi/sql/read.ts";
import { deleteRow, insertRow, updateRow } from "../../../jsonapi/sql/write.ts";
import type { DateFormat } from "../columns/convert.ts";
import { isTarget, targetNamed } from "../columns/columns.ts";
import { type ImportKind, importerOf, neededFor } from "../kinds.ts";
import type { Encoding } from "../file/records.ts";
import type { ImportStatus } from "./statuses.ts";

type ValueMapping = Readonly<Record<string, Readonly<Record<string, string>>>>;

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
  valueMapping: ValueMapping;
  blankValues: readonly string[];
  country: string | null;
  defaultAreaCode: string | null;
  householdKey: string | null;
  /** The headers of the file that was read last. */
  headers: readonly string[] | null;
  fileEncoding: Encoding | null;
  status: ImportStatus;
  batchId: string | null;
  /** Whether a run has written rows. */
  hasWritten: boolean;
  isUndoOver: boolean;
}

const jobColumns = sql`id, kind, mapping, match_on as "matchOn", on_match as "onMatch", blank_overwrites as "blankOverwrites",
  delimiter, encoding, date_format as "dateFormat", value_mapping as "valueMapping", blank_values as "blankValues", country,
  default_area_code as "defaultAreaCode", household_key as "householdKey", headers, file_encoding as "fileEncoding",
  status, batch_id as "batchId", (counts ->> 'written')::int > 0 as "hasWritten",
  finished_at < now() - ${limits.importUndoMs} * interval '1 millisecond' is true as "isUndoOver"`;

export async function readJob(
  { actor, db }: Pick<ReadContext, "actor" | "db">,
  id: string,
): Promise<ImportJob | undefined> {
  const [job] = await db<ImportJob[]>`
    select ${jobColumns} from import_jobs where account_id = ${actor.accountId} and id = ${id}`;
  return job;
}

/** Reads a job and locks it until the transaction ends. */
export async function lockJob(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  id: string,
): Promise<ImportJob | undefined> {
  const [job] = await db<ImportJob[]>`
    select ${jobColumns}
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
  await assertConsistent(context, {
    kind: attributes.kind,
    mapping: attributes.mapping,
    matchOn: attributes["match-on"] ?? [],
    valueMapping: attributes["value-mapping"] ?? {},
    householdKey: attributes["household-key"] ?? null,
  });
  const { country = await countryOf(context) } = attributes;
  return insertRow(context, context.resource, { ...input, attributes: { ...attributes, country } });
}

/** PATCH /v1/import-jobs/:id, before a file is read or after it was. The rows of a former reading would no longer be right. */
export async function updateJob(
  context: WriteContext<JobFields>,
  id: string,
  input: UpdateInput<JobFields>,
): Promise<Written> {
  const { attributes } = input;
  const job = await lockJob(context, id);
  if (job) {
    const isHalfWritten = job.status === "failed" && job.hasWritten;
    if (isHalfWritten || !changeable.includes(job.status))
      throw fail(
        "conflict",
        `The import is ${job.status}. It can be changed before its run and after its undo.`,
      );
    await assertConsistent(context, {
      kind: attributes.kind ?? job.kind,
      mapping: attributes.mapping ?? job.mapping,
      matchOn: attributes["match-on"] ?? job.matchOn,
      valueMapping: attributes["value-mapping"] ?? job.valueMapping,
      householdKey: attributes["household-key"] ?? job.householdKey,
    });
  }
  const again = { status: "'created'", counts: "default" };
  const isReady = job?.status === "ready";
  const updated = await updateRow(context, context.resource, id, input, isReady ? again : {});
  if (isReady && updated.changed.length > 0)
    await context.db`
      delete from import_rows where account_id = ${context.actor.accountId} and import_job_id = ${id}`;
  return updated;
}

const changeable: readonly ImportStatus[] = ["created", "ready", "failed", "undone"];

async function countryOf({ actor, db }: WriteContext): Promise<string | null> {
  const [account] = await db<{ country: string | null }[]>`
    select country from account_facts where account_id = ${actor.accountId}`;
  return account?.country ?? null;
}

/** 422 if the columns, their targets and the ways to match do not fit together. */
async function assertConsistent(
  context: WriteContext,
  job: Pick<ImportJob, "householdKey" | "kind" | "mapping" | "matchOn" | "valueMapping">,
): Promise<void> {
  const { mapping, matchOn } = job;
  assertMayWriteRecords(context, job);
  const importer = importerOf(context.catalogue, job);
  const { peopleImporter } = context.catalogue.published;
  const matches = importer.matches === "people" ? peopleImporter.matches : importer.matches;
  const problems = [
    ...(await unknownTargets(context, importer, job)),
    ...missingTargets(matches, mapping, matchOn),
    ...missingMatch(importer, matchOn),
    ...(job.householdKey !== null && !Object.values(mapping).includes("household")
      ? [
          problem(
            "missing-attribute",
            { rule: "required", hint: "No column sets household, which `household-key` needs." },
            { pointer: "/data/attributes/mapping" },
          ),
        ]
      : []),
  ];
  if (problems.length > 0) throw new ApiError(problems);
}

async function unknownTargets(
  context: WriteContext,
  importer: Importer,
  { mapping, valueMapping }: Pick<ImportJob, "mapping" | "valueMapping">,
): Promise<Problem[]> {
  const resource = definitionOf(context.catalogue, importer.type);
  const fields = await customFieldsIn(context, resource);
  const place = "/data/attributes/mapping";
  const unknown = Object.entries(mapping)
    .filter(([, target]) => !targetNamed(target, importer, context.catalogue, fields))
    .map(([column, target]) =>
      problem(
        "unknown-attribute",
        { rule: "unknown", given: target, hint: `An import of ${resource.type} cannot set it.` },
        { pointer: `${place}/${escapePointer(column)}` },
      ),
    );
  const unmapped = Object.keys(valueMapping)
    .filter((column) => !Object.hasOwn(mapping, column))
    .map((column) =>
      problem(
        "invalid-attribute",
        { rule: "unknown", given: column, hint: "`mapping` has no such column." },
        { pointer: `/data/attributes/value-mapping/${escapePointer(column)}` },
      ),
    );
  return [...unknown, ...unmapped];
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
    const hint = `No column sets ${missing.join(" and ")}, which \`match-on\` needs.`;
    const source = { pointer: "/data/attributes/mapping" };
    return [problem("missing-attribute", { rule: "required", hint }, source)];
  });

const missingMatch = ({ matches, type }: Importer, matchOn: readonly string[]): Problem[] =>
  matches === "people" && matchOn.length === 0
    ? [
        problem(
          "missing-attribute",
          { rule: "required", hint: `An import of ${type} finds the person of each row by it.` },
          { pointer: "/data/attributes/match-on" },
        ),
      ]
    : [];

/** DELETE /v1/import-jobs/:id. The rows disappear with the job. The people stay. */
export async function deleteJob(context: WriteContext, id: string): Promise<void> {
  const job = await lockJob(context, id);
  if (job && ["validating", "running", "undoing"].includes(job.status))
    throw fail("conflict", `The import is ${job.status}. Wait until this step has ended.`);
  await deleteRow(context, context.resource, id);
}
