import type { Actor } from "../../access/actor.ts";
import { notAllowedHere } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Resource } from "../definition/resource.ts";
import { type Cursor, decodeCursor } from "./cursors.ts";
import type { QueryReader } from "./query-reader.ts";
import type { SortKey } from "./sorts.ts";

export type Page =
  | { kind: "number"; number: number; size: number }
  | { kind: "after"; after: Cursor | undefined; size: number };

interface PageSizes {
  whenAbsent: number;
  max: number;
}

export const pageSizesOf = ({
  pageSize,
  pageSizeMax,
}: Pick<Resource, "pageSize" | "pageSizeMax">): PageSizes => ({
  whenAbsent: pageSize ?? limits.pageSizeDefault,
  max: pageSizeMax ?? limits.pageSizeMax,
});

export function readPage(
  resource: Resource,
  reader: QueryReader,
  sort: readonly SortKey[],
  actor: Actor,
): Page {
  const after = reader.take("page[after]");
  if (after === undefined) return readNumberedPage(reader, pageSizesOf(resource));
  const size = readPageSize(reader, pageSizesOf(resource));
  if (reader.take("page[number]") !== undefined)
    reader.report("page[number]", notAllowedHere("It cannot be combined with page[after]."));
  const [key, ...others] = sort;
  if (!key || others.length > 0 || key.sort.nullable)
    reader.report(
      "sort",
      notAllowedHere("With page[after], it must be a single attribute that is never null."),
    );
  if (after === "") return { kind: "after", after: undefined, size };
  const cursor = key && decodeCursor(resource, key, after, actor);
  if (!cursor) reader.report("page[after]", { rule: "format", format: "cursor" });
  return { kind: "after", after: cursor, size };
}

export const readNumberedPage = (reader: QueryReader, sizes: PageSizes) => ({
  kind: "number" as const,
  size: readPageSize(reader, sizes),
  number: readInteger(reader, "page[number]", 1, limits.pageNumberMax),
});

const readPageSize = (reader: QueryReader, { max, whenAbsent }: PageSizes): number =>
  readInteger(reader, "page[size]", whenAbsent, max);

function readInteger(reader: QueryReader, name: string, whenAbsent: number, max: number): number {
  const value = reader.take(name);
  if (value === undefined) return whenAbsent;
  const isNumber = /^\d{1,9}$/.test(value);
  const number = isNumber ? Number(value) : 0;
  if (!isNumber) reader.report(name, { rule: "type", type: "integer" });
  else if (number < 1) reader.report(name, { rule: "min", limit: 1 });
  else if (number > max) reader.report(name, { rule: "max", limit: max });
  return number;
}
