import type { Actor } from "../../access/actor.ts";
import { notAllowedHere } from "../../base/errors.ts";
import type { Catalogue, Resource } from "../definition/resource.ts";
import type { Condition } from "./binding.ts";
import type { CustomFieldsReader } from "./custom-filter.ts";
import { type AddedRows, readFilters } from "./list-filters.ts";
import { type Place, readNear } from "./near.ts";
import { type Page, pageSizesOf, readNumberedPage, readPage } from "./pages.ts";
import { QueryReader, type RawQuery } from "./query-reader.ts";
import { readMay, readShape, type Shape, wholeShape } from "./shape.ts";
import { readSort, type SortKey } from "./sorts.ts";

export interface ListQuery extends Shape {
  conditions: readonly Condition[];
  added?: AddedRows | undefined;
  /** Conditions of constant SQL, which the query did not ask for. */
  standing: readonly string[];
  sort: readonly SortKey[];
  page: Page;
  /** The parameters without the page, for links to other pages. */
  linkParameters: readonly (readonly [string, string])[];
  /** The place from which distances are measured. */
  place?: Place | undefined;
}

export function parseListQuery(
  catalogue: Catalogue,
  resource: Resource,
  raw: RawQuery,
  custom: CustomFieldsReader,
  { isRelated = false } = {},
): ListQuery {
  const reader = new QueryReader(raw);
  const linkParameters = [...reader.values].filter(([name]) => !name.startsWith("page["));
  const shape = {
    ...readShape(catalogue, resource, reader),
    may: !isRelated && readMay(reader),
  };
  const sort = readSort(resource, reader);
  const standing = standingConditions(resource, reader);
  const { added, conditions } = readFilters(catalogue, resource, reader, custom);
  const page = readPage(resource, reader, sort, custom.actor);
  if (added && page.kind === "after")
    reader.report("page[after]", notAllowedHere("A list with added rows has pages by number."));
  const query = { ...shape, standing, conditions, added, sort, page, linkParameters };
  reader.finish();
  return query;
}

/** Filters with a value for queries that do not name them. */
export function standingConditions(
  { filters, table }: Resource,
  query?: Pick<QueryReader, "values">,
): string[] {
  return Object.entries(filters).flatMap(([name, filter]) =>
    filter.match === "boolean" &&
    filter.otherwise !== undefined &&
    !query?.values.has(`filter[${name}]`)
      ? `${filter.otherwise ? "" : "not "}${table}.${filter.column}`
      : [],
  );
}

/** Lists of the public area accept no `include`, `fields` or `page[after]`. */
export function parsePublicListQuery(
  catalogue: Catalogue,
  resource: Resource,
  raw: RawQuery,
  actor: Actor,
): ListQuery {
  const reader = new QueryReader(raw);
  const linkParameters = [...reader.values].filter(([name]) => !name.startsWith("page["));
  const near = resource.nearby && readNear(resource.nearby, reader);
  const sort = readSort(resource, reader);
  if (!near && sort.some((key) => key.sort.needsPlace))
    reader.report(
      "sort",
      notAllowedHere("The order needs filter[lat], filter[lng] and filter[km]."),
    );
  const { conditions } = readFilters(catalogue, resource, reader, {
    actor,
    customFields: undefined,
  });
  const query = {
    ...wholeShape,
    standing: [],
    conditions: near ? [...conditions, near.condition] : conditions,
    sort,
    page: readNumberedPage(reader, pageSizesOf(resource)),
    linkParameters,
    place: near?.place,
  };
  reader.finish();
  return query;
}
