import { rowsArePeople } from "../access/reach.ts";
import { limits } from "../base/limits.ts";
import { type Attribute, schemaOf } from "../jsonapi/definition/attributes.ts";
import { computedListOf } from "../jsonapi/definition/operations.ts";
import { targetName, withSeveralTypes } from "./several-types.ts";
import { isComputed } from "../jsonapi/definition/members.ts";
import {
  isWritable,
  type Reference,
  type Relationship,
  targetTypes,
} from "../jsonapi/definition/relationships.ts";
import type { Resource } from "../jsonapi/definition/resource.ts";
import type { DocumentMembers } from "../jsonapi/request/input.ts";
import {
  closed,
  complete,
  constant,
  type Json,
  nameOf,
  object,
  orNull,
  pascal,
  schemaRef,
  singular,
  text,
} from "./json.ts";
import type { Named } from "./named.ts";

/**
 * The schema of an attribute as a reader of the document meets it. `type: ["string", "null"]` says the same as an
 * `anyOf` of the two in fewer lines. A schema's description is the end of an error's sentence ("Must be …"), so here it
 * becomes a sentence of its own.
 */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, plain(one)]));
  const { description } = copy;
  if (typeof description === "string")
    copy["description"] = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  const [first, second] = (copy["anyOf"] ?? []) as Json[];
  if (second?.["type"] !== "null" || typeof first?.["type"] !== "string" || isNamed(first))
    return copy;
  return { ...first, type: [first["type"], "null"] };
}

export const jsonSchemaOf = (attribute: Attribute): Json => plain(schemaOf(attribute)) as Json;

/** Generators make a type of these, which needs one name wherever it is used. */
const isNamed = (schema: Json): boolean =>
  Array.isArray(schema["enum"]) || "properties" in schema || "title" in schema;

/** Moves a schema that needs a name into the components, and those within it that have a `title`. */
function named(schemas: Named, schema: Json, name: string): Json {
  if (Array.isArray(schema["anyOf"])) {
    const [first, ...others] = schema["anyOf"] as [Json, ...Json[]];
    return { ...schema, anyOf: [named(schemas, first, name), ...others] };
  }
  if (schema["type"] === "array")
    return { ...schema, items: named(schemas, schema["items"] as Json, singular(name)) };
  const inner = titled(schemas, schema);
  return isNamed(inner) ? schemas.ref(inner, name) : inner;
}

function titled(schemas: Named, schema: Json): Json {
  const { title, ...rest } = schema;
  const copy = Object.fromEntries(
    Object.entries(rest).map(([name, one]) => [name, within(schemas, one)]),
  );
  return typeof title === "string" ? schemas.ref(copy, title) : copy;
}

function within(schemas: Named, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => within(schemas, one));
  return typeof value === "object" && value !== null ? titled(schemas, value as Json) : value;
}

type Described = DocumentMembers & Pick<Resource, "reach" | "reduced">;

/** The member changes without a new version of its resource, and without a row in the feed of changes. */
const COMPUTED = { "x-computed": true };

function attributeSchema(
  schemas: Named,
  resource: Described,
  [name, attribute]: [string, Attribute],
): Json {
  const { alsoWritableWith, readableWith, writableWith } = attribute;
  const ownToo = rowsArePeople(resource.reach) ? ", and to the person themselves" : "";
  const schema = named(schemas, jsonSchemaOf(attribute), nameOf(resource.type) + pascal(name));
  const notes = [
    schema["description"],
    attribute.description,
    readableWith && `Visible only with \`${readableWith}\` for the whole account${ownToo}.`,
    writableWith?.kind === "full-administrator" && "Only a full administrator can set it.",
    writableWith?.kind === "permission" &&
      `Setting it needs \`${writableWith.permissions[0]}\` for the whole account.`,
    alsoWritableWith && `Callers with ${alsoWritableWith.join(" or ")} can set it.`,
    attribute.selfEditable && "A person can change their own.",
    attribute.onRequest && `Returned only when \`fields[${resource.type}]\` names it.`,
    attribute.detailOnly && "Returned for a single resource, not in lists.",
  ].filter(Boolean);
  return {
    ...schema,
    ...(notes.length > 0 && { description: notes.join(" ") }),
    ...(attribute.mode === "read-only" && { readOnly: true }),
    ...(isComputed(resource, name) && COMPUTED),
    ...(attribute.writeOnly && { writeOnly: true }),
    ...(attribute.example !== undefined && { examples: [attribute.example] }),
  };
}

export const attributeSchemas = (
  schemas: Named,
  resource: Described,
  attributes: readonly [string, Attribute][],
): Json =>
  Object.fromEntries(attributes.map((one) => [one[0], attributeSchema(schemas, resource, one)]));

/** The attributes without notes on who can read or set them, which only an API request asks about. */
export const snapshotSchemas = (
  schemas: Named,
  resource: Described,
  attributes: readonly [string, Attribute][],
): Json =>
  Object.fromEntries(
    attributes.map(([name, one]) => [
      name,
      named(schemas, jsonSchemaOf(one), nameOf(resource.type) + pascal(name)),
    ]),
  );

const url: Json = { type: "string", format: "uri" };
const total: Json = { type: "integer", minimum: 0 };

export const documentOf = (data: Json, more: Json = {}, required: readonly string[] = []): Json =>
  object({ jsonapi: schemaRef("JsonApi"), data, ...more }, ["jsonapi", "data", ...required]);

export const pageOf = (
  resource: Json,
  more: Json = {},
  sizeMax: number = limits.pageSizeMax,
): Json =>
  documentOf(
    { type: "array", maxItems: sizeMax, items: resource },
    { ...more, links: schemaRef("PageLinks"), meta: schemaRef("PageMeta") },
    ["links", "meta"],
  );

/** Schemas that every type uses. */
export function commonSchemas(types: readonly string[]): Json {
  const names = types.map((type) => [type, schemaRef(nameOf(type))] as const);
  return {
    Id: { type: "string", format: "uuid", description: "An opaque id, made by the service." },
    JsonApi: object({ version: constant("1.1") }, ["version"]),
    // Without a schema of the other links: TypeScript allows no optional member beside an index of strings.
    Links: { ...object({ self: url, related: url }), additionalProperties: true },
    LinkageMeta: object({ total }, ["total"]),
    Verdict: {
      anyOf: [{ type: "boolean" }, schemaRef("ErrorCode")],
      description:
        "`true`, or the code of the error that the present state causes. `false` if the caller lacks the right.",
    },
    ResourceMeta: {
      ...object({
        etag: {
          ...text,
          description:
            "The ETag of the resource, for `If-Match`. Present in lists and in `included`. A single resource has the header.",
          examples: ['"3"'],
        },
        may: {
          ...complete({
            update: {
              type: "array",
              items: text,
              description:
                "The attributes and relationships that the caller may change, and each custom field as `custom-properties.<field>`.",
            },
            delete: schemaRef("Verdict"),
            actions: {
              type: "object",
              additionalProperties: schemaRef("Verdict"),
              description: "The other acts on the resource, by name.",
            },
          }),
          description: "The rights of the caller, with `meta[may]=true`.",
        },
      }),
      additionalProperties: true,
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
        total: { ...total, description: "The number of resources on all pages." },
        page: { type: "integer", minimum: 1, description: "Absent with `page[after]`." },
        size: { type: "integer", minimum: 1 },
        may: {
          ...complete({
            create: {
              type: "boolean",
              description: "Whether the caller may create a resource of the type at some place.",
            },
          }),
          description: "With `meta[may]=true`.",
        },
      },
      ["total", "size"],
    ),
    Included: {
      type: "array",
      maxItems: limits.includedMax,
      description: "The resources that `include` asked for, each of them once.",
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

/** The linkage of a computed row, which has no links. */
function computedLinkage(relationship: Relationship): Json {
  const identifier = schemaRef(`${targetName(relationship)}Identifier`);
  return "required" in relationship && relationship.required ? identifier : orNull(identifier);
}

/**
 * The schemas of one type; those that no operation uses are removed at the end. No attribute and no relationship is
 * required, because `fields` leaves out those that it does not name.
 */
export function schemasOf(schemas: Named, resource: Resource): Json {
  const name = nameOf(resource.type);
  const type = constant(resource.type);
  const identifier = schemaRef(`${name}Identifier`);
  const schema = schemaRef(name);
  const links = schemaRef("Links");
  const meta = schemaRef("LinkageMeta");
  const included = schemaRef("Included");
  const identifiers: Json = { type: "array", items: identifier };
  const isList = computedListOf(resource) !== undefined;
  const attributes = Object.entries(resource.attributes).filter(([, one]) => !one.writeOnly);
  const relationships = {
    ...mapValues(resource.relationships, (one, member) =>
      isList
        ? complete({ data: computedLinkage(one) })
        : {
            ...schemaRef(`${targetName(one)}${one.kind === "to-one" ? "ToOne" : "ToMany"}`),
            ...(isComputed(resource, member) && COMPUTED),
          },
    ),
    ...mapValues(resource.references ?? {}, referenceSchema),
  };
  const related = Object.keys(relationships).length > 0;
  return {
    [name]: {
      ...object(
        {
          type,
          id: isList ? text : schemaRef("Id"),
          attributes: schemaRef(`${name}Attributes`),
          ...(related && { relationships: schemaRef(`${name}Relationships`) }),
          ...(!isList && { links }),
          meta: resource.unversioned ? object({}) : schemaRef("ResourceMeta"),
        },
        ["type", "id", ...(isList ? [] : ["links"])],
      ),
      description: resource.description,
    },
    [`${name}Attributes`]: object(attributeSchemas(schemas, resource, attributes)),
    ...(related && { [`${name}Relationships`]: object(relationships) }),
    [`${name}Identifier`]: complete({ type, id: schemaRef("Id") }),
    [`${name}ToOne`]: complete({ data: orNull(identifier), links }),
    [`${name}ToMany`]: {
      ...object({ data: identifiers, links, meta }, ["links"]),
      description: `\`data\` is present on a single resource with at most ${limits.linkageMax} links, and wherever \`include\` asks for it.`,
    },
    [`${name}Document`]: documentOf(schema, { included, links }, ["links"]),
    [`${name}OrNullDocument`]: documentOf(orNull(schema), { included, links }, ["links"]),
    [`${name}List`]: pageOf(schema, { included }, resource.pageSizeMax),
    [`${name}ToOneDocument`]: documentOf(orNull(identifier), { links }, ["links"]),
    [`${name}ToManyDocument`]: documentOf(identifiers, { links, meta }, ["links", "meta"]),
    [`${name}ToOneChange`]: closed({ data: orNull(identifier) }, ["data"]),
    [`${name}ToManyChange`]: closed(
      { data: { ...identifiers, maxItems: limits.relationshipWriteMax } },
      ["data"],
    ),
    ...Object.assign({}, ...withSeveralTypes(resource).map(severalSchemas)),
    ...(resource.operations.create && inputSchemas(schemas, resource, `New${name}`, true)),
    ...(resource.operations.update && inputSchemas(schemas, resource, `${name}Changes`, false)),
  };
}

/** The schemas of a to-one relationship that leads to resources of several types. */
function severalSchemas(relationship: Relationship): Json {
  const name = targetName(relationship);
  const names = targetTypes(relationship).map(nameOf);
  const links = schemaRef("Links");
  const identifier = { oneOf: names.map((one) => schemaRef(`${one}Identifier`)) };
  return {
    [`${name}Identifier`]: identifier,
    [`${name}ToOne`]: complete({ data: orNull(identifier), links }),
    [`${name}ToOneDocument`]: documentOf(orNull(identifier), { links }, ["links"]),
    [`${name}ToOneChange`]: closed({ data: orNull(identifier) }, ["data"]),
    [`${name}OrNullDocument`]: documentOf(
      orNull({ oneOf: names.map((one) => schemaRef(one)) }),
      { included: schemaRef("Included"), links },
      ["links"],
    ),
  };
}

const referenceSchema = ({ target }: Reference): Json =>
  complete({
    data: orNull(
      complete({ type: typeof target === "string" ? constant(target) : text, id: text }),
    ),
  });

/** The body of a request that creates a resource, or of one that changes it. */
export function inputSchemas(
  schemas: Named,
  resource: Described,
  name: string,
  isNew: boolean,
): Json {
  const attributes = Object.entries(resource.attributes).filter(
    ([, one]) => one.mode !== "read-only" && !(isNew ? one.onlyChanged : one.onlyCreated),
  );
  const relationships = Object.entries(resource.relationships).filter(([, one]) =>
    isWritable(one, isNew ? "new" : "existing"),
  );
  const requiredAttributes = namesWhere(attributes, (one) => one.mode === "required");
  const requiredRelationships = namesWhere(relationships, (one) => one.required === true);
  const required = [
    "type",
    ...(isNew || resource.idOptional ? [] : ["id"]),
    ...(isNew && requiredAttributes.length > 0 ? ["attributes"] : []),
    ...(isNew && requiredRelationships.length > 0 ? ["relationships"] : []),
  ];
  const data = closed(
    {
      type: constant(resource.type),
      ...(!isNew && { id: changedId(resource) }),
      attributes: schemaRef(`${name}Attributes`),
      ...(relationships.length > 0 && { relationships: schemaRef(`${name}Relationships`) }),
    },
    required,
  );
  return {
    [name]: closed({ data }, ["data"]),
    [`${name}Attributes`]: closed(
      attributeSchemas(schemas, resource, attributes),
      isNew ? requiredAttributes : [],
    ),
    ...(relationships.length > 0 && {
      [`${name}Relationships`]: closed(
        Object.fromEntries(relationships.map(([key, one]) => [key, linkageInput(one)])),
        isNew ? requiredRelationships : [],
      ),
    }),
  };
}

/** The id, or one of its aliases as in the path. */
function changedId({ aliases }: DocumentMembers): Json {
  const names = Object.keys(aliases ?? {}).map(constant);
  return names.length > 0 ? { anyOf: [schemaRef("Id"), ...names] } : schemaRef("Id");
}

function linkageInput(relationship: Relationship): Json {
  const name = targetName(relationship);
  if (relationship.kind === "to-many") return schemaRef(`${name}ToManyChange`);
  return relationship.required
    ? closed({ data: schemaRef(`${name}Identifier`) }, ["data"])
    : schemaRef(`${name}ToOneChange`);
}

const mapValues = <V>(of: Record<string, V>, change: (value: V, name: string) => Json): Json =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value, name)]));

const namesWhere = <V>(entries: readonly [string, V][], is: (value: V) => boolean): string[] =>
  entries.filter(([, value]) => is(value)).map(([name]) => name);
