import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { operator } from "../access/operator.ts";
import { limits } from "../base/limits.ts";
import { describedCatalogue } from "../catalogue.ts";
import { CustomFieldsCache } from "../features/accounts/custom-fields-cache.ts";
import { findAccount } from "../features/accounts/account-status.ts";
import { beginDryRun, beginRun } from "../features/imports/jobs/actions.ts";
import { importJobs } from "../features/imports/jobs/definition.ts";
import { dateFormats } from "../features/imports/columns/convert.ts";
import { createJob, deleteJob, type ImportJob, lockJob } from "../features/imports/jobs/jobs.ts";
import { kinds } from "../features/imports/kinds.ts";
import { takeStep } from "../features/imports/steps/queue.ts";
import { encodings } from "../features/imports/file/records.ts";
import type { Counts, StepContext, StepKey } from "../features/imports/steps/step.ts";
import { type WriteContext } from "../jsonapi/definition/resource.ts";
import { forType } from "../jsonapi/definition/targets.ts";
import { parseResource } from "../jsonapi/request/input.ts";
import { writeContextOf } from "../jsonapi/routes/write-context.ts";
import { noFiles } from "../store/files/files.ts";
import { type Db, inTransaction } from "../store/db.ts";
import type { AddCommand, Context } from "./context.ts";
import { withDatabase } from "./database.ts";
import { CommandError } from "./failure.ts";
import { alias, required, text } from "./options.ts";
import { progressBar } from "./progress-bar.ts";

/** The number of rows with errors that the command prints. */
const ERRORS_PRINTED = 20;

export const addImport: AddCommand = (program, context) =>
  program
    .command("import")
    .description("Import people or memberships from a CSV file, after a dry run and a question.")
    .addOption(alias())
    .addOption(
      new Option("--kind <kind>", "The type of the records that the rows become.")
        .choices(kinds)
        .default("people"),
    )
    .addOption(required(text("--file <path>", "The CSV file. Its first row contains the headers.")))
    .addOption(
      required(
        new Option(
          "--map <column=target>",
          "A column and its target, for example --map Nome=full-name --map Família=household. Repeat it for each column.",
        ).argParser(addColumn),
      ),
    )
    .addOption(
      new Option("--match-on <keys...>", "A row with one of these means the person who has it.")
        .choices(["email", "phone", "external-id", "name-birthdate"])
        .default([]),
    )
    .addOption(
      new Option("--on-match <action>", "The action for a person who is known.")
        .choices(["skip", "update"])
        .default("skip"),
    )
    .option("--blank-overwrites", "Let blank cells remove the values of people who are updated.")
    .addOption(
      new Option("--delimiter <character>", "The character between cells.")
        .choices([",", ";", "|", "\t"])
        .default(","),
    )
    .addOption(
      new Option(
        "--encoding <encoding>",
        "The encoding of the file. Without it, a file that is not valid UTF-8 is read as Windows-1252.",
      ).choices(encodings),
    )
    .addOption(
      new Option("--date-format <format>", "The format of dates.")
        .choices(dateFormats)
        .default("YYYY-MM-DD"),
    )
    .addOption(
      new Option(
        "--value <column:text=value>",
        "The value that a text of a column stands for, for example --value Situação:Congregado=attender. Repeat it for each text.",
      ).argParser(addMeaning),
    )
    .addOption(text("--household-key <column>", "A column that tells families of one name apart."))
    .addOption(
      text("--country <code>", "The country of telephone numbers without a country code, as BR."),
    )
    .addOption(
      text("--default-area-code <digits>", "The area of telephone numbers without an area code."),
    )
    .option("--yes", "Run the import without a question.")
    .action(
      context.action(async ({ alias: account, file, map: mapping, yes, ...options }) => {
        const content = await compressedFile(file);
        const attributes = {
          "kind": options.kind,
          mapping,
          "match-on": options.matchOn,
          "on-match": options.onMatch,
          "blank-overwrites": options.blankOverwrites ?? false,
          "delimiter": options.delimiter,
          ...(options.encoding !== undefined && { encoding: options.encoding }),
          "date-format": options.dateFormat,
          "value-mapping": options.value ?? {},
          ...(options.householdKey !== undefined && { "household-key": options.householdKey }),
          ...(options.country !== undefined && { country: options.country }),
          ...(options.defaultAreaCode !== undefined && {
            "default-area-code": options.defaultAreaCode,
          }),
        };
        return withDatabase(context, async (db) => {
          const { id: accountId } = await findAccount(db, account);
          const run = new LocalImport(db.serverOf(accountId), accountId);
          await run.rehearse(attributes, content);
          const planned = await run.counts();
          for (const line of await run.errors()) context.say(line);
          context.say(
            `${planned.rows} rows: ${planned.create} new, ${planned.update} updates, ${planned.skip} skipped, ${planned.error} errors.`,
          );
          if (!yes) await confirmOrDelete(context, run, account);
          await run.write(progressBar(context.stderr)(planned.create + planned.update).copied);
          const written = await run.counts();
          return {
            json: { "import-job": { id: run.id, counts: written } },
            lines: [
              `Wrote ${written.written} rows. ${written.error} rows have errors.`,
              `The import ${run.id} can be undone within 7 days with POST /v1/import-undos.`,
            ],
          };
        });
      }),
    );

/** The header may contain an equals sign, so the last one counts. */
function addColumn(
  value: string,
  columns: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const at = value.lastIndexOf("=");
  if (at <= 0 || at === value.length - 1)
    throw new InvalidArgumentError("It must look like Nome=full-name.");
  return { ...columns, [value.slice(0, at)]: value.slice(at + 1) };
}

type Meanings = Readonly<Record<string, Readonly<Record<string, string>>>>;

function addMeaning(value: string, meanings: Meanings = {}): Meanings {
  const [, column, given, meaning] = value.match(/^([^:]+):([^=]+)=(.*)$/) ?? [];
  if (column === undefined || given === undefined || meaning === undefined)
    throw new InvalidArgumentError("It must look like Situação:Congregado=attender.");
  return { ...meanings, [column]: { ...meanings[column], [given]: meaning } };
}

async function compressedFile(path: string): Promise<Buffer> {
  const content = await readFile(path).catch((error: Error) => {
    throw new CommandError("file-unreadable", `${path} cannot be read: ${error.message}.`);
  });
  if (content.length > limits.importFileBytesMax)
    throw new CommandError("file-too-large", `${path} is larger than 20 MiB. Split it.`);
  return gzipSync(content);
}

/** An import that is not confirmed leaves nothing. */
async function confirmOrDelete(context: Context, run: LocalImport, account: string): Promise<void> {
  try {
    await context.confirm(
      `To run the import, type the alias of the account (${account}): `,
      account,
    );
  } catch (error) {
    await run.delete();
    throw error;
  }
}

/** An import whose steps this process takes. */
class LocalImport {
  id = "";
  readonly #db: Db;
  readonly #accountId: string;
  readonly #services: StepContext;

  constructor(db: Db, accountId: string) {
    const fields = new CustomFieldsCache();
    this.#db = db;
    this.#accountId = accountId;
    this.#services = {
      db,
      catalogue: describedCatalogue,
      mailer: undefined,
      publicUrl: "",
      appUrl: "",
      files: noFiles,
      customFieldsOf: fields.read,
      lockCustomFields: fields.lock,
    };
  }

  async rehearse(attributes: Record<string, unknown>, content: Buffer): Promise<void> {
    await this.#change(async (context) => {
      const body = { data: { type: importJobs.type, attributes } };
      const input = parseResource(importJobs, body, {
        actor: context.actor,
        customFields: undefined,
      });
      this.id = (await createJob(forType(context, importJobs), input)).id;
      await beginDryRun(context, await this.#lock(context), content);
    });
    await this.#step();
  }

  async write(progress: (rows: number) => void): Promise<void> {
    await this.#change(async (context) => beginRun(context, await this.#lock(context)));
    await this.#step(progress);
  }

  delete = (): Promise<void> => this.#change((context) => deleteJob(context, this.id));

  async counts(): Promise<Required<Counts>> {
    const [job] = await this.#db<{ counts: Required<Counts> }[]>`
      select counts from import_jobs where account_id = ${this.#accountId} and id = ${this.id}`;
    if (!job) throw new Error("The import job no longer exists.");
    return job.counts;
  }

  /** The first rows with errors, as lines. */
  async errors(): Promise<string[]> {
    const rows = await this.#db<
      { row: number; errors: { column: string | null; detail: string }[] }[]
    >`
      select row_number as row, errors from import_rows
      where account_id = ${this.#accountId} and import_job_id = ${this.id} and action = 'error'
      order by row_number limit ${ERRORS_PRINTED}`;
    return rows.flatMap(({ errors, row }) =>
      errors.map(
        ({ column, detail }) => `Row ${row}${column === null ? "" : `, ${column}`}: ${detail}`,
      ),
    );
  }

  /** Takes the present step to its end. */
  async #step(progress?: (rows: number) => void): Promise<void> {
    const key: StepKey = { accountId: this.#accountId, importJobId: this.id, actorId: null };
    await takeStep({ ...this.#services, ...(progress && { progress }) }, key);
    const [job] = await this.#db<{ status: string; failure: string | null }[]>`
      select status, failure from import_jobs where account_id = ${this.#accountId} and id = ${this.id}`;
    if (job?.status === "failed") {
      throw new CommandError("import-failed", job.failure ?? "The import failed.");
    }
  }

  #change<T>(run: (context: WriteContext) => Promise<T>): Promise<T> {
    const actor = operator(this.#accountId);
    return inTransaction(this.#db, this.#accountId, (tx) =>
      run(writeContextOf({ ...this.#services, sendsMail: false }, tx, actor, importJobs)),
    );
  }

  async #lock(context: WriteContext): Promise<ImportJob> {
    const job = await lockJob(context, this.id);
    if (!job) throw new Error("The import job no longer exists.");
    return job;
  }
}
