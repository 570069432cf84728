import { kinds } from "./error-codes.ts";
import { type Json, nameOf, schemaRef, singular } from "./json.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { nameIn, shape } from "./shape.ts";

interface Operation {
  tags: string[];
  operationId: string;
  description?: string;
  security?: Json[];
  parameters?: Json[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Json>;
}

type Content = Record<string, { schema: Json }>;
type Paths = Record<string, Record<string, Operation>>;
type Schemas = Record<string, Json>;

interface Document {
  security: Json[];
  tags: { name: string }[];
  paths: Paths;
  webhooks?: Paths;
  components: Record<
    "headers" | "parameters" | "responses" | "schemas" | "securitySchemes",
    Schemas
  >;
}

const HEADING = `The interface, one fact per line. \`npm run generate\` derives this file from the OpenAPI document that the service
serves at /openapi.json. Descriptions and examples are left out: they stand in the definitions.

Operations   method, path, name, permission, parameters by the names of their components, "in" body, status and response,
             error codes by their kind (server/src/contract/error-codes.ts) and those that differ from it.
             "as listPeople" stands for the parameters of that operation, apart from the id and MetaMay.
Attributes   returned: r, always returned: R, accepted by a create: c, required by a create: C, accepted by an update: u,
             in the snapshots that receivers get: s
Schemas      name?: may be absent, {|…|} rejects other members, <Type> and <type> stand for each type that has the schema
Parameters   ±name in a sort: name and -name. An include lists the first steps, from which longer paths follow.`;

/**
 * The OpenAPI document as lines that a person can review: one per operation, parameter, attribute and relationship. A new
 * type changes thousands of lines of the document itself.
 */
export function listing(served: unknown): string {
  const document = served as Document;
  const { headers, parameters, responses, schemas, securitySchemes } = document.components;
  const subjects = subjectsOf(schemas);
  const operations = located(document.paths);
  const line = operationLine(document, operations);
  const mentions = operations.map((one) => [one.tags[0], JSON.stringify(one)] as const);
  const byTag = Map.groupBy(subjects, (subject) => tagOf(subject, document.tags, mentions));
  const groups = document.tags.map(({ name }): [string, string[]] => [
    name,
    [
      ...operations.filter(({ tags }) => tags[0] === name).map(line),
      ...(byTag.get(name) ?? []).flatMap((subject) => memberLines(schemas, subject)),
    ],
  ]);
  const listed = new Set(subjects.flatMap(partsOf));
  const others = Object.entries(schemas)
    .filter(([name]) => !listed.has(name))
    .map(([name, one]) => [name, withoutSnapshot(one, name)] as const);
  const unplaced = (byTag.get(undefined) ?? []).flatMap((one) => memberLines(schemas, one));
  const sections: [string, string[]][] = [
    ...groups,
    ["Types without operations", unplaced],
    ["Messages to receivers", located(document.webhooks ?? {}).map(line)],
    ["Parameters", lines(parameters, (one, name) => parameterText(schemas, one, name))],
    ["Responses", shared(schemas, subjects, lines(responses, responseText))],
    ["Headers of responses", lines(headers, headerText)],
    ["Schemas", shared(schemas, subjects, lines(Object.fromEntries(others), schemaText))],
    ["Security schemes", lines(securitySchemes, schemeText)],
  ];
  const texts = sections
    .filter(([, one]) => one.length > 0)
    .map(([title, one]) => [title, ...one.map((each) => `  ${each}`)].join("\n"));
  return `${[HEADING, ...texts].join("\n\n")}\n`;
}

const lines = (of: Schemas, text: (one: Json, name: string) => string): string[] =>
  Object.entries(of).map(([name, one]) => `${name}  ${text(one, name)}`.trimEnd());

type Located = Operation & { method: string; path: string };

const located = (paths: Paths): Located[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, method, path })),
  );

/** The line of an operation. Many parameters are named once, at the operation with the shortest path. */
function operationLine(document: Document, all: Located[]): (operation: Located) => string {
  const apart = Object.entries(document.components.parameters)
    .filter(([name, one]) => one["in"] === "path" || name === "MetaMay")
    .map(([name]) => name);
  const namesOf = ({ parameters = [] }: Operation): string[] =>
    parameters.map((one) => ("$ref" in one ? nameIn(one["$ref"]) : `{${parameterText({}, one)}}`));
  const others = (one: Operation) =>
    namesOf(one)
      .filter((name) => !apart.includes(name))
      .join(" ");
  const first = new Map<string, string>();
  const depth = ({ path }: Located) => path.split("/").length;
  for (const one of all.toSorted((a, b) => depth(a) - depth(b))) {
    const names = others(one);
    if (!first.has(names)) first.set(names, one.operationId);
  }
  return (operation) => {
    const { method, operationId, path, requestBody, responses } = operation;
    const names = others(operation);
    const same = first.get(names) ?? operationId;
    return [
      `${method.toUpperCase()} ${path}`,
      operationId,
      needs(operation, document.security),
      ...namesOf(operation).filter((name) => apart.includes(name)),
      same === operationId || names.length < 80 ? names : `as ${same}`,
      requestBody &&
        `in ${requestBody.required ? "" : "optional "}${contentText(requestBody.content)}`,
      ...Object.entries(responses)
        .filter(([status]) => status !== "default")
        .map(([status, one]) => `${status} ${responseText(one)}`.trim()),
      responses["default"] ? errors(operation.description) : "no errors",
    ]
      .filter(Boolean)
      .join(" · ");
  };
}

/** The permission stands in the description, and further security requirements beside it. */
function needs({ description = "", security }: Operation, common: Json[]): string {
  const sentences = [...description.matchAll(/Needs (?:the permission )?(.+?)\.(?:\s|$)/g)];
  const permission = sentences.at(-1)?.[1] ?? "";
  const differs = security && JSON.stringify(security) !== JSON.stringify(common);
  const schemes =
    differs &&
    `(${security.map((one) => Object.keys(one).join("+") || "none").join(" or ") || "no credentials"})`;
  return [permission.replaceAll("`", ""), schemes].filter(Boolean).join(" ");
}

/** The kind of operation whose codes these are, or nearly are, with the differences. */
function errors(description = ""): string {
  const [, list = ""] = description.split("Error codes:");
  const codes = [...list.matchAll(/`([a-z-]+)`/g)].map(([, code = ""]) => code);
  if (list.includes("those of linkage"))
    return ["linkage", ...codes.map((code) => `+${code}`)].join(" ");
  const candidates = Object.entries(kinds).map(([kind, own]) => {
    const usual: string[] = [...own];
    const more = codes.filter((code) => !usual.includes(code)).map((code) => `+${code}`);
    const less = usual.filter((code) => !codes.includes(code)).map((code) => `-${code}`);
    return [kind, ...more, ...less];
  });
  const [nearest = []] = candidates.sort((one, other) => one.length - other.length);
  const text = nearest.length <= codes.length ? nearest.join(" ") : codes.join(" ");
  return `${text}${list.includes("common") ? "" : " only"}`;
}

const contentText = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema }]) => `${type === MEDIA_TYPE ? "" : `${type} `}${shape(schema)}`)
    .join(" or ");

function responseText({ $ref, content, headers = {} }: Json): string {
  if ($ref !== undefined) return nameIn($ref);
  const names = Object.keys(headers as Json);
  return [contentText((content ?? {}) as Content), names.length > 0 && `with ${names.join(" ")}`]
    .filter(Boolean)
    .join(" ");
}

const schemeText = ({ in: place, name, scheme, type }: Json): string =>
  [type, scheme, place, name].filter(Boolean).join(" ");

const headerText = ({ required, schema }: Json): string =>
  `${required ? "" : "optional "}${shape(schema as Json)}`;

function parameterText(schemas: Schemas, parameter: Json, name = ""): string {
  const {
    explode,
    in: place,
    name: wire,
    required,
    schema,
  } = parameter as {
    explode?: boolean;
    in: string;
    name: string;
    required?: boolean;
    schema: Json;
  };
  const values = (schema["items"] as Json | undefined)?.["enum"] as string[] | undefined;
  const text = values
    ? valuesText(schemas, schema, values, name, wire)
    : `${shape(schema)}${explode === false ? " by commas" : ""}`;
  return `${place} ${wire}${required ? " required" : ""}  ${text}`;
}

/** The values of `sort`, `include` and `fields`, which repeat one another. */
function valuesText(
  schemas: Schemas,
  schema: Json,
  values: string[],
  name: string,
  wire: string,
): string {
  if (wire === "include") return values.filter((one) => !one.includes(".")).join(" ");
  if (wire === "sort") {
    const up = values.filter((one) => !one.startsWith("-"));
    const signed = up.map((one) => (values.includes(`-${one}`) ? `±${one}` : one));
    return `${signed.join(" ")} = ${String(schema["default"])}`;
  }
  const type = name.replace(/Fields$/, "");
  const members = [`${type}Attributes`, `${type}Relationships`].flatMap((one) =>
    Object.keys((schemas[one]?.["properties"] ?? {}) as Json),
  );
  return members.length === values.length && values.every((one) => members.includes(one))
    ? `members of ${type}`
    : values.join(" ");
}

/** Long enumerations and objects have a line for each value or member. */
function schemaText(schema: Json, name: string): string {
  const text = shape(schema);
  if (text.length <= 120) return text;
  const { enum: values, properties, ...rest } = schema as { enum?: string[]; properties?: Schemas };
  if (values) return ["one of", ...values].join("\n    ");
  if (!properties || Object.keys(properties).length < 6) return text;
  const members = Object.entries(properties).map(
    ([member, one]) => `${name}.${member}  ${mark("r", schema, member)}  ${shape(one)}`,
  );
  return [shape({ ...rest, required: [], properties: {} }), ...members].join("\n  ");
}

const SCHEMAS_OF_MEMBERS = ["Attributes", "Relationships"];

/** Types and commands by the names of their schemas: `Course` has `CourseAttributes` or `NewCourseAttributes`. */
function subjectsOf(schemas: Schemas): string[] {
  const names = Object.keys(schemas).flatMap((name) => {
    const [, subject] =
      /^(?:New(?=[A-Z]))?(\w+?)(?:Changes)?(?:Attributes|Relationships)$/.exec(name) ?? [];
    return subject === undefined ? [] : [subject];
  });
  return [...new Set(names)].filter((name) => schemas[name] ?? schemas[`New${name}`]);
}

/** The schemas whose members `memberLines` lists. */
const partsOf = (subject: string): string[] =>
  SCHEMAS_OF_MEMBERS.flatMap((part) => [
    `${subject}${part}`,
    `New${subject}${part}`,
    `${subject}Changes${part}`,
  ]);

/** One line per attribute and relationship, with the operations that take or return it. */
function memberLines(schemas: Schemas, subject: string): string[] {
  return SCHEMAS_OF_MEMBERS.flatMap((part) => {
    const read = schemas[`${subject}${part}`];
    const created = schemas[`New${subject}${part}`];
    const changed = schemas[`${subject}Changes${part}`];
    const sent = part === "Attributes" ? snapshotOf(schemas, subject) : undefined;
    const sources = [read, created, changed, sent].map(
      (one) => (one?.["properties"] ?? {}) as Schemas,
    );
    const names = new Set(sources.flatMap((one) => Object.keys(one)));
    return [...names].map((name) => {
      const texts = new Set(sources.flatMap((one) => (one[name] ? [shape(one[name])] : [])));
      const marks = [mark("r", read, name), mark("c", created, name), mark("u", changed, name)];
      if (sent) marks.push(mark("s", sent, name));
      return `${subject}.${name}  ${marks.join("")}  ${[...texts].join(" ← ")}`;
    });
  });
}

const snapshotOf = (schemas: Schemas, subject: string): Json | undefined =>
  (schemas[`${subject}Snapshot`]?.["properties"] as Schemas | undefined)?.["attributes"];

/** A snapshot whose attributes are among the lines of its type. */
function withoutSnapshot(schema: Json, name: string): Json {
  if (!name.endsWith("Snapshot")) return schema;
  const attributes = schemaRef(`${name}Attributes`);
  return { ...schema, properties: { ...(schema["properties"] as Schemas), attributes } };
}

function mark(letter: string, schema: Json | undefined, name: string): string {
  if (!Object.hasOwn((schema?.["properties"] ?? {}) as Json, name)) return "-";
  const required = (schema?.["required"] ?? []) as string[];
  return required.includes(name) ? letter.toUpperCase() : letter;
}

/** The section of a type or command: its own, or that of the first operation that names its schemas. */
function tagOf(
  subject: string,
  tags: Document["tags"],
  mentions: (readonly [tag: string | undefined, operation: string])[],
): string | undefined {
  const own = tags.find(({ name }) => nameOf(name) === subject);
  if (own) return own.name;
  const named = new RegExp(`/(?:New${subject}|${subject}Document|${subject}List)(?:Response)?"`);
  return mentions.find(([, operation]) => named.test(operation))?.[0];
}

/** Equal lines of several types become one line, in which the type has a placeholder. */
function shared(schemas: Schemas, subjects: string[], all: string[]): string[] {
  const longestFirst = subjects
    .toSorted((one, other) => other.length - one.length)
    .map((subject) => {
      const type = typeOf(schemas, subject);
      const names = new RegExp(`\\b(New)?${subject}(?=[A-Z]|\\b)`, "g");
      const generic = (line: string) =>
        line
          .replaceAll(names, "$1<Type>")
          .replaceAll(`"${type}"`, "<type>")
          .replaceAll(`"${singular(type)}.`, '"<type>.');
      return { subject, generic };
    });
  const groups = Map.groupBy(all, (line) => {
    const one = longestFirst.find(
      ({ subject }) => line.startsWith(subject) || line.startsWith(`New${subject}`),
    );
    const text = one?.generic(line) ?? line;
    return /  .*<type>/i.test(text) ? text : line;
  });
  return [...groups].map(([line, [first = "", ...others]]) => (others.length > 0 ? line : first));
}

/** `courses` for `Course`. */
function typeOf(schemas: Schemas, subject: string): string {
  const read = JSON.stringify(schemas[subject] ?? schemas[`New${subject}`]);
  return /"type":\{"type":"string","const":"([a-z-]+)"/.exec(read)?.[1] ?? "";
}
