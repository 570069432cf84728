import type { TSchema } from "typebox";
import type { Actor } from "../../access/actor.ts";
import { can, reachOf } from "../../access/policy.ts";
import { limits } from "../../base/limits.ts";
import { displayOf } from "../../base/phone-numbers.ts";
import type { FileLinks } from "../../store/files/file-links.ts";
import { isOwn } from "../definition/aliases.ts";
import { type Attribute, isInEvents, type Storage } from "../definition/attributes.ts";
import type { CustomFields } from "../definition/custom-fields.ts";
import {
  ID,
  type Layout,
  layoutOf,
  shownMembers,
  VERSION,
  viewOf,
  views,
} from "../definition/layout.ts";
import { computedListOf } from "../definition/operations.ts";
import { holdsPhones, mapPhones } from "../definition/phones.ts";
import type { Resource } from "../definition/resource.ts";
import type { Extra, Linkage, Row } from "../definition/rows.ts";
import { versionEtag } from "../request/etag.ts";

/**
 * Documents are written as text, directly from the rows. Building a tree of objects for a page of people would take more
 * processor time than all other work of the request (docs/benchmarks.md).
 */

export interface View {
  /** The members named by `fields[type]`. Undefined means all. */
  fields?: ReadonlySet<string> | undefined;
  /** To-many linkage by relationship. Other relationships show only links. */
  linkage?: ReadonlyMap<string, Linkage>;
  extras?: readonly Extra[];
  /** The resource is one of several in its document, so it shows its own ETag in `meta`. */
  isOneOfSeveral?: boolean;
  /** Other members of its `meta`. */
  meta?: Record<string, unknown>;
}

/** The reader decides which sensitive attributes and custom fields are shown. */
export interface Reader {
  actor: Actor;
  publicUrl: string;
  customFields: CustomFields | undefined;
  /** Signs the links to files. Events show none. */
  links?: FileLinks;
  /** For events, which show only what every reader of the account may see, and no links. */
  audience?: "everyone";
}

type Encoder = (value: unknown, reader: Reader) => string;

const encoders: Record<Storage, Encoder> = {
  text: (value) => JSON.stringify(value),
  number: String,
  boolean: String,
  timestamp: (value) => `"${value as string}"`,
  date: (value) => `"${value as string}"`,
  json: String,
  texts: String,
  uuids: String,
  link: (value, { actor, links }) =>
    JSON.stringify(links?.urlOf(actor.accountId, value as string) ?? null),
  file: (value, { actor, links }) => {
    const { url, ...file } = JSON.parse(value as string) as { url: string };
    return JSON.stringify({ ...file, url: links?.urlOf(actor.accountId, url) ?? null });
  },
  phone: (value) => JSON.stringify(displayOf(value as string)),
};

const encoderOf = ({ schema, storage }: Attribute): Encoder =>
  storage === "json" && holdsPhones(schema)
    ? (value) => withDisplays(schema, value as string)
    : encoders[storage];

/** The texts of attributes with telephone numbers, by their schema and what the database has. */
const displayed = new WeakMap<TSchema, Map<string, string>>();

/**
 * The text of a JSON attribute, with the displays of its telephone numbers. It is kept, because grouping the numbers of a page
 * would take a fifth of the processor time of the page.
 */
function withDisplays(schema: TSchema, stored: string): string {
  const texts = displayed.get(schema) ?? new Map<string, string>();
  displayed.set(schema, texts);
  const known = texts.get(stored);
  if (known !== undefined) return known;
  const text = JSON.stringify(mapPhones(schema, JSON.parse(stored), { display: displayOf }));
  if (texts.size >= limits.phoneTextsMax) texts.clear();
  texts.set(stored, text);
  return text;
}

/** The constant parts of a resource's text, built once per type. */
interface Template {
  head: string;
  attributes: {
    name: string;
    key: string;
    index: number;
    attribute: Attribute;
    write: Encoder;
  }[];
  relationships: {
    name: string;
    /** `"teachers":{"links":{"self":"https://…/v1/courses/` … */
    head: string;
    self: string;
    related: string;
    toOneIndex: number | undefined;
    typeIndex: number | undefined;
    target: string;
  }[];
  references: Layout["references"];
  self: string;
}

/** Templates by the address with which links start. A process serves only one address. */
const templates = new WeakMap<Resource, Map<string, Template>>();

function templateOf(resource: Resource, publicUrl: string): Template {
  const byUrl = templates.get(resource) ?? new Map<string, Template>();
  templates.set(resource, byUrl);
  const known = byUrl.get(publicUrl);
  if (known) return known;
  const layout = layoutOf(resource);
  const url = `${publicUrl}/v1/${resource.type}/`;
  const template: Template = {
    head: `{"type":"${resource.type}","id":"`,
    attributes: layout.attributes.map(({ name, attribute, index }) => ({
      name,
      key: `${JSON.stringify(name)}:`,
      index,
      attribute,
      write: encoderOf(attribute),
    })),
    relationships: Object.entries(resource.relationships).map(([name, relationship]) => ({
      name,
      head: `${JSON.stringify(name)}:{"links":{"self":"${url}`,
      self: `/relationships/${name}","related":"${url}`,
      related: `/${name}"}`,
      toOneIndex: layout.toOne.get(name),
      typeIndex: layout.targetTypes.get(name),
      target: relationship.target,
    })),
    references: layout.references,
    self: `"links":{"self":"${url}`,
  };
  byUrl.set(publicUrl, template);
  return template;
}

export const identifier = (type: string, id: string): string => `{"type":"${type}","id":"${id}"}`;

export const identifiers = (type: string, ids: readonly string[]): string =>
  `[${ids.map((id) => identifier(type, id)).join(",")}]`;

const toOne = (type: string, id: string | null): string =>
  `"data":${id === null ? "null" : identifier(type, id)}`;

function toMany(type: string, linkage: Linkage | undefined): string {
  if (!linkage) return "";
  if ("total" in linkage) return `"meta":{"total":${linkage.total}}`;
  return `"data":${identifiers(type, linkage)},"meta":{"total":${linkage.length}}`;
}

/** Sensitive attributes need their permission on the row, for the whole account, or for the reader's own record. */
function mayRead(reader: Reader, resource: Resource, attribute: Attribute, row: Row): boolean {
  const { readableWith } = attribute;
  if (reader.audience === "everyone") return isInEvents(attribute);
  if (!readableWith) return true;
  if (readableWith === resource.reduced?.fullWith) return viewOf(resource, row) === views.full;
  const reach = reachOf(reader.actor, can(readableWith), resource.reach ?? {});
  if (reach === "everything") return true;
  const own = isOwn(resource, reader.actor, row[ID] as string);
  return own && reach.some(({ scope }) => scope === "self");
}

/** The members that a view shows, or those of them that `fields` names. */
const reducedFields = (members: readonly string[], fields: View["fields"]): ReadonlySet<string> =>
  new Set(fields ? members.filter((name) => fields.has(name)) : members);

const written = (value: unknown, write: Encoder, reader: Reader): string =>
  value === null || value === undefined ? "null" : write(value, reader);

export function writeResource(
  resource: Resource,
  row: Row,
  reader: Reader,
  view: View = {},
): string {
  const template = templateOf(resource, reader.publicUrl);
  const id = row[ID] as string;
  const isEvent = reader.audience === "everyone";
  const links = !isEvent && !computedListOf(resource);
  const members = isEvent ? undefined : shownMembers(resource, row);
  const fields = members ? reducedFields(members, view.fields) : view.fields;

  let attributes = "";
  for (const one of template.attributes) {
    if (fields && !fields.has(one.name)) continue;
    if (!mayRead(reader, resource, one.attribute, row)) continue;
    let value = row[one.index];
    if (resource.customProperties && one.name === "custom-properties" && reader.customFields)
      value =
        reader.audience === "everyone"
          ? reader.customFields.shownToAll(value as string)
          : reader.customFields.shownTo(reader.actor, id, value as string);
    attributes += (attributes && ",") + one.key + written(value, one.write, reader);
  }
  for (const { attribute, index, name } of view.extras ?? []) {
    if (fields && !fields.has(name)) continue;
    attributes +=
      (attributes && ",") +
      `${JSON.stringify(name)}:${written(row[index], encoderOf(attribute), reader)}`;
  }

  let relationships = "";
  for (const one of template.relationships) {
    if (fields && !fields.has(one.name)) continue;
    const linkage =
      one.toOneIndex === undefined
        ? toMany(one.target, view.linkage?.get(one.name))
        : toOne(
            one.typeIndex === undefined ? one.target : (row[one.typeIndex] as string),
            row[one.toOneIndex] as string | null,
          );
    if (!links && !linkage) continue;
    relationships += relationships && ",";
    if (links) relationships += one.head + id + one.self + id + one.related + (linkage && ",");
    else relationships += `"${one.name}":{`;
    relationships += `${linkage}}`;
  }
  for (const { index, name, target } of template.references) {
    if (fields && !fields.has(name)) continue;
    const type = typeof target === "string" ? target : (row[target.index] as string);
    relationships += `${relationships && ","}"${name}":{${toOne(type, row[index] as string | null)}}`;
  }

  const meta =
    view.isOneOfSeveral && !resource.unversioned
      ? { etag: versionEtag(resource, versionOf(row)), ...view.meta }
      : view.meta;
  return (
    `${template.head}${id}","attributes":{${attributes}}` +
    (relationships && `,"relationships":{${relationships}}`) +
    (links ? `,${template.self}${id}"}` : "") +
    (meta ? `,"meta":${JSON.stringify(meta)}}` : "}")
  );
}

/** The version of a resource, for its ETag. */
export const versionOf = (row: Row): number => row[VERSION] as number;

const JSONAPI = `"jsonapi":{"version":"1.1"}`;

export interface DocumentParts {
  data: string;
  included?: readonly string[] | undefined;
  meta?: Record<string, unknown>;
  links?: Record<string, string | null>;
}

export function writeDocument(parts: DocumentParts): string {
  return (
    `{${JSONAPI},"data":${parts.data}` +
    (parts.included ? `,"included":[${parts.included.join(",")}]` : "") +
    (parts.meta ? `,"meta":${JSON.stringify(parts.meta)}` : "") +
    (parts.links ? `,"links":${JSON.stringify(parts.links)}` : "") +
    "}"
  );
}
