import { Option } from "@commander-js/extra-typings";
import { type Config, keyFileOf, readConfig } from "../app/config.ts";
import { requireEncoding } from "../app/prepare-server.ts";
import { queues } from "../catalogue.ts";
import { prepareQueues } from "../jobs/boss.ts";
import { requireUsable } from "../store/data-directory.ts";
import { connect, type Db } from "../store/db.ts";
import { hasDatabase, markMoved, startEmbedded } from "../store/embedded.ts";
import { migrate } from "../store/migrate.ts";
import { copyRows, isWithoutRows } from "../store/move.ts";
import { differencesOf, identityOf } from "../webhooks/index.ts";
import type { AddCommand, Context, Outcome } from "./context.ts";
import { COMMAND_LOCK } from "./database.ts";
import { CommandError } from "./failure.ts";

export const addMove: AddCommand = (program, context) =>
  program
    .command("move")
    .description("Copy the embedded database into an external one, which must be empty.")
    .addOption(new Option("--to <url>", "Its address. The default is DATABASE_URL."))
    .action(context.action(({ to }) => move(context, to)));

async function move({ config: read, say }: Context, to: string | undefined): Promise<Outcome> {
  const config = read();
  const url =
    to === undefined
      ? (config.databaseDirectUrl ?? config.databaseUrl)
      : readConfig({ DATABASE_URL: to }).databaseUrl;
  if (url === undefined)
    throw new CommandError("usage", "Name the database with --to or DATABASE_URL.", 2);
  requireUsable(config.dataDir);
  if (!hasDatabase(config.dataDir))
    throw new CommandError("no-database", `There is no database in ${config.dataDir}.`);

  const server = await startEmbedded({ dataDir: config.dataDir, say });
  const source = connect(server.url, { max: 3, name: "vestry-move", statementMsMax: 0 });
  const target = connect(url, { max: 3, name: "vestry-move", statementMsMax: 0 });
  let counts: ReadonlyMap<string, number>;
  try {
    // Commands that could write wait for this lock, and then find that the database has moved.
    await source`select pg_advisory_lock(${COMMAND_LOCK}::bigint)`;
    await prepare(source, target);
    await requireOriginal(source, config);
    counts = await copyRows(
      source,
      target,
      queues.map(({ name }) => name),
      (table, rows) => rows > 0 && say(`${table}: ${rows.toLocaleString("en")}`),
    );
    markMoved(config.dataDir, nameOf(target));
  } finally {
    await Promise.all([source.end({ timeout: 1 }), target.end({ timeout: 1 })]);
    await server.stop();
  }
  return outcomeOf(config, nameOf(target), counts);
}

/** Gives both databases the schema of this version. */
async function prepare(source: Db, target: Db): Promise<void> {
  await requireEncoding(target);
  if (!(await isWithoutRows(target)))
    throw new CommandError(
      "target-not-empty",
      `The database ${nameOf(target)} is not empty. Create another one: nothing in it is overwritten.`,
    );
  await migrate(source);
  await migrate(target);
  await prepareQueues(target, queues);
}

/** The moved database counts as the original, so a copy whose webhooks are held is not moved. */
async function requireOriginal(source: Db, { dataDir }: Config): Promise<void> {
  const differences = await differencesOf(source, await identityOf(source, { dataDir }));
  if (differences.length === 0) return;
  throw new CommandError(
    "webhooks-held",
    "The embedded database is a copy, and its webhooks are held. Start the service without DATABASE_URL, " +
      "run npx vestry webhooks release, and stop it again.",
  );
}

const nameOf = ({ address: { database, host, port } }: Db): string => `${host}:${port}/${database}`;

function outcomeOf(config: Config, to: string, counts: ReadonlyMap<string, number>): Outcome {
  const rows = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const keys = config.encryptionKeys.length > 0 ? undefined : keyFileOf(config);
  const files = config.filesS3 ? undefined : config.filesDir;
  return {
    json: { to, rows, tables: Object.fromEntries(counts) },
    lines: [
      `Copied ${rows.toLocaleString("en")} rows in ${counts.size} tables to ${to}, and counted them on both sides.`,
      "Set DATABASE_URL to that database on every node, and start.",
      ...(keys === undefined
        ? []
        : [`The keys stay in ${keys}. Other machines need its content as ENCRYPTION_KEYS.`]),
      ...(files === undefined
        ? []
        : [`The files stay in ${files}. Other machines need them in their FILES_DIR.`]),
      `The embedded database in ${config.dataDir} does not start any more.`,
    ],
  };
}
