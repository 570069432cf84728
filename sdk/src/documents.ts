import { type IncludeTree, isToMany, targetsOf } from "./query.ts";

/** The documents of JSON:API, and the records that the SDK makes from them. */

interface Key {
  type: string;
  id: string;
}

export interface ResourceObject extends Key {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, { data?: Key | Key[] | null }>;
  meta?: Record<string, unknown>;
}

export interface Document {
  data?: ResourceObject | ResourceObject[] | null;
  included?: ResourceObject[];
  links?: Record<string, string | null>;
  meta?: Record<string, unknown>;
}

/** A record of any type. */
export interface AnyRecord {
  id: string;
  $type: string;
  $etag?: string;
  $meta?: Record<string, unknown>;
  [member: string]: unknown;
}

/** Makes records of a document. Related records are nested along the include paths, so the result has no circle. */
export class Decoder {
  readonly #resources = new Map<string, ResourceObject>();

  constructor({ data, included = [] }: Document) {
    for (const one of [data ?? [], included].flat()) this.#resources.set(keyOf(one), one);
  }

  record(
    { attributes, id, meta, relationships, type }: ResourceObject,
    tree: IncludeTree,
  ): AnyRecord {
    const { etag, ...more } = meta ?? {};
    return {
      id,
      $type: type,
      ...(typeof etag === "string" && { $etag: etag }),
      ...(Object.keys(more).length > 0 && { $meta: more }),
      ...attributes,
      ...this.#links(type, relationships ?? {}, tree),
    };
  }

  #links(
    type: string,
    relationships: NonNullable<ResourceObject["relationships"]>,
    tree: IncludeTree,
  ) {
    const links: Record<string, unknown> = {};
    // A caller with a reduced view gets no linkage of an included relationship.
    for (const name of Object.keys(tree)) links[name] = isToMany(type, name) ? [] : null;
    for (const [name, { data }] of Object.entries(relationships)) {
      const nested = (key: Key) => this.#nested(key, tree[name]);
      if (Array.isArray(data)) links[name] = data.map(nested);
      else if (data !== undefined) links[name] = data && nested(data);
    }
    return links;
  }

  #nested(key: Key, tree: IncludeTree | undefined): AnyRecord {
    const resource = tree && this.#resources.get(keyOf(key));
    return resource ? this.record(resource, tree) : { id: key.id, $type: key.type };
  }
}

const keyOf = ({ id, type }: Key): string => `${type} ${id}`;

/** The document of a request. Values that are relationships of the type become linkage. */
export function documentOf(type: string, values: object, id?: string): { data: ResourceObject } {
  const attributes: Record<string, unknown> = {};
  const relationships: Record<string, { data: Key | Key[] | null }> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const targets = targetsOf(type, name);
    if (targets.length === 0) attributes[name] = value;
    else relationships[name] = { data: linkage(targets, value as Reference | null) };
  }
  return {
    data: {
      type,
      ...(id !== undefined && { id }),
      ...(Object.keys(attributes).length > 0 && { attributes }),
      ...(Object.keys(relationships).length > 0 && { relationships }),
    } as ResourceObject,
  };
}

type Reference = string | { id: string; $type?: string };

export function linkage(
  targets: readonly string[],
  value: Reference | readonly Reference[] | null,
): Key | Key[] | null {
  if (value === null) return null;
  return isList(value) ? value.map((one) => keyFor(targets, one)) : keyFor(targets, value);
}

const isList = (value: Reference | readonly Reference[]): value is readonly Reference[] =>
  Array.isArray(value);

function keyFor([type = "", ...others]: readonly string[], value: Reference): Key {
  if (typeof value === "object" && value.$type !== undefined)
    return { type: value.$type, id: value.id };
  if (others.length > 0)
    throw new TypeError(`A link to ${[type, ...others].join(" or ")} needs { id, $type }.`);
  return { type, id: typeof value === "string" ? value : value.id };
}

export const idOf = (value: Reference): string => (typeof value === "string" ? value : value.id);
