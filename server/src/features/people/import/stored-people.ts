import type { ImportedValues } from "../../../jsonapi/definition/importer.ts";
import { columnOf } from "../../../jsonapi/definition/members.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { peopleOf } from "./read-row.ts";

/** A person as stored. The columns have the form that JSON gives them. */
export interface StoredPerson {
  id: string;
  version: number;
  columns: Readonly<Record<string, unknown>>;
}

/** Reads people by id, and locks them in the order of the ids with `lock`. */
export async function storedPeople(
  { actor, db }: WriteContext,
  ids: readonly string[],
  lock: "for no key update" | "" = "",
): Promise<ReadonlyMap<string, StoredPerson>> {
  if (ids.length === 0) return new Map();
  const rows = await db<StoredPerson[]>`
    select id, version, to_jsonb(people) as columns from people
    where account_id = ${actor.accountId} and id = any(${[...ids]}::uuid[])
    order by id ${lock === "" ? db`` : db`for no key update`}`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** The stored value of an attribute. */
export function storedValue(
  context: WriteContext,
  columns: StoredPerson["columns"],
  name: string,
): unknown {
  const attribute = peopleOf(context).attributes[name];
  return attribute && columns[columnOf(name, attribute)];
}

/**
 * The values that an update writes. A file sets parts of an object and adds entries to a list. Other parts and entries stay.
 * An empty list clears the attribute.
 */
export function mergedValues(
  context: WriteContext,
  values: ImportedValues,
  columns: StoredPerson["columns"],
): ImportedValues {
  const merged = Object.entries(values).map(([name, value]) => [
    name,
    name === "custom-properties" ? value : merge(storedValue(context, columns, name), value),
  ]);
  return Object.fromEntries(merged) as ImportedValues;
}

function merge(stored: unknown, value: unknown): unknown {
  if (Array.isArray(stored) && Array.isArray(value)) {
    if (value.length === 0) return [];
    const known = new Set(stored.map(identityOf));
    return [...stored, ...value.filter((entry) => !known.has(identityOf(entry)))];
  }
  if (isObject(stored) && isObject(value)) return { ...stored, ...value };
  return value;
}

/** Telephone numbers are the same whatever their label is. */
const identityOf = (entry: unknown): unknown =>
  isObject(entry) ? entry["number"] : String(entry).toLowerCase();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
