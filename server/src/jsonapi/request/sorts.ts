import type { Actor } from "../../access/actor.ts";
import { limits } from "../../base/limits.ts";
import { computedListOf } from "../definition/operations.ts";
import { isPublic } from "../definition/public.ts";
import type { Resource } from "../definition/resource.ts";
import type { Sort } from "../definition/sorts.ts";
import { doesNotAccept, type QueryReader } from "./query-reader.ts";
import { seesAllRows } from "./reach-conditions.ts";

export interface SortKey {
  name: string;
  sort: Sort;
  descending: boolean;
}

/** The sort keys of the definition and `id`. */
export const sortsOf = (resource: Resource): Record<string, Sort> => ({
  ...(!computedListOf(resource) && !isPublic(resource) && { id: { column: "id" } }),
  ...resource.sorts,
});

export function readSort(resource: Resource, reader: QueryReader): SortKey[] {
  const value = reader.take("sort") ?? resource.defaultSort;
  const sorts = sortsOf(resource);
  const keys: SortKey[] = [];
  for (const word of value.split(",").filter(Boolean)) {
    const name = word.replace(/^-/, "");
    const sort = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
    if (!sort) reader.report("sort", doesNotAccept(name, Object.keys(sorts)));
    else if (keys.some((key) => key.name === name)) reader.report("sort", { rule: "repeated" });
    else keys.push({ name, sort, descending: word.startsWith("-") !== (sort.descending ?? false) });
  }
  if (keys.length > limits.sortsMax)
    reader.report("sort", { rule: "max-items", limit: limits.sortsMax });
  return keys;
}

/** Whether the caller sees rows without the attribute of a sort, which then sorts them as if they had no value. */
export const isHiddenSort = (
  resource: Resource,
  actor: Actor,
  { name, sort }: Pick<SortKey, "name" | "sort">,
): boolean =>
  name !== "id" &&
  resource.reduced?.members.includes(sort.member ?? name) === false &&
  !seesAllRows(actor, resource);
