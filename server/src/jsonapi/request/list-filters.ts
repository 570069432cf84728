import type { Actor } from "../../access/actor.ts";
import { can, reachOf } from "../../access/policy.ts";
import {
  column,
  type Reach,
  reachesNothing,
  rowsArePeople,
  withoutScopes,
} from "../../access/reach.ts";
import { didYouMean } from "../../base/choices.ts";
import { notAllowedHere, problem } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { type Filter, takesIds } from "../definition/filters.ts";
import { columnOf } from "../definition/members.ts";
import { computedListOf } from "../definition/operations.ts";
import { isPublic } from "../definition/public.ts";
import type { Catalogue, Resource } from "../definition/resource.ts";
import { definitionOf } from "../definition/targets.ts";
import type { Condition } from "./binding.ts";
import { type CustomFieldsReader, customCondition } from "./custom-filter.ts";
import { addsRows, type IdList, parseFilter } from "./filters.ts";
import type { QueryReader } from "./query-reader.ts";
import {
  asReadBy,
  isBeyondNames,
  isFull,
  ownRows,
  readsOnlyNames,
  seesAllRows,
} from "./reach-conditions.ts";
import { inShownText } from "./search-text.ts";

/** Filters of every type with these attributes. */
const byTime = {
  "modified-since": ["modified-at", "since"],
  "modified-until": ["modified-at", "until"],
  "created-since": ["created-at", "since"],
} as const;

export function filtersOf(resource: Resource): Record<string, Filter> {
  if (computedListOf(resource) || isPublic(resource)) return resource.filters;
  const filters: Record<string, Filter> = { id: { match: "id", column: "id" } };
  for (const [name, [attribute, match]] of Object.entries(byTime)) {
    const time = resource.attributes[attribute];
    if (time) filters[name] = { match, column: columnOf(attribute, time) };
  }
  return { ...filters, ...resource.filters };
}

/** The rows of a view that a list has as well. */
export interface AddedRows {
  view: string;
  /** The rows of the view, and of the table beside them. */
  condition: Condition;
}

export interface ReadFilters {
  conditions: readonly Condition[];
  added?: AddedRows | undefined;
}

export function readFilters(
  catalogue: Catalogue,
  resource: Resource,
  reader: QueryReader,
  custom: CustomFieldsReader,
): ReadFilters {
  const { actor } = custom;
  const filters = filtersOf(resource);
  const conditions: Condition[] = [];
  const byName = new Map<string, Condition>();
  const add = (name: string, condition: Condition, inShown?: Condition) =>
    conditions.push(asShown(resource, actor, name, condition, inShown));
  let customFilters = 0;
  const taken = reader.takeFamily("filter");
  const givenFor = (name: string) => taken.find(([one]) => one === name)?.[2];
  for (const [name, parameter, given] of taken) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    const value = filter && takesIds(filter) ? withoutMe(given, actor) : given;
    const reach = filter ? filteredReach(catalogue, filter, actor, value) : "everything";
    if (reachesNothing(reach))
      reader.report(parameter, notAllowedHere("This person may not read the attribute."));
    else if (filter) {
      const ids = idsWithin(catalogue, filter, reach);
      const within = { table: resource.table, country: actor.country, idList: ids, givenFor };
      const condition = parseFilter(filter, value, within, parameter, reader.problems);
      const read = condition && asRead(condition, { actor, catalogue });
      if (read) {
        byName.set(name, read);
        add(name, read, inShownText(filter, value, actor));
      }
    } else if (resource.customProperties && name.startsWith("custom-properties.")) {
      const condition = customCondition(resource, name, value, custom);
      customFilters += 1;
      if (typeof condition !== "function") reader.report(parameter, condition);
      else if (customFilters > limits.customFiltersMax)
        reader.report(parameter, {
          rule: "max-items",
          limit: limits.customFiltersMax,
          hint: "An entry is a filter on custom properties.",
        });
      else add(name, condition);
    } else {
      const own = resource.customProperties ? ["custom-properties.<field>"] : [];
      const known = [...Object.keys(filters), ...own];
      const hint = `${didYouMean(name, known)} Filters: ${known.join(", ")}.`.trim();
      const broken = { rule: "unknown", given: name, hint } as const;
      reader.problems.push(problem("unknown-parameter", broken, { parameter }));
    }
  }
  return { conditions, added: addedBy(filters, taken, byName, reader) };
}

/** The rows that a filter of the request adds. They are few, because another filter of the request finds them. */
function addedBy(
  filters: Readonly<Record<string, Filter>>,
  taken: readonly (readonly [string, string, string])[],
  byName: ReadonlyMap<string, Condition>,
  reader: QueryReader,
): AddedRows | undefined {
  for (const [name, parameter, value] of taken) {
    const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
    if (filter?.match !== "adds" || !addsRows(value)) continue;
    const condition = byName.get(filter.within);
    if (condition) return { view: filter.view, condition };
    reader.report(parameter, notAllowedHere(`It needs filter[${filter.within}].`));
  }
  return undefined;
}

/**
 * A filter by a member that the reduced view hides matches only rows that the caller sees in full. A search matches reduced
 * rows by the text they show. Filters by more than names match no rows of which the caller reads the names alone.
 */
function asShown(
  resource: Resource,
  actor: Actor,
  name: string,
  condition: Condition,
  inShown?: Condition,
): Condition {
  const { reduced } = resource;
  if (!reduced || name === "id" || seesAllRows(actor, resource)) return condition;
  const member = byTime[name as keyof typeof byTime]?.[0] ?? name;
  if (reduced.names?.includes(member) || reduced.namesFilters?.includes(name)) return condition;
  const beyondNames: Condition = readsOnlyNames(actor, resource)
    ? (statement) => `${isBeyondNames(statement, actor, resource)} and (${condition(statement)})`
    : condition;
  if (inShown)
    return (statement) =>
      `${beyondNames(statement)} and (${isFull(statement, actor, resource)} or (${inShown(statement)}))`;
  if (reduced.filters?.includes(name) || reduced.members.includes(member)) return beyondNames;
  return (statement) => `${isFull(statement, actor, resource)} and (${condition(statement)})`;
}

/** Resolves what a filter says about the rows that the caller reads. Its text contains no value of the caller. */
const asRead =
  (condition: Condition, reader: Parameters<typeof asReadBy>[1]): Condition =>
  (statement) =>
    asReadBy(statement, reader, condition(statement));

/** In every filter by ids, `me` is the caller's person. */
const withoutMe = (ids: string, { personId }: Actor): string =>
  ids
    .split(",")
    .map((id) => (id.trim() === "me" ? personId : id))
    .join(",");

/**
 * The resources that a caller may filter by: those that the needed permission covers, not only as the caller's own. Every
 * caller may filter by their own person.
 */
function filteredReach(
  catalogue: Catalogue,
  { among, needs }: Filter,
  actor: Actor,
  ids: string,
): Reach {
  if (needs === undefined) return "everything";
  const paths = (among === undefined ? undefined : definitionOf(catalogue, among))?.reach;
  const reach = reachOf(actor, can(needs), paths ?? {});
  const covered = withoutScopes(reach, "self", "public", "creator");
  if (covered === "everything" || !rowsArePeople(paths)) return covered;
  const own = { scope: "self", ids: [actor.personId], path: column("id") } as const;
  const isOwn = ids.split(",").every((id) => id.trim() === actor.personId);
  return reachesNothing(covered) && !isOwn ? [] : [...covered, own];
}

/** Keeps only the ids of a filter that are in reach. Undefined keeps all. */
function idsWithin(catalogue: Catalogue, { among }: Filter, reach: Reach): IdList | undefined {
  if (among === undefined || reach === "everything") return undefined;
  const target = definitionOf(catalogue, among);
  return (statement, ids) =>
    `array(select ${target.table}.id from ${target.table} where ${ownRows(statement, target, reach)}` +
    ` and ${target.table}.id = any(${statement.bind(ids)}::uuid[]))`;
}
