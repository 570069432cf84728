import { type ApiError, fail, invalid, notAllowedHere } from "../../base/errors.ts";
import type { CodeWords, ConstraintWords } from "../definition/constraint-words.ts";
import { columnOf } from "../definition/members.ts";
import {
  columnsByType,
  isWritable,
  type Relationship,
  targetTypes,
} from "../definition/relationships.ts";
import type { Catalogue, ReadContext, Resource } from "../definition/resource.ts";

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
  { code, detail, pointer }: CodeWords,
  id: string | undefined,
): ApiError => fail(code, detail, { pointer }, id === undefined ? undefined : { id });

/**
 * The error for a violated constraint of a type, in the words of its definition. The request can be about another type, which
 * changes such rows too. Returns undefined for other errors, and for constraints of rows that no document describes.
 */
export function constraintError(
  { catalogue }: Pick<ReadContext, "catalogue">,
  resource: Resource,
  error: unknown,
  verb?: "delete",
): ApiError | undefined {
  if (!isDatabaseError(error) || error.constraint === undefined) return undefined;
  const { code, constraint: name } = error;
  if (![FOREIGN_KEY, UNIQUE, CHECK].includes(code)) return undefined;
  const words = resource.constraints?.[name];
  // A key that leads from a type to itself has words for the deletion. A document breaks it by the id that it sends.
  if (code === FOREIGN_KEY && verb !== "delete")
    return ownLink(resource, name) ?? inWords(words) ?? otherLink(catalogue, resource, name);
  return (
    inWords(words) ??
    (code === CHECK ? notAccepted(resource, name) : undefined) ??
    wordsOfOthers(catalogue, name)
  );
}

const inWords = (words: ConstraintWords | undefined, pointer = words?.pointer ?? "") =>
  words &&
  ("breaks" in words
    ? fail(words.code ?? "invalid-attribute", words.breaks, { pointer })
    : fail(words.code, words.detail, { pointer }));

/** A check that repeats the schema of an attribute is named after its column. */
function notAccepted({ attributes, table }: Resource, constraint: string): ApiError | undefined {
  const checks = (column: string) =>
    ["known", "form", "count"].some((rule) => constraint === `${table}_${column}_${rule}`);
  const checked = Object.entries(attributes).find(([name, one]) => checks(columnOf(name, one)));
  return (
    checked &&
    invalid(`/data/attributes/${checked[0]}`, notAllowedHere("This value is not accepted."))
  );
}

/** The pointers of another type mean nothing in this document. */
function wordsOfOthers({ resources }: Catalogue, constraint: string): ApiError | undefined {
  for (const { constraints = {} } of resources.values())
    if (constraints[constraint]) return inWords(constraints[constraint], "/data");
  return undefined;
}

// -- Foreign keys --------------------------------------------------------------------------------------------------

export const foreignKeyName = (table: string, column: string): string =>
  `${table}_${column.replace(/_id$/, "")}_fkey`;

/** The foreign keys of a relationship, and the type to which each of them leads. */
function keysOf(resource: Resource, one: Relationship): ReadonlyMap<string, string> {
  if ("expression" in one) return new Map();
  const columns = one.kind === "to-many" ? { [one.target]: one.to } : columnsByType(one);
  const table = one.kind === "to-many" ? one.table : resource.table;
  return new Map(
    Object.entries(columns).map(([type, column]) => [foreignKeyName(table, column), type]),
  );
}

/** The relationships that a document sets. */
const linksOf = (resource: Resource) =>
  Object.entries(resource.relationships).filter(([, one]) => isWritable(one, "new"));

/** The error for a key of a relationship that the document sets. */
function ownLink(resource: Resource, key: string): ApiError | undefined {
  const own = linksOf(resource).find(([, one]) => keysOf(resource, one).has(key));
  return own && absentAt(`/data/relationships/${own[0]}/data`);
}

/**
 * The error for a key of other rows that the request writes. Its target is what the document names with the only relationship
 * that leads to this type, or somewhere else.
 */
function otherLink(catalogue: Catalogue, resource: Resource, key: string): ApiError | undefined {
  const target = targetOfKey(catalogue, key);
  if (target === undefined) return undefined;
  const [first, ...others] = linksOf(resource).filter(([, one]) =>
    targetTypes(one).includes(target),
  );
  return absentAt(first && others.length === 0 ? `/data/relationships/${first[0]}/data` : "/data");
}

const absentAt = (pointer: string) =>
  fail("invalid-relationship", { rule: "not-found" }, { pointer });

function targetOfKey({ personColumns, resources }: Catalogue, key: string): string | undefined {
  for (const resource of resources.values())
    for (const one of Object.values(resource.relationships)) {
      const target = keysOf(resource, one).get(key);
      if (target !== undefined) return target;
      if (one.kind === "to-many" && foreignKeyName(one.table, one.from) === key)
        return resource.type;
    }
  const namesPerson = Object.keys(personColumns).some((place) => {
    const [table = "", column = ""] = place.split(".");
    return foreignKeyName(table, column) === key;
  });
  return namesPerson ? "people" : undefined;
}
