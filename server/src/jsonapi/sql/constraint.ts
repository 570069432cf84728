import { type ApiError, fail } from "../../base/errors.ts";
import { columnsByType } from "../definition/relationships.ts";
import type { ConstraintWords, Resource } from "../definition/resource.ts";

interface DatabaseError {
  code: string;
  constraint?: string;
}

const isDatabaseError = (error: unknown): error is DatabaseError =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";

const FOREIGN_KEY = "23503";
const UNIQUE = "23505";
const CHECK = "23514";

/** Whether an error of the database says that a statement violates this constraint. */
export const violates = (error: unknown, constraint: string): boolean =>
  isDatabaseError(error) && error.constraint === constraint;

/** The error in the words of a constraint, with the id of the resource that exists already. */
export const conflictWith = (
  { code = "conflict", detail, pointer }: ConstraintWords,
  id: string | undefined,
): ApiError => fail(code, detail, { pointer }, id === undefined ? undefined : { id });

/**
 * The error for a violated constraint. The text comes from the definition, or for a foreign key from its name, which is
 * `<table>_<column without _id>_fkey`. Returns undefined for errors that the caller did not cause.
 */
export function constraintError(resource: Resource, error: unknown): ApiError | undefined {
  if (!isDatabaseError(error) || ![FOREIGN_KEY, UNIQUE, CHECK].includes(error.code))
    return undefined;
  const name = error.constraint ?? "";
  const words = resource.constraints?.[name];
  if (words)
    return fail(words.code ?? "invalid-attribute", words.detail, { pointer: words.pointer });
  if (error.code !== FOREIGN_KEY) return undefined;
  for (const [relationship, one] of Object.entries(resource.relationships)) {
    if ("expression" in one) continue;
    const keys =
      one.kind === "to-one"
        ? Object.values(columnsByType(one)).map((column) => foreignKeyName(resource.table, column))
        : [foreignKeyName(one.table, one.to)];
    if (keys.includes(name))
      return fail("invalid-relationship", "There is no such resource.", {
        pointer: `/data/relationships/${relationship}/data`,
      });
  }
  return undefined;
}

export const foreignKeyName = (table: string, column: string): string =>
  `${table}_${column.replace(/_id$/, "")}_fkey`;
