import { join } from "node:path";
import { type Config, ConfigurationError } from "../app/config.ts";
import { examineAccounts } from "./doctor/accounts.ts";
import { examineFiles } from "./doctor/files.ts";
import { examineDatabase } from "./doctor/database.ts";
import { type Finding, finding } from "./doctor/finding.ts";
import { examineDataDirectory, examineMachine } from "./doctor/machine.ts";
import { examineJobs } from "./doctor/jobs.ts";
import { examineMail } from "./doctor/mail.ts";
import { examineSettings } from "./doctor/settings.ts";
import { examinePoolers } from "./doctor/poolers.ts";
import { examineServers } from "./doctor/servers.ts";
import { examineWebhooks } from "./doctor/webhooks.ts";
import type { Db } from "../store/db.ts";
import { askEach } from "../store/on-each.ts";
import { hasDatabase } from "../store/embedded.ts";
import type { AddCommand, Context, Outcome } from "./context.ts";
import { withDatabase } from "./database.ts";
import { awaySentence, failureOf } from "./failure.ts";

export const addDoctor: AddCommand = (program, context) =>
  program
    .command("doctor")
    .description("Report problems of this installation and how to fix them.")
    .action(context.action(() => examine(context)));

async function examine(context: Context): Promise<Outcome> {
  const findings: Finding[] = [];
  const facts: Record<string, string> = { node: process.versions.node };
  for await (const one of examineMachine()) findings.push(one);
  const config = readConfig(context, findings);
  if (config) {
    findings.push(...examineSettings(config), ...(await examineMail(config, facts)));
    for await (const one of examineDataDirectory(config)) findings.push(one);
    findings.push(...(await examineFiles(config, facts)));
    // The embedded database is in the data directory.
    const isReachable = !findings.some(({ code }) => code === "data-directory-unusable");
    if (isReachable || config.databaseUrl !== undefined)
      await examineData(context, config, facts, findings);
  }
  const note = context.noteOnSettings();
  return {
    json: { facts, notes: note === undefined ? [] : [note], findings },
    lines: [
      ...Object.entries(facts).map(([name, value]) => `${name}: ${value}`),
      ...(note === undefined ? [] : ["", note]),
      ...(findings.length === 0 ? ["", "No problems found."] : []),
      ...findings.flatMap(linesOf),
    ],
    exitCode: findings.length === 0 ? 0 : 1,
  };
}

/** Neighbouring findings with the same remedy print it once, below the last of them. */
function linesOf({ problem, remedy }: Finding, index: number, all: readonly Finding[]): string[] {
  return [
    ...(all[index - 1]?.remedy === remedy ? [] : [""]),
    problem,
    ...(all[index + 1]?.remedy === remedy ? [] : [`  ${remedy}`]),
  ];
}

function readConfig(context: Context, findings: Finding[]): Config | undefined {
  try {
    return context.config();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const mistake of error.mistakes)
      findings.push(
        finding("configuration", `${mistake}.`, ".env.example explains every setting."),
      );
    return undefined;
  }
}

async function examineData(
  context: Context,
  config: Config,
  facts: Record<string, string>,
  findings: Finding[],
): Promise<void> {
  const own = config.databaseUrl === undefined;
  if (own && !hasDatabase(config.dataDir)) {
    // doctor must not create a database.
    facts["database"] = "none yet; npm start creates it";
    return;
  }
  try {
    await withDatabase(
      context,
      async (db) => {
        const isOne = db.servers.length === 1;
        let fits = true;
        const { answers: there, away } = await askEach(db.servers, async (server) => {
          const isFirst = server.home === undefined;
          const { schemaFits, version } = await examineDatabase(server, config, (one) =>
            findings.push(isFirst ? one : onServer(server, one)),
          );
          fits &&= schemaFits;
          const place = own ? "embedded" : isOne ? "DATABASE_URL" : `server ${server.server}`;
          const suffix = isFirst ? "" : ` ${server.server}`;
          facts[`database${suffix}`] = `PostgreSQL ${version}, ${place}`;
          facts[`address${suffix}`] = addressOf(server.address);
          return server;
        });
        const [first] = away;
        if (first && isOne) throw first.error;
        for (const { error } of away)
          findings.push(finding("server-away", `${awaySentence(error)}.`, SERVER_AWAY));
        if (own) facts["password"] = join(config.dataDir, "postgres-password");
        if (!fits) return;
        for (const server of there) {
          const found = (one: Finding) =>
            findings.push(server.home === undefined ? one : onServer(server, one));
          for await (const one of examineAccounts(server, config)) found(one);
          for await (const one of examineWebhooks(server, config)) found(one);
          (await examineJobs(server)).forEach(found);
        }
        for await (const one of examinePoolers(there, config)) findings.push(one);
        if (!isOne) for await (const one of examineServers(there)) findings.push(one);
      },
      { schema: false },
    );
  } catch (error) {
    const { code, message } = failureOf(error);
    if (code === "internal") throw error;
    findings.push(finding(code, message, "Vestry cannot run without its database."));
  }
}

const SERVER_AWAY =
  "Its accounts get 503. Check that it is running and that its address in DATABASE_SHARDS is correct. The other servers were examined.";

const onServer = ({ server }: Db, one: Finding): Finding => ({
  ...one,
  problem: `Server ${server}: ${one.problem}`,
});

/** The address for psql and pg_dump, without the password. */
function addressOf({ host, port, database, user }: Db["address"]): string {
  return `postgres://${encodeURIComponent(user)}@${encodeURIComponent(host)}:${port}/${database}`;
}
