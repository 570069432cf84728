import { Command } from "@commander-js/extra-typings";
import { version } from "../base/version.ts";
import { addAccounts } from "./accounts.ts";
import type { Context } from "./context.ts";
import { addDoctor } from "./doctor.ts";
import { addExplain } from "./explain.ts";
import { addGenerate } from "./generate.ts";
import { addImport } from "./import.ts";
import { addIntegrations } from "./integrations.ts";
import { addKeys } from "./keys.ts";
import { addMigrate } from "./migrate.ts";
import { assertNoneMissing } from "./options.ts";
import { addMove } from "./move.ts";
import { addPeople } from "./people.ts";
import { addReceive } from "./receive.ts";
import { addSeed } from "./seed.ts";
import { addServe } from "./serve.ts";
import { addWebhooks } from "./webhooks.ts";

/** Every command. Help and version are passed to `write`; errors are thrown. */
export function createProgram(context: Context, write: (text: string) => void): Command {
  const program = new Command("npx vestry");
  program
    .description("Runs and manages Vestry. Run these commands inside the clone.")
    .version(version, "--version", "Print the version.")
    .helpOption("-h, --help", "Print this help.")
    .helpCommand(false)
    .option("--json", "Print the result as one JSON object.")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => undefined })
    .exitOverride()
    .addHelpText("after", "\nSettings are explained in .env.example.")
    .hook("preAction", (_program, command) => assertNoneMissing(command));
  for (const add of [
    addServe,
    addMigrate,
    addMove,
    addDoctor,
    addAccounts,
    addPeople,
    addImport,
    addIntegrations,
    addKeys,
    addWebhooks,
    addReceive,
    addSeed,
    addExplain,
    addGenerate,
  ])
    add(program, context);
  return program;
}
