import type { Actor } from "../access/actor.ts";
import { sentenceOf } from "../base/rules.ts";
import type { Policy } from "../access/policy.ts";
import { type Condition, isCondition, type Path } from "../access/reach.ts";
import type { Db } from "../store/db.ts";
import { noFiles } from "../store/files/files.ts";
import type { Attribute } from "../jsonapi/definition/attributes.ts";
import type { Command } from "../jsonapi/definition/command.ts";
import type { Filter } from "../jsonapi/definition/filters.ts";
import { accountColumnOf, columnOf } from "../jsonapi/definition/members.ts";
import { policyOf } from "../jsonapi/definition/operations.ts";
import { parseFilter } from "../jsonapi/request/filters.ts";
import { isPublic } from "../jsonapi/definition/public.ts";
import { readPage } from "../jsonapi/sql/list.ts";
import { readOne } from "../jsonapi/sql/read.ts";
import type {
  FileOperation,
  HandwrittenOperation,
  ReadContext,
  Resource,
} from "../jsonapi/definition/resource.ts";
import type { WholeCatalogue } from "../jsonapi/definition/whole-catalogue.ts";
import { StatementBuilder } from "../jsonapi/sql/statement-builder.ts";
import {
  columnsByType,
  type ComputedToOne,
  isLinkable,
  linkPolicyOf,
  isWritable,
  type Reference,
  type Relationship,
  targetTypes,
  type ToOne,
} from "../jsonapi/definition/relationships.ts";
import { filtersOf } from "../jsonapi/request/list-filters.ts";
import { parseListQuery } from "../jsonapi/request/list-query.ts";
import { sortsOf } from "../jsonapi/request/sorts.ts";

/** Explains what the kernel derives from a definition. */
export function explain(catalogue: WholeCatalogue, type: string): string {
  const command = catalogue.commands.get(type);
  if (command) return explainCommand(command);
  const resource = catalogue.resources.get(type) ?? publicTypeOf(catalogue, type);
  if (!resource)
    return `There is no type ${JSON.stringify(type)}. There are:\n${indented(typesOf(catalogue))}`;
  const reader = isPublic(resource) ? "a visitor" : "a full administrator";
  return [
    `${type}: ${resource.description}`,
    section("Stored in", [
      `${resource.table}, the account in ${accountColumnOf(resource)}`,
      ...(resource.rows === undefined ? [] : [`of which ${resource.rows}`]),
    ]),
    section("Callers", resource.callers ? [resource.callers] : []),
    section("ETag", etag(resource)),
    section("Routes", routes(resource)),
    section("Attributes", table(Object.entries(resource.attributes).map(attributeRow(resource)))),
    section(
      "Relationships",
      table(Object.entries(resource.relationships).map(relationshipRow(resource))),
    ),
    section(
      "References",
      table(Object.entries(resource.references ?? {}).map(referenceRow(resource))),
    ),
    section("Filters", [
      ...table(Object.entries(filtersOf(resource)).map(filterRow(resource))),
      ...(resource.customProperties ? ["custom-properties.<field>, by the field's type"] : []),
    ]),
    section(
      "Distances",
      resource.nearby
        ? [`up to ${resource.nearby.kilometersMax} km: ${resource.nearby.distance}`]
        : [],
    ),
    section("Sorts", table(Object.entries(sortsOf(resource)).map(sortRow(resource)))),
    section("Callers whose permission is scoped reach rows by", table(scopeRows(resource))),
    section(
      "Other words for an id",
      Object.keys(resource.aliases ?? {}).map((alias) => `${alias}: the caller's own`),
    ),
    section(
      "Events",
      table(Object.entries(resource.captures ?? {}).map(([when, event]) => [when, event])),
    ),
    section("Rules of the database and their words", table(constraintRows(resource))),
    section(`Reading one, as ${reader}`, readStatements(catalogue, resource)),
    section(
      `Listing, as ${reader}`,
      resource.operations.list ? listStatements(catalogue, resource) : [],
    ),
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** Every word that can be explained. */
export const typesOf = ({ commands, publicTypes, resources }: WholeCatalogue): string[] => [
  ...resources.keys(),
  ...commands.keys(),
  ...[...publicTypes.keys()].map((type) => PUBLIC + type),
];

/** Types of the public area have the names of their types in `/v1`, so they are explained by their paths. */
const PUBLIC = "/p/v1/";

const publicTypeOf = ({ publicTypes }: WholeCatalogue, path: string): Resource | undefined =>
  path.startsWith(PUBLIC) ? publicTypes.get(path.slice(PUBLIC.length)) : undefined;

const explainCommand = (command: Command): string =>
  [
    `${command.type}: ${command.description}`,
    section("Callers", command.callers ? [command.callers] : []),
    section("Routes", [
      [
        "POST",
        `/v1/${command.type}`,
        needs(command.allow),
        `answers ${command.status} with one of ${command.answers}`,
        byHandWords(command),
      ]
        .filter(Boolean)
        .join("  "),
    ]),
    section(
      "Attributes",
      table(Object.entries(command.attributes).map(([name, one]) => [name, typeOf(one), one.mode])),
    ),
    section(
      "Relationships",
      table(
        Object.entries(command.relationships).map(([name, { required, target }]) => [
          name,
          target,
          required ? "required" : "optional",
        ]),
      ),
    ),
  ]
    .filter(Boolean)
    .join("\n\n");

/** The Idempotency-Key and secret of a handwritten operation. */
const byHandWords = ({
  key,
  reveal,
}: Partial<Pick<HandwrittenOperation, "key" | "reveal">>): string =>
  [
    key === "required" && "Idempotency-Key required",
    key === "ignored" && "Idempotency-Key ignored",
    reveal && "shows a secret once",
  ]
    .filter(Boolean)
    .join(", ");

function etag(resource: Resource): string[] {
  if (resource.versionTag !== undefined)
    return [`"${resource.versionTag}-<version>": changes and deletions need it in If-Match`];
  return resource.unversioned ? ['"<hash>": there are no versions'] : [];
}

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`).join("\n");

const section = (title: string, lines: readonly string[]): string =>
  lines.length > 0 ? `${title}\n${indented(lines)}` : "";

/** Columns as wide as their widest cell; the last one as wide as it likes. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function needs(policy: Policy): string {
  if (policy.kind === "public") return "visitors";
  if (policy.kind !== "permission") return policy.kind.replace("-", " ");
  const other = policy.notThrough ? `, not through ${policy.notThrough}` : "";
  return `${policy.permissions.join(" or ")}${other}`;
}

function routes(resource: Resource): string[] {
  const { list, create, read, update, delete: remove } = resource.operations;
  const path = `${isPublic(resource) ? "/p" : ""}/v1/${resource.type}`;
  const row = (
    method: string,
    at: string,
    operation: Policy | HandwrittenOperation | FileOperation | undefined,
  ) =>
    operation
      ? [
          [
            method,
            at,
            needs(policyOf(operation)),
            "types" in operation
              ? "a file"
              : "allow" in operation
                ? ["written by hand", byHandWords(operation)].filter(Boolean).join(", ")
                : "",
          ],
        ]
      : [];
  const links = Object.entries(resource.relationships).flatMap(([name, relationship]) => {
    const linkage = `${path}/:id/relationships/${name}`;
    const changes = relationship.kind === "to-one" ? ["PATCH"] : ["PATCH", "POST", "DELETE"];
    return [
      ...row("GET", `${path}/:id/${name}`, read),
      ...row("GET", linkage, read),
      ...(isLinkable(relationship) && read
        ? changes.flatMap((method) => row(method, linkage, linkPolicyOf(relationship) ?? update))
        : []),
    ];
  });
  const files = Object.entries(resource.files ?? {}).flatMap(([name, one]) => [
    ...row(one.creates === undefined ? "PUT" : "POST", `${path}/:id/${name}`, one),
    ...(one.remove ? row("DELETE", `${path}/:id/${name}`, one) : []),
  ]);
  return table([
    ...row("GET", path, list),
    ...row("POST", path, create),
    ...row("GET", `${path}/:id`, read),
    ...row("PATCH", `${path}/:id`, update),
    ...row("DELETE", `${path}/:id`, remove),
    ...files,
    ...links,
  ]);
}

const attributeRow =
  (resource: Resource) =>
  ([name, attribute]: [string, Attribute]): string[] => [
    name,
    typeOf(attribute),
    attribute.mode,
    [
      attribute.readableWith && `read with ${attribute.readableWith}`,
      attribute.writableWith && `written by ${needs(attribute.writableWith)}`,
      attribute.selfEditable && "written by oneself",
      attribute.onRequest && `only in fields[${resource.type}]`,
      attribute.detailOnly && "not in lists",
      attribute.writeOnly && "never returned",
    ]
      .filter(Boolean)
      .join(", "),
    readFrom(name, attribute),
  ];

function readFrom(name: string, attribute: Attribute): string {
  if (attribute.writeOnly) return "";
  return attribute.expression?.replaceAll(/\s+/g, " ") ?? columnOf(name, attribute);
}

function typeOf({ schema, storage, nullable }: Attribute): string {
  const { type, format } = schema as { type?: string; format?: string };
  return `${format ?? type ?? storage}${nullable ? " or null" : ""}`;
}

const relationshipRow =
  (resource: Resource) =>
  ([name, relationship]: [string, Relationship]): string[] => [
    name,
    relationship.kind,
    targetTypes(relationship).join(" or "),
    writableIn(relationship),
    relationship.kind === "to-one"
      ? sourceOf(resource, relationship)
      : `${relationship.table}: ${relationship.from} → ${relationship.to}${whereOf(relationship.where)}`,
  ];

function writableIn(relationship: Relationship): string {
  if (!relationship.writable) return "link only";
  return isWritable(relationship, "existing") ? "writable" : "set at creation";
}

const sourceOf = ({ table }: Resource, one: ToOne | ComputedToOne): string =>
  "expression" in one
    ? one.expression.replaceAll(/\s+/g, " ")
    : Object.values(columnsByType(one))
        .map((column) => `${table}.${column}`)
        .join(" or ");

const referenceRow =
  (resource: Resource) =>
  ([name, { column, target }]: [string, Reference]): string[] => [
    name,
    typeof target === "string" ? target : `the type in ${resource.table}.${target.column}`,
    `${resource.table}.${column}`,
  ];

const whereOf = (where: Record<string, string | readonly string[]> | undefined): string =>
  where
    ? ` where ${Object.entries(where)
        .map(([column, value]) => `${column} = ${[value].flat().join(" or ")}`)
        .join(" and ")}`
    : "";

/** A value that the filter takes, so that the condition it leads to can be shown. */
function sampleOf(filter: Filter): string {
  switch (filter.match) {
    case "contains":
    case "search":
    case "equals-text":
      return "text";
    case "near":
      return "-22.9,-47.06,5";
    case "digits":
      return "123";
    case "one-of":
      return filter.values[0] ?? "";
    case "id":
    case "related":
    case "within":
      return "01980e5c-4a00-7000-8000-000000000001";
    case "boolean":
    case "exists":
    case "adds":
      return "true";
    case "number":
    case "at-least":
    case "at-most":
      return String(filter.minimum);
    case "since":
    case "until":
    case "from":
    case "to":
      return "2026-01-01";
    case "day-from":
    case "day-to":
      return "12-28";
  }
}

const filterRow =
  (resource: Resource) =>
  ([name, filter]: [string, Filter]): string[] => {
    const condition = parseFilter(filter, sampleOf(filter), { table: resource.table }, name, []);
    return [name, filter.match, condition?.(new StatementBuilder("")) ?? ""];
  };

const sortRow =
  (resource: Resource) =>
  ([name, sort]: [string, Resource["sorts"][string]]): string[] => [
    name,
    sort.column,
    [
      sort.nullable ? "may be null: no page[after]" : "",
      sort.needsPlace ? "needs a place" : "",
      sort.descending ? "largest first" : "",
      resource.defaultSort.replace(/^-/, "") === name ? "unless the caller says otherwise" : "",
    ]
      .filter(Boolean)
      .join(", "),
  ];

const scopeRows = (resource: Resource): string[][] =>
  Object.entries(resource.reach ?? {}).flatMap(([scope, paths]) =>
    [paths].flat().map((path) => [scope, pathText(resource, path)]),
  );

function pathText(resource: Resource, path: Path | Condition): string {
  const where = path.where === undefined ? "" : ` where ${path.where.replaceAll(/\s+/g, " ")}`;
  if (isCondition(path)) return where.trim();
  const notes = `${path.below ? `, and all below by ${path.below.table}` : ""}${path.readOnly ? ", only reads" : ""}`;
  if ("column" in path) return `${resource.table}.${path.column}${where}${notes}`;
  return `${path.table}: ${path.from} → ${path.to}${where}${notes}`;
}

const constraintRows = (resource: Resource): string[][] =>
  Object.entries(resource.constraints ?? {}).map(([name, words]) => [
    name,
    words.code ?? "invalid-attribute",
    words.pointer,
    "breaks" in words ? sentenceOf(words.breaks) : words.detail,
  ]);

/** The caller whose statements are shown: one who reaches everything. */
const everybodysEyes: Actor = {
  accountId: "",
  accountVersion: 0,
  personId: "",
  tokenId: "",
  administrativeStatus: "full-administrator",
  assignments: [],
};

/**
 * The statements a read sends, word for word: the kernel is run on a database that writes down what it is asked and
 * finds nothing. It asks before it first waits, so that they are there when the call returns.
 */
function statementsOf(catalogue: WholeCatalogue, read: (context: ReadContext) => Promise<unknown>) {
  const sent: string[] = [];
  const db = {
    async queryArrays(text: string) {
      sent.push(text);
      return [];
    },
  } as unknown as Db;
  const actor = everybodysEyes;
  const context = {
    db,
    catalogue,
    actor,
    publicUrl: "",
    files: noFiles,
    customFieldsOf: async () => undefined,
  };
  read(context).catch(() => undefined);
  return sent;
}

const readStatements = (catalogue: WholeCatalogue, resource: Resource): string[] =>
  statementsOf(catalogue, (context) =>
    readOne(context, resource, "", { include: undefined, fields: new Map() }),
  );

function listStatements(catalogue: WholeCatalogue, resource: Resource): string[] {
  const custom = { actor: everybodysEyes, customFields: undefined };
  const query = parseListQuery(catalogue, resource, {}, custom);
  return statementsOf(catalogue, (context) => readPage(context, resource, query));
}
