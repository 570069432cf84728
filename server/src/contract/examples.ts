import { EXAMPLE_URL, type Json, jsonSchemaOf, nameOf } from "./schemas.ts";
import type { Words } from "../jsonapi/request/input.ts";
import { pageSizeOf } from "../jsonapi/request/query.ts";
import { type Catalogue, type Resource, targetOf } from "../jsonapi/definition/resource.ts";
import type { Relationship } from "../jsonapi/definition/relationships.ts";

/** Realistic values of one type: of its attributes as they are read, and what is sent to make or change one. */
export interface ResourceExample {
  attributes?: Json;
  new?: { attributes?: Json; relationships?: readonly string[] };
  changes?: Json;
}

/** The documents that examples show, by the names of their schemas. */
export function examplesOf(catalogue: Catalogue, of: Resource, given: ResourceExample = {}): Json {
  const name = nameOf(of.type);
  const url = `${EXAMPLE_URL}/v1/${of.type}`;
  const resource = resourceExample(catalogue, of, given);
  const identifier = { type: of.type, id: idOf(catalogue, of.type) };
  const self = `${url}/${identifier.id}`;
  const example = (value: Json): Json => ({ value });
  const answered = (value: Json): Json => example({ jsonapi: { version: "1.1" }, ...value });
  const examples: Json = {
    [`${name}Document`]: answered({ data: resource, links: { self } }),
    [`${name}List`]: answered({
      data: [listed(of, resource)],
      meta: { total: 1, page: 1, size: pageSizeOf(of) },
      links: pageLinks(url, pageSizeOf(of)),
    }),
    [`${name}ToOneDocument`]: answered({ data: identifier, links: {} }),
    [`${name}ToManyDocument`]: answered({ data: [identifier], meta: { total: 1 }, links: {} }),
    [`${name}ToOneChange`]: example({ data: identifier }),
    [`${name}ToManyChange`]: example({ data: [identifier] }),
  };
  if (of.operations.create) Object.assign(examples, newExample(catalogue, of, given));
  if (of.operations.update)
    examples[`${name}Changes`] = example({
      data: { ...identifier, attributes: given.changes ?? {} },
    });
  return examples;
}

function resourceExample(catalogue: Catalogue, of: Resource, given: ResourceExample): Json {
  const known: Json = { ...given.new?.attributes, ...given.attributes };
  const id = idOf(catalogue, of.type);
  const url = `${EXAMPLE_URL}/v1/${of.type}/${id}`;
  const attributes: Json = {};
  for (const [name, attribute] of Object.entries(of.attributes))
    if (!attribute.onRequest)
      attributes[name] = Object.hasOwn(known, name)
        ? known[name]
        : valueOf(jsonSchemaOf(attribute));
  const relationships = Object.fromEntries(
    Object.entries(of.relationships).map(([name, relationship]) => [
      name,
      {
        links: {
          self: `${url}/relationships/${name}`,
          related: `${url}/${name}`,
        },
        // The one example of a type is not made of itself.
        ...(relationship.kind === "to-one" &&
          (relationship.target === of.type ? { data: null } : linkageOf(catalogue, relationship))),
      },
    ]),
  );
  const references = Object.entries(of.references ?? {}).map(([name, { target }]) => {
    const type = typeof target === "string" ? target : "people";
    return [name, { data: { type, id: idOf(catalogue, type) } }];
  });
  return {
    type: of.type,
    id,
    attributes,
    relationships: { ...relationships, ...Object.fromEntries(references) },
    links: { self: url },
  };
}

/** What is not shown in lists is not shown in the example of one. */
function listed(of: Resource, resource: Json): Json {
  const attributes = Object.entries(resource["attributes"] as Json).filter(
    ([name]) => !of.attributes[name]?.detailOnly,
  );
  return { ...resource, attributes: Object.fromEntries(attributes) };
}

/** What is sent to make a resource, or as a command. */
export function newExample(catalogue: Catalogue, of: Words, given: ResourceExample = {}): Json {
  const required = Object.entries(of.attributes).filter(([, one]) => one.mode === "required");
  const relationships = Object.entries(of.relationships).filter(
    ([name, one]) =>
      (one.kind === "to-one" && one.required) || given.new?.relationships?.includes(name),
  );
  const value = {
    data: {
      type: of.type,
      attributes: {
        ...Object.fromEntries(required.map(([name, one]) => [name, valueOf(jsonSchemaOf(one))])),
        ...given.new?.attributes,
      },
      ...(relationships.length > 0 && {
        relationships: Object.fromEntries(
          relationships.map(([name, one]) => [name, linkageOf(catalogue, one)]),
        ),
      }),
    },
  };
  return { [`New${nameOf(of.type)}`]: { value } };
}

function linkageOf(catalogue: Catalogue, relationship: Relationship): Json {
  const { type } = targetOf(catalogue, relationship);
  const identifier = { type, id: idOf(catalogue, type) };
  return { data: relationship.kind === "to-one" ? identifier : [identifier] };
}

/** Every type has one resource in the examples, so that they refer to one another. */
function idOf(catalogue: Catalogue, type: string): string {
  const number = [...catalogue.resources.keys()].indexOf(type) + 1;
  return `01980e5c-4a00-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

/** The simplest value of a schema: nothing, where nothing is allowed. */
function valueOf(schema: Json): unknown {
  const type = schema["type"];
  if (Array.isArray(type) && type.includes("null")) return null;
  if (Array.isArray(schema["anyOf"])) return null;
  const [example] = (schema["examples"] ?? schema["enum"] ?? []) as unknown[];
  if (example !== undefined) return example;
  switch (type) {
    case "string":
      return "Text";
    case "integer":
    case "number":
      return schema["minimum"] ?? 0;
    case "boolean":
      return true;
    case "array":
      return [];
    default:
      return {};
  }
}

function pageLinks(url: string, size: number): Json {
  const page = `${url}?page%5Bnumber%5D=1&page%5Bsize%5D=${size}`;
  return { self: page, first: page, prev: null, next: null, last: page };
}
