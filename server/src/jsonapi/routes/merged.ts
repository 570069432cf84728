import { ApiError, personMerged } from "../../base/errors.ts";
import { isId, NIL_ID } from "../../base/ids.ts";
import type { Attribute } from "../definition/attributes.ts";
import type { ReadContext, Resource } from "../definition/resource.ts";
import { isObject } from "../request/input.ts";
import { currentIds, keptPersonOf } from "../sql/merged-people.ts";
import { customFieldsIn, isReadable } from "../sql/read.ts";
import { contextOf, type Handler, idIn, type RouteDependencies } from "./steps.ts";

/** Ids of people who were merged. */

/** The routes of one person name the kept person in the 404 for a merged one, if the caller can read the kept person. */
export const namingKept =
  (people: Resource, dependencies: RouteDependencies, handler: Handler): Handler =>
  async (request, reply) => {
    try {
      return await handler(request, reply);
    } catch (error) {
      const id = idIn(request);
      if (!isAbsence(error) || !isId(id)) throw error;
      const context = await contextOf(dependencies, people, request);
      const keptId = await keptPersonOf(context, id);
      if (keptId === undefined || !(await isReadable(context, people, keptId))) throw error;
      throw personMerged(404, keptId);
    }
  };

const isAbsence = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.problems.every(({ code, source }) => code === "not-found" && source === undefined);

// -- Documents -----------------------------------------------------------------------------------------------------

/** The definition of a document, as far as it says where the document names people. */
export interface NamingDocument {
  resource: Resource;
  /** A command has attributes of its own. */
  attributes?: Readonly<Record<string, Attribute>> | undefined;
  /** The document is the linkage of one relationship. */
  isLinkage?: boolean | undefined;
}

/** The ids by which a document can name people. Custom fields are not known yet, so all of their ids count. */
export function namedIds(document: unknown, naming: NamingDocument): readonly string[] {
  const ids = new Set<string>();
  mapPeople(
    document,
    naming,
    () => true,
    (id) => {
      if (isId(id)) ids.add(id);
      return id;
    },
  );
  return [...ids];
}

/** The document with the ids of kept people where it named merged ones, and without those of anonymized ones. The statement that found the caller has read them. */
export async function withKeptPeople(
  context: ReadContext,
  document: unknown,
  naming: NamingDocument,
): Promise<unknown> {
  const { keptIds } = context.actor;
  if (keptIds === undefined) return document;
  const fields = (await customFieldsIn(context, naming.resource))?.fields;
  const isPerson = (name: string) => fields?.get(name)?.type === "person";
  // An anonymized person is absent, as far as the rules of the document know.
  const current = (id: string) => (keptIds.has(id) ? (keptIds.get(id) ?? NIL_ID) : id);
  return mapPeople(document, naming, isPerson, current);
}

/** A request, and the ids by which its document can name people. */
export interface NamingPeople {
  context: ReadContext;
  ids: readonly string[];
}

/**
 * Runs a write. If it failed because it waited for a merge or an anonymization of people whom its document names, another turn
 * finds what became of them.
 */
export async function againAfterMerge<Begun extends NamingPeople, Answer>(
  begin: () => Promise<Begun>,
  finish: (begun: Begun) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const begun = await begin();
    try {
      return await finish(begun);
    } catch (error) {
      if (!mayNameMerged(error) || !(await wereMergedSince(begun))) throw error;
    }
  }
}

/** Whether the error can result from the id of a merged person in the document. */
const mayNameMerged = (error: unknown): boolean =>
  error instanceof ApiError && [403, 422].includes(error.status);

/** Whether people whom the caller names were merged after the caller was found. */
async function wereMergedSince({ context, ids }: NamingPeople): Promise<boolean> {
  const unknown = ids.filter((id) => !context.actor.keptIds?.has(id));
  return unknown.length > 0 && (await currentIds(context, unknown)).size > 0;
}

type MapId = (id: string) => string;

function mapPeople(
  document: unknown,
  { attributes, isLinkage = false, resource }: NamingDocument,
  isPerson: (customField: string) => boolean,
  map: MapId,
): unknown {
  if (isLinkage) return mapLinkage(document, map);
  const schemas = attributes ?? resource.attributes;
  return mapMember(document, "data", (data) => {
    // The ids of authors stay, and documents that name them are as they were read.
    const isWritten = (name: string) =>
      attributes !== undefined || resource.relationships[name]?.writable === true;
    const linked = mapMember(data, "relationships", (relationships) =>
      mapMembers(relationships, (relationship, name) =>
        isWritten(name) ? mapLinkage(relationship, map) : relationship,
      ),
    );
    return mapMember(linked, "attributes", (values) =>
      mapMembers(values, (value, name) =>
        resource.customProperties && name === "custom-properties"
          ? mapMembers(value, (one, field) => (isPerson(field) ? mapText(one, map) : one))
          : mapBySchema(value, schemas[name]?.schema as Shape | undefined, map),
      ),
    );
  });
}

/** The keywords of a schema that lead to the ids in a value. */
interface Shape {
  anyOf?: readonly Shape[];
  format?: string;
  items?: Shape;
  properties?: Readonly<Record<string, Shape>>;
}

function mapBySchema(value: unknown, schema: Shape | undefined, map: MapId): unknown {
  // A nullable value has its own schema and that of null.
  const { format, items, properties } = schema?.anyOf?.[0] ?? schema ?? {};
  if (format === "uuid") return mapText(value, map);
  if (items && Array.isArray(value)) return value.map((one) => mapBySchema(one, items, map));
  if (properties) return mapMembers(value, (one, name) => mapBySchema(one, properties[name], map));
  return value;
}

const mapLinkage = (relationship: unknown, map: MapId): unknown =>
  mapMember(relationship, "data", (data) => {
    const mapOne = (one: unknown) =>
      isObject(one) && one["type"] === "people"
        ? mapMember(one, "id", (id) => mapText(id, map))
        : one;
    return Array.isArray(data) ? data.map(mapOne) : mapOne(data);
  });

const mapText = (value: unknown, map: MapId): unknown =>
  typeof value === "string" ? map(value) : value;

const mapMember = (value: unknown, name: string, map: (member: unknown) => unknown): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? { ...value, [name]: map(value[name]) } : value;

const mapMembers = (value: unknown, map: (member: unknown, name: string) => unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, map(one, name)]))
    : value;
