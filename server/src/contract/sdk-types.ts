import { codes } from "../base/errors.ts";
import type { Attribute } from "../jsonapi/definition/attributes.ts";
import type { Command } from "../jsonapi/definition/command.ts";
import type { Filter } from "../jsonapi/definition/filters.ts";
import { computedListOf } from "../jsonapi/definition/operations.ts";
import {
  isLinkable,
  isWritable,
  type ComputedToOne,
  type Relationship,
  type ToOne,
  targetTypes,
} from "../jsonapi/definition/relationships.ts";
import type { Resource } from "../jsonapi/definition/resource.ts";
import type { WholeCatalogue } from "../jsonapi/definition/whole-catalogue.ts";
import { filtersOf } from "../jsonapi/request/list-filters.ts";
import { sortsOf } from "../jsonapi/request/sorts.ts";
import { ruleType } from "./error-rules.ts";
import { type Json, nameOf, schemaRef } from "./json.ts";
import { type TypeByHand, typesByHand } from "./sdk-by-hand.ts";
import { interfaceOf, type Member, TypeScript, union } from "./typescript.ts";

const HEADING = `// \`npm run generate\` derives this file from the definitions of the service. Do not edit it.

/** A reference to a record. */
export interface Identifier<T extends ResourceType = ResourceType> {
  id: string;
  $type: T;
}

/** The members of every record. */
export interface Base<T extends ResourceType> extends Identifier<T> {
  /** The version. A change that sends it fails if somebody else has changed the record since. */
  $etag?: string;
  $meta?: Meta;
}

/** Facts about a record that are not part of it, such as a secret that is shown once. */
export interface Meta {
  may?: May;
  [name: string]: unknown;
}

/** The changes that the caller may make. Another value than \`true\` is the code of the error. */
export interface May {
  /** The attributes and relationships that the caller may change. */
  update?: string[];
  delete?: boolean | ErrorCode;
  actions?: Record<string, boolean | ErrorCode>;
}

/** A record in a request: the record itself, its identifier or its id. */
export type Reference<T extends ResourceType> = string | { readonly id: string; readonly $type?: T };

/** The subject of an event. A large snapshot omits members, which the event lists. */
export type Snapshot<T extends ResourceType> = Identifier<T> & Partial<Omit<Types[T]["record"], keyof Base<T>>>;

/** One value, or several of which any can match. */
export type AnyOf<V> = V | readonly V[];
`;

/** The file of the SDK with the type of everything that the definitions describe. */
export function sdkTypes(catalogue: WholeCatalogue, document: Json): string {
  const { schemas } = document["components"] as { schemas: Record<string, Json> };
  const types = new TypeScript(schemas);
  const resources = [...catalogue.resources.values()];
  const commands = [...catalogue.commands.values()];
  const byHand = typesByHand(types, catalogue, document);
  const declarations = [
    ...resources.flatMap((one) => resourceTypes(types, one)),
    ...byHand.flatMap((one) => one.declarations),
    ...commands.map((one) => inputType(types, one, `New${nameOf(one.type)}`, true)),
  ];
  for (const name of ["BrowserSession", "PasswordLink", "ErrorFormat", "EventFacts", "MessageMeta"])
    types.of(schemaRef(name));
  return `${[
    HEADING,
    `export type ErrorCode =\n${Object.keys(codes)
      .map((code) => `  | ${JSON.stringify(code)}`)
      .join("\n")};`,
    ruleType(),
    interfaceOf("Types", [
      ...resources.map((one): Member => [one.type, `${nameOf(one.type)}Type`]),
      ...entriesByHand(byHand, false),
    ]),
    "export type ResourceType = keyof Types;",
    interfaceOf(
      "Commands",
      commands.map((one) => [
        one.type,
        `{ answers: ${JSON.stringify(one.answers)}; create: New${nameOf(one.type)} }`,
      ]),
      "An action that is requested by creating it. The answer is a record of another type.",
    ),
    interfaceOf("Actions", entriesByHand(byHand, true), "An action without an answer."),
    interfaceOf(
      "Events",
      eventsOf(catalogue),
      "The types of events and the types of their subjects.",
    ),
    ...declarations,
    ...types.declarations(),
    facts(catalogue, byHand),
  ].join("\n\n")}\n`;
}

const entriesByHand = (byHand: readonly TypeByHand[], actions: boolean): Member[] =>
  byHand
    .filter(({ isAction }) => isAction === actions)
    .map(({ reference, type }) => [type, reference]);

/** The operations of a definition and their names in the SDK. */
const operations = {
  list: "list",
  read: "get",
  create: "create",
  update: "update",
  delete: "delete",
} as const;

function resourceTypes(types: TypeScript, resource: Resource): string[] {
  const name = nameOf(resource.type);
  const { create, update } = resource.operations;
  const record = interfaceOf(
    `${name} extends Base<${JSON.stringify(resource.type)}>`,
    [...attributesOf(types, resource), ...identifiersOf(resource)],
    resource.description,
  );
  const links: Member[] = Object.entries(resource.relationships).map(([key, one]) => [
    key,
    linkType(one),
  ]);
  const does = Object.entries(operations)
    .filter(
      ([key]) => key in resource.operations && resource.operations[key as keyof typeof operations],
    )
    .map(([, one]) => one);
  return [
    interfaceOf(`${name}Type`, [
      ["record", name],
      ["links", `${name}Links`],
      ["filters", resource.operations.list ? `${name}Filters` : "never"],
      ["sorts", resource.operations.list ? union(Object.keys(sortsOf(resource))) : "never"],
      ["create", create ? `New${name}` : "never"],
      ["change", update ? `${name}Changes` : "never"],
      ["does", union(does)],
      [
        "linkable",
        union(
          Object.entries(resource.relationships)
            .filter(([, one]) => one.kind === "to-many" && isLinkable(one) && update !== undefined)
            .map(([key]) => key),
        ),
      ],
      ["files", filesType(resource)],
    ]),
    record,
    interfaceOf(`${name}Links`, links),
    ...(resource.operations.list
      ? [
          interfaceOf(`${name}Filters`, filterMembers(resource), undefined).replace(
            /\}$/,
            `${resource.customProperties ? "  [field: `custom-properties.${string}`]: AnyOf<string | number | boolean> | undefined;\n" : ""}}`,
          ),
        ]
      : []),
    ...(create ? [inputType(types, resource, `New${name}`, true)] : []),
    ...(update ? [inputType(types, resource, `${name}Changes`, false)] : []),
  ];
}

/** Whether every caller who reads a record in full sees the member. Others can lack it. */
const isHidden = ({ reduced }: Resource, name: string): boolean =>
  reduced !== undefined && !(reduced.names ?? reduced.members).includes(name);

function attributesOf(types: TypeScript, resource: Resource): Member[] {
  const schemas = types.membersOf(`${nameOf(resource.type)}Attributes`);
  return Object.entries(resource.attributes)
    .filter(([, one]) => !one.writeOnly)
    .map(([name, attribute]) => {
      const schema = schemas[name] ?? {};
      return [
        name,
        types.of(schema),
        {
          optional: isOptional(resource, name, attribute),
          comment: schema["description"] as string | undefined,
        },
      ];
    });
}

const isOptional = (resource: Resource, name: string, one: Attribute): boolean =>
  Boolean(one.readableWith ?? one.onRequest ?? one.detailOnly) || isHidden(resource, name);

function identifiersOf(resource: Resource): Member[] {
  const own = Object.entries(resource.relationships).map(([name, one]): Member => {
    const identifier = `Identifier<${union(targetTypes(one))}>`;
    if (one.kind === "to-many") return [name, `${identifier}[]`, { optional: true }];
    return [
      name,
      one.required && !outlives(one) ? identifier : `${identifier} | null`,
      { optional: isHidden(resource, name) },
    ];
  });
  const references = Object.entries(resource.references ?? {}).map(
    ([name, { target }]): Member => [
      name,
      `Identifier${typeof target === "string" ? `<${JSON.stringify(target)}>` : ""} | null`,
    ],
  );
  return [...own, ...references];
}

/** The record stays after the resource that it names is deleted. */
const outlives = (one: ToOne | ComputedToOne): boolean =>
  "outlives" in one && one.outlives === true;

const toOneCount = (one: ToOne | ComputedToOne): string =>
  one.required ? (outlives(one) ? "one until deleted" : "one") : "none or one";

/** The number of records, and whether the link can lead to a deleted record. */
function linkType(one: Relationship): string {
  const count = one.kind === "to-many" ? "many" : toOneCount(one);
  const gone = "dangling" in one && one.dangling === true;
  return `{ to: ${union(targetTypes(one))}; count: ${JSON.stringify(count)}; gone: ${gone} }`;
}

const orUndefined = (type: string): string => (type === "unknown" ? type : `${type} | undefined`);

function filterMembers(resource: Resource): Member[] {
  return Object.entries(filtersOf(resource)).map(([name, filter]) => [
    name,
    orUndefined(filterType(filter)),
    { optional: true },
  ]);
}

function filterType(filter: Filter): string {
  switch (filter.match) {
    case "one-of":
      return filter.single ? union(filter.values) : `AnyOf<${union(filter.values)}>`;
    case "id":
    case "related":
    case "within":
      return "AnyOf<string>";
    case "boolean":
    case "exists":
    case "adds":
      return "AnyOf<boolean>";
    case "number":
      return "AnyOf<number>";
    case "at-least":
    case "at-most":
      return "number";
    default:
      return "string";
  }
}

/** The values of a request that creates a record, or of one that changes it. */
function inputType(
  types: TypeScript,
  of: Resource | Command,
  name: string,
  isNew: boolean,
): string {
  const schemas = types.membersOf(`${name}Attributes`);
  const attributes = Object.entries(schemas).map(([key, schema]): Member => {
    const required = isNew && of.attributes[key]?.mode === "required";
    return [
      key,
      required ? types.of(schema) : orUndefined(types.of(schema)),
      { optional: !required, comment: schema["description"] as string | undefined },
    ];
  });
  const links = Object.entries(of.relationships)
    .filter(([, one]) => isWritable(one, isNew ? "new" : "existing"))
    .map(([key, one]): Member => {
      const required = isNew && one.required === true;
      return [
        key,
        required ? referenceType(one) : orUndefined(referenceType(one)),
        { optional: !required },
      ];
    });
  return interfaceOf(name, [...attributes, ...links]);
}

function referenceType(one: Relationship): string {
  const targets = targetTypes(one);
  const reference =
    targets.length > 1
      ? targets.map((type) => `Identifier<${JSON.stringify(type)}>`).join(" | ")
      : `Reference<${union(targets)}>`;
  if (one.kind === "to-many") return `readonly ${reference}[]`;
  return one.required ? reference : `${reference} | null`;
}

function filesType({ files = {} }: Resource): string {
  const members = Object.entries(files).map(
    ([name, { creates, remove }]) =>
      `${JSON.stringify(name)}: { creates: ${creates === undefined ? "never" : JSON.stringify(creates)}; removable: ${remove !== undefined} }`,
  );
  return members.length > 0 ? `{ ${members.join("; ")} }` : "{}";
}

/** Deleted subjects have only an identity. */
const eventsOf = ({ declared: { eventExamples, events } }: WholeCatalogue): Member[] =>
  Object.entries(events)
    .filter(([, { captured }]) => captured)
    .map(([type, { description }]) => {
      const [noun = "", verb] = type.split(".");
      const subject = JSON.stringify(eventExamples[noun]?.type);
      return [
        type,
        verb === "deleted" ? `Identifier<${subject}>` : `Snapshot<${subject}>`,
        { comment: description },
      ];
    });

/** The facts that a client needs at run time. */
function facts({ commands, resources }: WholeCatalogue, byHand: readonly TypeByHand[]): string {
  const all = [
    ...[...resources.values(), ...commands.values()].map((one) => [one.type, factsOf(one)]),
    ...byHand.map((one) => [one.type, one.facts]),
  ];
  return `/** The facts of a type that a client needs at run time. */
export interface Facts {
  /** The types of the targets of the relationships: \`people\`, \`people[]\` or \`households|cells\`. */
  links: Readonly<Record<string, string>>;
  /** The sorts that can be null, which cursors do not support. */
  numbered?: readonly string[];
  files?: readonly string[];
}

export const facts: Readonly<Record<string, Facts>> = ${JSON.stringify(Object.fromEntries(all), null, 1)};`;
}

function factsOf(of: Resource | Command): Json {
  const links = Object.fromEntries(
    Object.entries<Relationship>(of.relationships).map(([name, one]) => [
      name,
      targetTypes(one).join("|") + (one.kind === "to-many" ? "[]" : ""),
    ]),
  );
  if (!("operations" in of)) return { links };
  const sorts = sortsOf(of);
  const isNumbered = (name: string) =>
    computedListOf(of) !== undefined || sorts[name]?.nullable === true;
  const numbered = Object.keys(sorts).filter(isNumbered);
  if (isNumbered(of.defaultSort.replace("-", ""))) numbered.push("");
  const files = Object.keys(of.files ?? {});
  return {
    links,
    ...(of.operations.list && numbered.length > 0 && { numbered }),
    ...(files.length > 0 && { files }),
  };
}
