import assert from "node:assert/strict";
import { limits } from "../base/limits.ts";
import type { Filter } from "../jsonapi/definition/filters.ts";
import { hasBriefLink, membersOf } from "../jsonapi/definition/members.ts";
import type { Catalogue, KeyUse, Resource } from "../jsonapi/definition/resource.ts";
import type { Nearby } from "../jsonapi/definition/sorts.ts";
import { targetOf } from "../jsonapi/definition/targets.ts";
import { filtersOf } from "../jsonapi/request/list-filters.ts";
import { KM_MIN } from "../jsonapi/request/near.ts";
import { pageSizesOf } from "../jsonapi/request/pages.ts";
import { sortsOf } from "../jsonapi/request/sorts.ts";
import { type Json, nameOf, pascal, ref, schemaRef, text } from "./json.ts";
import type { Named } from "./named.ts";

export const parameterRef = (name: string): Json => ref("parameters", name);

const query = (name: string, schema: Json, description: string): Json => ({
  name,
  in: "query",
  description,
  schema,
});

/** Several values in one parameter, separated by commas. */
const queryList = (name: string, schema: Json, description: string): Json => ({
  ...query(name, schema, description),
  style: "form",
  explode: false,
});

const header = (name: string, schema: Json, description: string): Json => ({
  name,
  in: "header",
  description,
  schema,
});

const idempotencyKey = header(
  "Idempotency-Key",
  { type: "string", minLength: 1, maxLength: limits.idempotencyKeyLengthMax },
  "Any text, a new one for each intended change. Repeating the request with the same key within 24 hours has no second effect and returns the first response. A different request with the same key returns 409.",
);

const pageSize = (resource: Parameters<typeof pageSizesOf>[0]): Json =>
  query(
    "page[size]",
    {
      type: "integer",
      minimum: 1,
      maximum: pageSizesOf(resource).max,
      default: pageSizesOf(resource).whenAbsent,
    },
    "The number of resources on a page.",
  );

/** The name of the parameter, which most types share. */
const pageSizeName = ({ pageSize, pageSizeMax }: Resource): string =>
  `PageSize${pageSize ?? ""}${pageSizeMax === undefined ? "" : `UpTo${pageSizeMax}`}`;

/** One or more ETags, or `*`. */
const ENTITY_TAGS = '^(\\*|(W/)?"[!#-~]*"([ \\t]*,[ \\t]*(W/)?"[!#-~]*")*)$';

/** Parameters that every type uses. */
export const commonParameters: Json = {
  ResourceId: { name: "id", in: "path", required: true, description: "The id.", schema: text },
  FileName: {
    ...header(
      "Content-Disposition",
      text,
      "The name of the file. `filename*` is for names outside of ASCII. Directories are removed from the name.",
    ),
    required: true,
    example: 'attachment; filename="guide.pdf"',
  },
  PageNumber: query(
    "page[number]",
    { type: "integer", minimum: 1, maximum: limits.pageNumberMax, default: 1 },
    "The number of the page, from 1.",
  ),
  PageSize: pageSize({}),
  PageAfter: query(
    "page[after]",
    text,
    "Cursor pagination instead of `page[number]`. Pages neither repeat nor skip resources while others write, and every page is equally fast. Send it empty for the first page, then follow `links.next`. It needs a single sort attribute that is never null.",
  ),
  MetaMay: query(
    "meta[may]",
    { type: "boolean", const: true },
    "Adds to `meta` what the caller may do: with one resource, or with the type of a list.",
  ),
  IfMatch: header(
    "If-Match",
    { type: "string", pattern: ENTITY_TAGS },
    "The ETag from the last read, with its quotes. If the resource has changed since, the service returns 409 `stale-version` and writes nothing.",
  ),
  IfNoneMatch: header(
    "If-None-Match",
    { type: "string", pattern: ENTITY_TAGS },
    "The ETag from the last read. If nothing has changed since, the service returns 304 without a body.",
  ),
  IdempotencyKey: idempotencyKey,
  IdempotencyKeyRequired: { ...idempotencyKey, required: true },
};

/** Schemas of filter values that many filters share. */
export const filterSchemas: Json = {
  FilterIds: valueList(text),
  FilterBooleans: valueList({ type: "boolean" }),
  FilterInstant: { type: "string", examples: ["2026-03-01T09:30:00.000Z", "2026-03-01"] },
};

function valueList(items: Json): Json {
  return { type: "array", items, minItems: 1, maxItems: limits.filterValuesMax };
}

const ids = schemaRef("FilterIds");
const booleans = schemaRef("FilterBooleans");
const instant = schemaRef("FilterInstant");
const dayOfYear: Json = {
  type: "string",
  pattern: "^((0[1-9]|1[0-2])-(0[1-9]|[12][0-9])|(0[13-9]|1[0-2])-30|(0[13578]|1[02])-31)$",
  examples: ["12-28"],
};
const day: Json = { type: "string", format: "date", examples: ["2026-03-01"] };

/** A latitude, a longitude and a distance of whole hundreds of kilometers at most. */
function placePattern(kilometersMax: number): string {
  assert.ok(kilometersMax % 100 === 0 && kilometersMax < 1_000);
  const hundreds = kilometersMax / 100;
  const fraction = "(\\.[0-9]+)?";
  const latitude = `-?([0-8]?[0-9]${fraction}|90(\\.0+)?)`;
  const longitude = `-?((1[0-7][0-9]|[0-9]?[0-9])${fraction}|180(\\.0+)?)`;
  const distance = `(0\\.[0-9]*[1-9][0-9]*|[1-9][0-9]?${fraction}|[1-${hundreds - 1}][0-9][0-9]${fraction}|${kilometersMax}(\\.0+)?)`;
  return `^${latitude},${longitude},${distance}$`;
}

const me = "`me` is the caller's person.";

function filterParameter(schemas: Named, resource: Resource, name: string, filter: Filter): Json {
  const one = (schema: Json, description: string) => query(`filter[${name}]`, schema, description);
  const many = (schema: Json, description: string) =>
    queryList(`filter[${name}]`, schema, description);
  switch (filter.match) {
    case "contains":
      return one(text, "Contains the text. Case and accents are ignored.");
    case "search":
      return one(
        text,
        `Contains every word, at most ${limits.searchWordsMax} words. DocumentMembers of digits also match telephone numbers.`,
      );
    case "equals-text":
      return one(
        text,
        `Equals the text. ${filter.by === "fold" ? "Case and accents are" : "Case is"} ignored.`,
      );
    case "near":
      return one(
        { ...text, pattern: placePattern(filter.kilometersMax), examples: ["-22.9,-47.06,5"] },
        `Latitude, longitude and a distance of up to ${filter.kilometersMax} km, separated by commas.`,
      );
    case "digits":
      return one(
        { ...text, pattern: "[0-9][^0-9]*[0-9][^0-9]*[0-9]" },
        "Contains these digits, at least three.",
      );
    case "one-of": {
      // Some generators give parameters and schemas one space of names, so the second name has its own ending.
      const names = [
        nameOf(resource.type) + pascal(name),
        `${nameOf(resource.type)}${pascal(name)}Choice`,
      ];
      const value = schemas.ref(
        { type: "string", enum: [...filter.values] },
        ...(names as [string]),
      );
      return filter.single
        ? one(value, "Is this value.")
        : many(valueList(value), "Is one of these values.");
    }
    case "id": {
      const none = filter.orNone ? " `none` means none." : "";
      return many(
        ids,
        `${filter.column === "id" ? "Has" : "Refers to"} one of these ids. ${me}${none}`,
      );
    }
    case "related":
    case "within":
      return many(ids, `Is related to one of these ids. ${me}`);
    case "boolean":
      return many(
        booleans,
        `Is true or false.${filter.otherwise === undefined ? "" : ` The default is ${filter.otherwise}.`}`,
      );
    case "exists":
      return many(booleans, "Whether there is at least one.");
    case "adds":
      return many(booleans, `True adds further rows. Needs \`filter[${filter.within}]\`.`);
    case "number": {
      const { minimum, maximum } = filter;
      return many(valueList({ type: "integer", minimum, maximum }), "Is one of these numbers.");
    }
    case "at-least":
    case "at-most": {
      const { match, minimum, maximum } = filter;
      const description = match === "at-least" ? "Is at least this." : "Is at most this.";
      return one({ type: "integer", minimum, maximum }, description);
    }
    case "since":
      return one(instant, "At this time or later.");
    case "until":
      return one(instant, "At this time or earlier.");
    case "from":
      return one(day, "On this date or later.");
    case "to":
      return one(day, "On this date or earlier.");
    case "day-from":
      return one(
        dayOfYear,
        `On this day of the year or later. \`${filter.other}\` may be before it.`,
      );
    case "day-to":
      return one(dayOfYear, "On this day of the year or earlier.");
  }
}

/** Every path that `include` accepts. */
function includePaths(
  catalogue: Catalogue,
  resource: Resource,
  depth: number = limits.includeDepthMax,
): string[] {
  return Object.entries(resource.relationships).flatMap(([name, relationship]) => [
    name,
    ...(depth > 1
      ? includePaths(catalogue, targetOf(catalogue, relationship), depth - 1).map(
          (path) => `${name}.${path}`,
        )
      : []),
  ]);
}

/** The type itself and those its relationships lead to. */
function typesWithin(resource: Resource): string[] {
  const targets = Object.values(resource.relationships).map(({ target }) => target);
  const others = new Set(targets.filter((type) => type !== resource.type));
  return [resource.type, ...[...others].sort()];
}

const strings = (values: string[]): Json => ({
  type: "array",
  items: { type: "string", enum: values },
});

export function sortParameter(resource: Resource): Json {
  const sorts = Object.keys(sortsOf(resource)).flatMap((sort) => [sort, `-${sort}`]);
  return queryList(
    "sort",
    { ...strings(sorts), default: [resource.defaultSort] },
    "The sort order, most important attribute first. A minus sign reverses an attribute.",
  );
}

/** The parameters of one type; those that no operation uses are removed at the end. */
export function parametersOf(catalogue: Catalogue, resource: Resource): Json {
  const name = nameOf(resource.type);
  const aliases = Object.keys(resource.aliases ?? {}).map((alias) => `\`${alias}\``);
  return {
    [`${name}Id`]: {
      name: "id",
      in: "path",
      required: true,
      description: `The id, or ${aliases.join(", ")} for the caller's own.`,
      schema: text,
    },
    [`${name}Fields`]: queryList(
      `fields[${resource.type}]`,
      strings(membersOf(resource)),
      `The attributes and relationships of ${resource.type} to return, instead of all of them.`,
    ),
    [`${name}Include`]: queryList(
      "include",
      strings(includePaths(catalogue, resource)),
      `The related resources to return as well, at most ${limits.includedMax}.`,
    ),
    [`${name}Sort`]: sortParameter(resource),
    [pageSizeName(resource)]: pageSize(resource),
    ...(resource.versionTag !== undefined && {
      [`${name}IfMatch`]: {
        ...header(
          "If-Match",
          { type: "string", pattern: `^"${resource.versionTag}-\\d+"$` },
          "The ETag from the last read. Without it the service returns 428 `precondition-required`. If the resource has changed since, the service returns 409 `stale-version` and writes nothing.",
        ),
        required: true,
      },
    }),
  };
}

export const idParameter = (resource: Resource): Json =>
  parameterRef(resource.aliases === undefined ? "ResourceId" : `${nameOf(resource.type)}Id`);

/** The parameters that decide which members and related resources an answer has. */
export const shapeParameters = (resource: Resource): Json[] => [
  ...(Object.keys(resource.relationships).length > 0
    ? [parameterRef(`${nameOf(resource.type)}Include`)]
    : []),
  ...typesWithin(resource).map((type) => parameterRef(`${nameOf(type)}Fields`)),
];

export const filterParameters = (parameters: Named, schemas: Named, resource: Resource): Json[] =>
  Object.entries(filtersOf(resource)).map(([name, filter]) =>
    parameters.ref(
      filterParameter(schemas, resource, name, filter),
      `Filter${pascal(name)}`,
      `${nameOf(resource.type)}Filter${pascal(name)}`,
    ),
  );

/** The place and the radius of a list of rows near it. */
export function placeParameters(parameters: Named, { kilometersMax }: Nearby): Json[] {
  const degrees = (maximum: number): Json => ({ type: "number", minimum: -maximum, maximum });
  const radius: Json = { type: "number", minimum: KM_MIN, maximum: kilometersMax };
  const together = "`filter[lat]`, `filter[lng]` and `filter[km]` go together.";
  return [
    parameters.ref(query("filter[lat]", degrees(90), `A latitude. ${together}`), "FilterLat"),
    parameters.ref(query("filter[lng]", degrees(180), `A longitude. ${together}`), "FilterLng"),
    parameters.ref(query("filter[km]", radius, `The largest distance. ${together}`), "FilterKm"),
  ];
}

export const pageParameters: Json[] = [parameterRef("PageNumber"), parameterRef("PageSize")];

export const listParameters = (parameters: Named, schemas: Named, resource: Resource): Json[] => [
  ...filterParameters(parameters, schemas, resource),
  parameterRef(`${nameOf(resource.type)}Sort`),
  parameterRef("PageNumber"),
  parameterRef(pageSizeName(resource)),
  parameterRef("PageAfter"),
  ...shapeParameters(resource),
];

/** An ETag that is the version alone does not identify the bytes of an answer, so it cannot validate a cached copy. */
export const isCached = (resource: Resource): boolean =>
  resource.versionTag === undefined && !hasBriefLink(resource);

export const validators = (resource: Resource): Json[] =>
  isCached(resource) ? [parameterRef("IfNoneMatch")] : [];

export const versionParameter = (resource: Resource): Json =>
  parameterRef(resource.versionTag === undefined ? "IfMatch" : `${nameOf(resource.type)}IfMatch`);

export const keyParameters = (use: KeyUse = "optional"): Json[] =>
  use === "ignored"
    ? []
    : [parameterRef(use === "required" ? "IdempotencyKeyRequired" : "IdempotencyKey")];
