import { limits } from "../base/limits.ts";
import { type Attribute, schemaOf } from "../jsonapi/definition/attributes.ts";
import type { Words } from "../jsonapi/request/input.ts";
import type { Resource } from "../jsonapi/definition/resource.ts";
import type { Reference, Relationship } from "../jsonapi/definition/relationships.ts";

export type Json = Record<string, unknown>;

export const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
export const schemaRef = (name: string): Json => ref("schemas", name);

/** `course-classes` → `course-class`: one resource of a type. */
export function singular(type: string): string {
  if (type === "people") return "person";
  if (type.endsWith("ies")) return `${type.slice(0, -3)}y`;
  if (type.endsWith("sses")) return type.slice(0, -2);
  return type.replace(/s$/, "");
}

export const pascal = (name: string): string =>
  name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** What schemas and operations about one resource of a type are called. */
export const nameOf = (type: string): string => pascal(singular(type));

/**
 * `type: ["string", "null"]` reads better than an `anyOf` of the two, and says the same. What a schema says of itself are
 * words of an error's sentence; here they stand alone.
 */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, plain(one)]));
  const { description } = copy;
  if (typeof description === "string")
    copy["description"] = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  const [something, nothing] = (copy["anyOf"] ?? []) as Json[];
  if (nothing?.["type"] !== "null" || typeof something?.["type"] !== "string") return copy;
  const { type, enum: values } = something;
  return {
    ...something,
    type: [type, "null"],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}

export const jsonSchemaOf = (attribute: Attribute): Json => plain(schemaOf(attribute)) as Json;

function attributeSchema(of: Words & Pick<Resource, "scopes">, attribute: Attribute): Json {
  const { readableWith, writableWith } = attribute;
  const ownToo = of.scopes?.self === "id" ? ", and to the person themselves" : "";
  const schema = jsonSchemaOf(attribute);
  const notes = [
    schema["description"],
    attribute.description,
    readableWith && `Shown to whoever holds \`${readableWith}\` for the whole church${ownToo}.`,
    writableWith?.kind === "full-administrator" && "Set by full administrators alone.",
    writableWith?.kind === "permission" && `Set by whoever holds \`${writableWith.permission}\`.`,
    attribute.selfEditable && "Everybody may change their own.",
    attribute.onRequest && `Worked out only when \`fields[${of.type}]\` names it.`,
    attribute.detailOnly && "Shown where one resource is read; lists leave it out.",
  ].filter(Boolean);
  return {
    ...schema,
    ...(notes.length > 0 && { description: notes.join(" ") }),
    ...(attribute.mode === "read-only" && { readOnly: true }),
  };
}

const object = (properties: Json, required: readonly string[] = []): Json => ({
  type: "object",
  ...(required.length > 0 && { required }),
  properties,
});

/** An object whose other members the service refuses. */
const closed = (properties: Json, required?: readonly string[]): Json => ({
  ...object(properties, required),
  additionalProperties: false,
});

const text: Json = { type: "string" };
const constant = (value: string): Json => ({ ...text, const: value });

const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: "null" }] });

/** The PUBLIC_URL of the examples. */
export const EXAMPLE_URL = "https://vestry.example";

const url: Json = { type: "string", format: "uri" };
const total: Json = { type: "integer", minimum: 0 };

const document = (data: Json, more: Json = {}, required: readonly string[] = []): Json =>
  object({ jsonapi: schemaRef("JsonApi"), data, ...more }, ["jsonapi", "data", ...required]);

/** Schemas that are about no type in particular. */
export function commonSchemas(types: readonly string[]): Json {
  const names = types.map((type) => [type, schemaRef(nameOf(type))] as const);
  return {
    Id: {
      type: "string",
      format: "uuid",
      description: "Opaque, made by the service.",
    },
    JsonApi: object({ version: { type: "string", const: "1.1" } }, ["version"]),
    Links: {
      ...object({ self: url, related: url }),
      additionalProperties: url,
    },
    PageLinks: object({
      self: url,
      first: url,
      prev: orNull(url),
      next: orNull(url),
      last: url,
    }),
    PageMeta: object(
      {
        total: { ...total, description: "How many there are on all pages together." },
        page: { type: "integer", minimum: 1, description: "Absent with `page[after]`." },
        size: { type: "integer", minimum: 1, maximum: limits.pageSizeMax },
      },
      ["total", "size"],
    ),
    Included: {
      type: "array",
      maxItems: limits.includedMax,
      description: "What `include` asked for, each resource once.",
      items: {
        oneOf: names.map(([, one]) => one),
        discriminator: {
          propertyName: "type",
          mapping: Object.fromEntries(names.map(([type, one]) => [type, one["$ref"]])),
        },
      },
    },
  };
}

/** Everything that is said about one type. */
export function schemasOf(of: Resource): Json {
  const name = nameOf(of.type);
  const type = constant(of.type);
  const identifier = schemaRef(`${name}Identifier`);
  const resource = schemaRef(name);
  const links = schemaRef("Links");
  const meta = object({ total }, ["total"]);
  const included = schemaRef("Included");
  const identifiers: Json = { type: "array", items: identifier };
  const schemas: Json = {
    [name]: {
      ...object(
        {
          type,
          id: schemaRef("Id"),
          attributes: schemaRef(`${name}Attributes`),
          relationships: schemaRef(`${name}Relationships`),
          links,
          meta: object({}),
        },
        ["type", "id", "attributes", "links"],
      ),
      description: of.description,
    },
    // None is required: `fields` leaves out what it does not name.
    [`${name}Attributes`]: object(mapValues(of.attributes, (one) => attributeSchema(of, one))),
    [`${name}Relationships`]: object({
      ...mapValues(of.relationships, ({ kind, target }) =>
        schemaRef(`${nameOf(target)}${kind === "to-one" ? "ToOne" : "ToMany"}`),
      ),
      ...mapValues(of.references ?? {}, referenceSchema),
    }),
    [`${name}Identifier`]: object({ type, id: schemaRef("Id") }, ["type", "id"]),
    [`${name}ToOne`]: object({ data: orNull(identifier), links }, ["data", "links"]),
    [`${name}ToMany`]: {
      ...object({ data: identifiers, links, meta }, ["links"]),
      description: `\`data\` stands where one resource is read and links to at most ${limits.linkageMax}, and where \`include\` asks.`,
    },
    [`${name}Document`]: document(resource, { included, links }, ["links"]),
    [`${name}OrNullDocument`]: document(orNull(resource), { included, links }, ["links"]),
    [`${name}List`]: document(
      { type: "array", maxItems: limits.pageSizeMax, items: resource },
      { included, links: schemaRef("PageLinks"), meta: schemaRef("PageMeta") },
      ["links", "meta"],
    ),
    [`${name}ToOneDocument`]: document(orNull(identifier), { links }, ["links"]),
    [`${name}ToManyDocument`]: document(identifiers, { links, meta }, ["links", "meta"]),
    [`${name}ToOneChange`]: object({ data: orNull(identifier) }, ["data"]),
    [`${name}ToManyChange`]: object(
      { data: { ...identifiers, maxItems: limits.relationshipWriteMax } },
      ["data"],
    ),
  };
  if (of.operations.create) Object.assign(schemas, inputSchemas(of, `New${name}`, true));
  if (of.operations.update) Object.assign(schemas, inputSchemas(of, `${name}Changes`, false));
  return schemas;
}

const referenceSchema = ({ target }: Reference): Json =>
  object(
    {
      data: orNull(
        object({ type: typeof target === "string" ? constant(target) : text, id: text }, [
          "type",
          "id",
        ]),
      ),
    },
    ["data"],
  );

/** The document that makes a resource, or the one that changes it. */
export function inputSchemas(of: Words, name: string, isNew: boolean): Json {
  const attributes = entriesOf(of.attributes).filter(([, one]) => one.mode !== "read-only");
  const relationships = entriesOf(of.relationships).filter(([, one]) => one.writable);
  const requiredAttributes = namesWhere(attributes, (one) => one.mode === "required");
  const requiredRelationships = namesWhere(
    relationships,
    (one) => one.kind === "to-one" && one.required,
  );
  // A change may be the whole resource as it was read, with what only the service sets.
  const members = isNew ? closed : object;
  const required = [
    "type",
    ...(isNew || of.idOptional ? [] : ["id"]),
    ...(isNew && requiredAttributes.length > 0 ? ["attributes"] : []),
    ...(isNew && requiredRelationships.length > 0 ? ["relationships"] : []),
  ];
  const data = object(
    {
      type: constant(of.type),
      ...(!isNew && { id: changedId(of) }),
      attributes: schemaRef(`${name}Attributes`),
      ...(relationships.length > 0 && { relationships: schemaRef(`${name}Relationships`) }),
    },
    required,
  );
  return {
    [name]: object({ data }, ["data"]),
    [`${name}Attributes`]: members(
      Object.fromEntries(attributes.map(([key, one]) => [key, attributeSchema(of, one)])),
      isNew ? requiredAttributes : [],
    ),
    ...(relationships.length > 0 && {
      [`${name}Relationships`]: members(
        Object.fromEntries(relationships.map(([key, one]) => [key, linkageInput(one)])),
        isNew ? requiredRelationships : [],
      ),
    }),
  };
}

/** Or a word for it, as in the path. */
function changedId({ aliases }: Words): Json {
  const words = Object.keys(aliases ?? {}).map(constant);
  return words.length > 0 ? { anyOf: [schemaRef("Id"), ...words] } : schemaRef("Id");
}

function linkageInput(relationship: Relationship): Json {
  const name = nameOf(relationship.target);
  if (relationship.kind === "to-many") return schemaRef(`${name}ToManyChange`);
  return relationship.required
    ? object({ data: schemaRef(`${name}Identifier`) }, ["data"])
    : schemaRef(`${name}ToOneChange`);
}

const entriesOf = <V>(of: Record<string, V>): [string, V][] => Object.entries(of);

const mapValues = <V>(of: Record<string, V>, change: (value: V) => Json): Json =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));

const namesWhere = <V>(entries: readonly [string, V][], is: (value: V) => boolean): string[] =>
  entries.filter(([, value]) => is(value)).map(([name]) => name);
