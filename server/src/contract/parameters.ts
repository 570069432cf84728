import { limits } from "../base/limits.ts";
import type { Filter } from "../jsonapi/definition/filters.ts";
import { type Json, nameOf, ref } from "./schemas.ts";
import { filtersOf, sortsOf } from "../jsonapi/request/query.ts";
import {
  type Catalogue,
  type KeyUse,
  membersOf,
  type Resource,
  targetOf,
} from "../jsonapi/definition/resource.ts";

const parameterRef = (name: string): Json => ref("parameters", name);

const query = (name: string, schema: Json, description: string): Json => ({
  name,
  in: "query",
  description,
  schema,
  // Several values stand in one parameter, separated by commas.
  ...(schema["type"] === "array" && { style: "form", explode: false }),
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
  "Any text, new for each intention. Within 24 hours the same request with the same key has no second effect and is answered as the first was; another request with it is answered 409.",
);

const pageSize = (size: number): Json =>
  query(
    "page[size]",
    { type: "integer", minimum: 1, maximum: limits.pageSizeMax, default: size },
    "How many resources a page has.",
  );

/** Parameters that every type shares. */
export const commonParameters: Json = {
  PageNumber: query(
    "page[number]",
    { type: "integer", minimum: 1, maximum: limits.pageNumberMax, default: 1 },
    "Which page.",
  ),
  PageSize: pageSize(limits.pageSizeDefault),
  PageAfter: query(
    "page[after]",
    { type: "string" },
    "Instead of `page[number]`: pages that neither repeat nor skip while others write, each as quick as the first. Empty for the first page; `links.next` has the next. Takes one sort attribute that is never null.",
  ),
  IfMatch: header(
    "If-Match",
    { type: "string" },
    "The ETag that was read, with its quotes. When the resource has changed since, the answer is 409 `stale-version` and nothing is written.",
  ),
  IfNoneMatch: header(
    "If-None-Match",
    { type: "string" },
    "The ETag that was read. When nothing has changed since, the answer is 304 without a body.",
  ),
  IdempotencyKey: idempotencyKey,
  IdempotencyKeyRequired: { ...idempotencyKey, required: true },
};

/** What a value is, and what a row must have to match it. */
function filterSchema(filter: Filter): [Json, string] {
  const many = (items: Json): Json => ({
    type: "array",
    items,
    minItems: 1,
    maxItems: limits.filterValuesMax,
  });
  const instant: Json = {
    type: "string",
    examples: ["2026-03-01T09:30:00.000Z", "2026-03-01"],
  };
  switch (filter.match) {
    case "contains":
      return [{ type: "string" }, "Contains the text; case and accents do not count."];
    case "search":
      return [
        { type: "string" },
        `Contains every word, of ${limits.searchWordsMax} at most; digits alone are looked for in telephone numbers.`,
      ];
    case "equals-text":
      return [
        { type: "string" },
        `Equals the text; case ${filter.by === "fold" ? "and accents do" : "does"} not count.`,
      ];
    case "digits":
      return [{ type: "string" }, "Contains these digits, three at least."];
    case "one-of": {
      const one: Json = { type: "string", enum: [...filter.values] };
      return filter.single ? [one, "Is this."] : [many(one), "Is one of these."];
    }
    case "id": {
      const words =
        filter.column === "id" ? "Has one of these ids." : "Refers to one of these ids.";
      return [many({ type: "string" }), words];
    }
    case "related":
    case "within":
      return [many({ type: "string" }), "Is related to one of these ids."];
    case "boolean":
      return [many({ type: "boolean" }), "Is so, or is not."];
    case "exists":
      return [many({ type: "boolean" }), "Has any, or has none."];
    case "number": {
      const { minimum, maximum } = filter;
      return [many({ type: "integer", minimum, maximum }), "Is one of these numbers."];
    }
    case "at-least":
    case "at-most": {
      const { match, minimum, maximum } = filter;
      const words = match === "at-least" ? "Is this or more." : "Is this or less.";
      return [{ type: "integer", minimum, maximum }, words];
    }
    case "since":
      return [instant, "At this instant or later."];
    case "until":
      return [instant, "At this instant or earlier."];
  }
}

/** Every path `include` understands, at the length the kernel allows. */
function includePaths(
  catalogue: Catalogue,
  of: Resource,
  depth: number = limits.includeDepthMax,
): string[] {
  return Object.entries(of.relationships).flatMap(([name, relationship]) => [
    name,
    ...(depth > 1
      ? includePaths(catalogue, targetOf(catalogue, relationship), depth - 1).map(
          (path) => `${name}.${path}`,
        )
      : []),
  ]);
}

/** The types an answer about this one may hold. */
function typesWithin(of: Resource): string[] {
  const targets = Object.values(of.relationships).map(({ target }) => target);
  const others = new Set(targets.filter((type) => type !== of.type));
  return [of.type, ...[...others].sort()];
}

const filterName = (of: Resource, filter: string) => `${nameOf(of.type)}Filter.${filter}`;

/** What is said once for each type and pointed at by all that take it. */
export function parametersOf(catalogue: Catalogue, of: Resource): Json {
  const name = nameOf(of.type);
  const members = membersOf(of);
  const aliases = Object.keys(of.aliases ?? {}).map((alias) => `\`${alias}\``);
  const paths = includePaths(catalogue, of);
  const sorts = Object.keys(sortsOf(of)).flatMap((sort) => [sort, `-${sort}`]);
  const parameters: Json = {
    [`${name}Id`]: {
      name: "id",
      in: "path",
      required: true,
      description:
        aliases.length > 0 ? `The id, or ${aliases.join(", ")}: the caller's.` : "The id.",
      schema: { type: "string" },
    },
    [`${name}Fields`]: query(
      `fields[${of.type}]`,
      { type: "array", items: { type: "string", enum: members } },
      `The attributes and relationships of ${of.type} to show; all without it.`,
    ),
    [`${name}Include`]: query(
      "include",
      { type: "array", items: { type: "string", enum: paths } },
      `Related resources to send along, at most ${limits.includedMax} of them.`,
    ),
    [`${name}Sort`]: query(
      "sort",
      { type: "array", items: { type: "string", enum: sorts }, default: [of.defaultSort] },
      "What decides the order, the most important first; a minus turns it round.",
    ),
  };
  if (of.pageSize !== undefined) parameters[`${name}PageSize`] = pageSize(of.pageSize);
  if (of.versionTag !== undefined)
    parameters[`${name}IfMatch`] = {
      ...header(
        "If-Match",
        { type: "string", pattern: `^"${of.versionTag}-\\d+"$` },
        "The ETag that was read. Without it the answer is 428 `precondition-required`; when the resource has changed since, it is 409 `stale-version`, and nothing is written.",
      ),
      required: true,
    };
  for (const [filter, one] of Object.entries(filtersOf(of))) {
    const [schema, words] = filterSchema(one);
    parameters[filterName(of, filter)] = query(`filter[${filter}]`, schema, words);
  }
  return parameters;
}

export const idParameter = (of: Resource): Json => parameterRef(`${nameOf(of.type)}Id`);

/** What shapes a document about one resource or many. */
export const shapeParameters = (of: Resource): Json[] => [
  ...(Object.keys(of.relationships).length > 0 ? [parameterRef(`${nameOf(of.type)}Include`)] : []),
  ...typesWithin(of).map((type) => parameterRef(`${nameOf(type)}Fields`)),
];

export const listParameters = (of: Resource): Json[] => [
  ...Object.keys(filtersOf(of)).map((filter) => parameterRef(filterName(of, filter))),
  parameterRef(`${nameOf(of.type)}Sort`),
  parameterRef("PageNumber"),
  parameterRef(of.pageSize === undefined ? "PageSize" : `${nameOf(of.type)}PageSize`),
  parameterRef("PageAfter"),
  ...shapeParameters(of),
];

/** An ETag of the version alone says nothing of the answer: it validates no copy. */
export const isCached = ({ versionTag }: Resource): boolean => versionTag === undefined;

export const validators = (of: Resource): Json[] =>
  isCached(of) ? [parameterRef("IfNoneMatch")] : [];

export const versionParameter = (of: Resource): Json =>
  parameterRef(of.versionTag === undefined ? "IfMatch" : `${nameOf(of.type)}IfMatch`);

export const keyParameters = (use: KeyUse = "optional"): Json[] =>
  use === "ignored"
    ? []
    : [parameterRef(use === "required" ? "IdempotencyKeyRequired" : "IdempotencyKey")];
