import type { Actor } from "../../access/actor.ts";
import { limits } from "../../base/limits.ts";
import { computedListOf } from "../definition/operations.ts";
import { isPublic } from "../definition/public.ts";
import type { Resource } from "../definition/resource.ts";
import type { Sort } from "../definition/sorts.ts";
import { doesNotAccept, type QueryReader } from "./query-reader.ts";
import type { Binding } from "./binding.ts";
import { isBeyondNames, isFull, readsOnlyNames, seesAllRows } from "./reach-conditions.ts";

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

type Sorted = Pick<SortKey, "name" | "sort">;

/** Whether the caller sees rows without the attribute of a sort, which then sorts them as if they had no value. */
export const isHiddenSort = (resource: Resource, actor: Actor, key: Sorted): boolean =>
  hides(resource, actor, key) !== undefined;

/** Whether a row shows the attribute of such a sort, as an SQL expression. */
export const showsSort = (
  statement: Binding,
  resource: Resource,
  actor: Actor,
  key: Sorted,
): string | undefined => {
  const hidden = hides(resource, actor, key);
  return hidden && (hidden === "reduced" ? isFull : isBeyondNames)(statement, actor, resource);
};

/** The largest view in which rows of the caller hide the attribute of a sort. Every caller sees ids. */
function hides(
  resource: Resource,
  actor: Actor,
  { name, sort }: Sorted,
): "reduced" | "names" | undefined {
  const { reduced } = resource;
  if (!reduced || sort.column === "id" || seesAllRows(actor, resource)) return undefined;
  const member = sort.member ?? name;
  if (!reduced.members.includes(member)) return "reduced";
  return !reduced.names?.includes(member) && readsOnlyNames(actor, resource) ? "names" : undefined;
}
