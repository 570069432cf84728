import { ApiError, type Problem } from "../../base/errors.ts";
import type { PlannedRow, WrittenRow } from "../definition/importer.ts";
import type { WriteContext } from "../definition/resource.ts";
import { constraintError } from "./constraint.ts";

/**
 * Writes rows of an import together. If one of them fails, which the dry run could not foresee, each row is written alone, so
 * that the others stay.
 */
export async function writeApart(
  context: WriteContext,
  rows: readonly PlannedRow[],
  write: (rows: readonly PlannedRow[]) => Promise<readonly WrittenRow[]>,
): Promise<readonly WrittenRow[]> {
  const attempt = (some: readonly PlannedRow[]) => context.db.savepoint(() => write(some));
  try {
    return await attempt(rows);
  } catch (error) {
    problemsOf(constraintError(context, context.resource, error) ?? error);
  }
  const written: WrittenRow[] = [];
  for (const one of rows)
    try {
      written.push(...(await attempt([one])));
    } catch (error) {
      const problems = problemsOf(constraintError(context, context.resource, error) ?? error);
      written.push(failedRow(one, problems));
    }
  return written;
}

const failedRow = ({ id, row }: PlannedRow, problems: readonly Problem[]): WrittenRow => ({
  row,
  action: "error",
  id,
  version: null,
  before: null,
  made: null,
  problems,
});

/** The problems of a row, or the error if something else failed. */
export function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ApiError && error.status < 500) return error.problems;
  throw error;
}

/** Writes unless a rule rejects it. A rejected write alone is undone, and the transaction continues. */
export async function unlessRefused(
  context: WriteContext,
  write: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await context.db.savepoint(write);
    return true;
  } catch (error) {
    problemsOf(constraintError(context, context.resource, error) ?? error);
    return false;
  }
}
