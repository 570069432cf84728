import { CommanderError } from "@commander-js/extra-typings";
import { ApiError } from "../base/errors.ts";
import { ConfigurationError } from "../app/config.ts";
import { CannotStart } from "../app/cannot-start.ts";
import { ServersMissing, WrongServer } from "../store/number-servers.ts";
import { isDatabaseAway, isDatabaseSlow, isMoving, serverOfError } from "../store/away.ts";
import { DataDirectoryUnusable } from "../store/data-directory.ts";
import { PostmasterEnded } from "../store/embedded/postmaster.ts";
import { DIRECT_URL_MISSING, PoolerAway, refusesSettings } from "../store/pooler.ts";
import { DataDirectoryInUse } from "../store/embedded.ts";

/** An error whose message is a sentence for the operator, with the code that `--json` prints. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: number;

  constructor(code: string, message: string, exitCode = 1) {
    super(message);
    this.name = "CommandError";
    this.code = code;
    this.exitCode = exitCode;
  }
}

export interface Failure {
  code: string;
  /** One sentence, or one line per mistake in the configuration. */
  message: string;
  exitCode: number;
  /** Set for unexpected errors only. */
  stack?: string;
}

/** `help` is the help text that commander has written, if any. */
export function failureOf(error: unknown, help = ""): Failure {
  if (error instanceof CommanderError)
    return { code: "usage", message: usageMessage(error, help), exitCode: 2 };
  const failed = (code: string, message: string) => ({ code, message, exitCode: 1 });
  if (isMoving(error))
    return failed("account-moves", "The account moves to another server. Try again afterwards.");
  if (error instanceof CommandError)
    return { code: error.code, message: error.message, exitCode: error.exitCode };
  if (error instanceof WrongServer) return failed("wrong-server", error.message);
  if (error instanceof ServersMissing) return failed("servers-missing", error.message);
  if (error instanceof CannotStart) return failed("cannot-start", error.message);
  if (error instanceof ApiError) {
    const [problem] = error.problems;
    return failed(
      problem?.code ?? "internal",
      error.problems.map(({ detail }) => detail).join(" "),
    );
  }
  if (error instanceof ConfigurationError) return failed("configuration", error.message);
  if (error instanceof DataDirectoryInUse) return failed("data-directory-in-use", error.message);
  if (error instanceof DataDirectoryUnusable)
    return failed("data-directory-unusable", error.message);
  if (error instanceof PostmasterEnded) return failed("database-did-not-start", error.message);
  if (error instanceof PoolerAway)
    return failed(
      "pooler-unavailable",
      `${error.message} Check that it is running and that its address is correct.`,
    );
  const database = databaseFailure(error);
  if (database !== undefined) return failed("database-unavailable", database);
  const { code, message, stack } = error as NodeJS.ErrnoException;
  // The message of a plain Error is written for the operator.
  if (error instanceof Error && error.constructor === Error && code === undefined)
    return failed("failed", message);
  return { ...failed("internal", `Vestry failed: ${message}`), ...(stack && { stack }) };
}

function usageMessage({ code, message }: CommanderError, help: string): string {
  // A group of commands without a subcommand.
  if (code === "commander.help") return help.trimEnd();
  const [sentence = "", suggestion] = withoutValues(message)
    .replace(/^error: ./, (start) => start.slice(-1).toUpperCase())
    .split("\n");
  return [
    /[.?]$/.test(sentence) ? sentence : `${sentence}.`,
    suggestion ? suggestion.slice(1, -1) : "Add --help to see the options of the command.",
  ].join(" ");
}

/** An unexpected argument may be a password, so it is not printed. */
const withoutValues = (message: string): string =>
  message.replace(/^(error: unknown option '[^=]*)=.*'/s, "$1'").replace(/ but got \d+: .*$/s, ".");

/** PostgreSQL's reasons to refuse a connection, all of which mean that DATABASE_URL is wrong. */
const refusals: Readonly<Record<string, string>> = {
  "28P01": "does not accept the user and password of DATABASE_URL",
  "28000": "rejects the user of DATABASE_URL",
  "3D000": "has no database of the name in DATABASE_URL: create it or correct the name",
  "42501": "denies this operation to the user of DATABASE_URL",
};

function databaseFailure(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== undefined && Object.hasOwn(refusals, code))
    return `The database server ${refusals[code]} (${code}).`;
  if (refusesSettings(error)) return DIRECT_URL_MISSING;
  if (isDatabaseSlow(error))
    return `${nameOf(error)} was reached but did not answer in time (${code}): check its load and run the command again.`;
  if (isDatabaseAway(error))
    return `${awaySentence(error)}: check that it is running and that ${serverOfError(error) === undefined ? "DATABASE_URL" : "its address in DATABASE_SHARDS"} is correct.`;
  return undefined;
}

const nameOf = (error: unknown): string => {
  const server = serverOfError(error);
  return server === undefined ? "The database" : `Server ${server}`;
};

/** Without a full stop, so that advice can follow. */
export function awaySentence(error: unknown): string {
  const code = codeOf(error);
  return `${nameOf(error)} cannot be reached${code === undefined ? "" : ` (${code})`}`;
}

function codeOf(error: unknown): string | undefined {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
