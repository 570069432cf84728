import type { Actor } from "../../access/actor.ts";
import { isId } from "../../base/ids.ts";
import { isDate, isTimestamp } from "../../base/timestamps.ts";
import { columnOf } from "../definition/members.ts";
import type { Resource } from "../definition/resource.ts";
import { isHiddenSort, type SortKey } from "./sorts.ts";

export interface Cursor {
  /** Null where the caller's view of the row lacks the attribute. */
  value: string | null;
  id: string;
}

/** The values that a cursor can have, by the storage of the attribute that is sorted by. They are texts of PostgreSQL. */
const cursorValues = {
  timestamp: {
    cast: "timestamptz",
    isValue: (value: string) =>
      /^\S{10} \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(value) &&
      isTimestamp(value.replace(" ", "T").replace("+00", "Z")),
  },
  date: { cast: "date", isValue: isDate },
  number: { cast: "bigint", isValue: (value: string) => /^(0|-?[1-9]\d{0,14})$/.test(value) },
  text: {
    cast: "text",
    isValue: (value: string) => !value.includes("\0") && value.isWellFormed(),
  },
} as const;

/** A column that is no attribute is a folded name. */
export function cursorValuesOf(resource: Resource, { sort }: SortKey) {
  const sorted = Object.entries(resource.attributes).find(
    ([name, one]) => columnOf(name, one) === sort.column,
  );
  const storage = sorted?.[1].storage ?? "text";
  if (!Object.hasOwn(cursorValues, storage))
    throw new Error(`${resource.type} cannot be paged by a ${storage}.`);
  return cursorValues[storage as keyof typeof cursorValues];
}

const orderOf = ({ descending, name }: SortKey): string => `${descending ? "-" : ""}${name}`;

/** A cursor contains the order, and the value and the id of the last row. It is opaque to the caller. */
export const encodeCursor = (key: SortKey, cursor: Cursor): string =>
  Buffer.from(JSON.stringify([orderOf(key), cursor.value, cursor.id])).toString("base64url");

/** Returns undefined for a text that `encodeCursor` makes of no row in this order. */
export function decodeCursor(
  resource: Resource,
  key: SortKey,
  text: string,
  actor: Actor,
): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    if (!Array.isArray(parts)) return undefined;
    const [, value, id] = parts as unknown[];
    if (typeof id !== "string" || !isId(id) || !isValueOf(resource, key, value, actor))
      return undefined;
    if (key.sort.column === "id" && value !== id) return undefined;
    const cursor = { value, id };
    return encodeCursor(key, cursor) === text ? cursor : undefined;
  } catch {
    return undefined;
  }
}

const isValueOf = (
  resource: Resource,
  key: SortKey,
  value: unknown,
  actor: Actor,
): value is Cursor["value"] =>
  value === null
    ? isHiddenSort(resource, actor, key)
    : typeof value === "string" && cursorValuesOf(resource, key).isValue(value);
