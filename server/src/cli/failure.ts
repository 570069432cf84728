import { ApiError } from "../base/errors.ts";
import { ConfigurationError } from "../app/config.ts";
import { isDatabaseAway } from "../store/away.ts";
import { DataDirectoryUnusable } from "../store/data-directory.ts";
import { DataDirectoryInUse } from "../store/embedded.ts";
import { CommandError } from "./command.ts";

export interface Failure {
  code: string;
  /** One sentence; for a broken configuration one line for each mistake. */
  message: string;
  exitCode: number;
  /** Only where nobody foresaw it: then the developer needs it more than the operator minds it. */
  stack?: string;
}

export function failureOf(error: unknown): Failure {
  const failed = (code: string, message: string) => ({ code, message, exitCode: 1 });
  if (error instanceof CommandError)
    return { code: error.code, message: error.message, exitCode: error.exitCode };
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
  const database = databaseFailure(error);
  if (database !== undefined) return failed("database-unavailable", database);
  const { code, message, stack } = error as NodeJS.ErrnoException;
  // Whoever throws a plain Error here wrote its message for the operator.
  if (error instanceof Error && error.constructor === Error && code === undefined)
    return failed("failed", message);
  return { ...failed("internal", `Vestry failed: ${message}`), ...(stack && { stack }) };
}

/** Answers of PostgreSQL to a log-in, which say that DATABASE_URL is wrong. */
const refusals: Readonly<Record<string, string>> = {
  "28P01": "does not accept the user and password of DATABASE_URL",
  "28000": "does not let the user of DATABASE_URL in",
  "3D000": "has no database of the name in DATABASE_URL: create it, or correct the name",
  "42501": "does not permit this to the user of DATABASE_URL",
};

function databaseFailure(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== undefined && Object.hasOwn(refusals, code))
    return `The database server ${refusals[code]} (${code}).`;
  if (isDatabaseAway(error))
    return `The database cannot be reached${code === undefined ? "" : ` (${code})`}: check that it runs and that DATABASE_URL is right.`;
  return undefined;
}

function codeOf(error: unknown): string | undefined {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}
