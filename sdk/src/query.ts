import { facts } from "./types.ts";

/** A query of any type. The types of the methods check its names. */
export interface AnyQuery {
  filter?: object | undefined;
  sort?: string | readonly string[] | undefined;
  include?: readonly string[] | undefined;
  fields?: object | undefined;
  page?: { number?: number | undefined; cursor?: string; size?: number | undefined } | undefined;
  meta?: { may?: boolean | undefined } | undefined;
}

export type Parameters = Record<string, string | number | boolean | undefined>;

/** The steps of include paths: `{ cells: { leaders: {} } }`. */
export interface IncludeTree {
  [relationship: string]: IncludeTree;
}

export function includeTree(paths: readonly string[] = []): IncludeTree {
  const tree: IncludeTree = {};
  for (const path of paths) {
    let at = tree;
    for (const step of path.split(".")) at = at[step] ??= {};
  }
  return tree;
}

/** The parameters of the query. Members with the value `undefined` are left out. */
export function parametersOf(type: string, query: AnyQuery): Parameters {
  const { filter = {}, include = [], meta, page, sort } = query;
  const parameters: Parameters = {};
  for (const [name, value] of Object.entries(filter))
    parameters[`filter[${name}]`] = joined(value as Value);
  parameters["sort"] = joined(sort);
  parameters["include"] = include.length > 0 ? include.join(",") : undefined;
  for (const [of, names] of fieldsOf(type, query)) parameters[`fields[${of}]`] = names.join(",");
  parameters["page[number]"] = page?.number;
  parameters["page[after]"] = page?.cursor;
  parameters["page[size]"] = page?.size;
  parameters["meta[may]"] = meta?.may || undefined;
  return parameters;
}

type Value = string | number | boolean | readonly (string | number | boolean)[] | undefined;

const joined = (value: Value): string | number | boolean | undefined =>
  typeof value === "object" ? value.join(",") : value;

/** The chosen fields, with the relationships along the include paths, which the answer needs to nest its records. */
function fieldsOf(type: string, { fields = {}, include }: AnyQuery): Map<string, string[]> {
  const chosen = new Map<string, string[]>();
  for (const [of, names] of Object.entries(fields) as [string, readonly string[] | undefined][])
    if (names) chosen.set(of, [...names]);
  const follow = (types: readonly string[], tree: IncludeTree) => {
    for (const [name, deeper] of Object.entries(tree))
      for (const of of types) {
        const names = chosen.get(of);
        if (names && !names.includes(name)) names.push(name);
        follow(targetsOf(of, name), deeper);
      }
  };
  follow([type], includeTree(include));
  return chosen;
}

function linkOf(type: string, relationship: string): string | undefined {
  const { links } = facts[type] ?? {};
  return links && Object.hasOwn(links, relationship) ? links[relationship] : undefined;
}

/** The types that a relationship leads to. */
export const targetsOf = (type: string, relationship: string): string[] =>
  linkOf(type, relationship)?.replace("[]", "").split("|") ?? [];

export const isToMany = (type: string, relationship: string): boolean =>
  linkOf(type, relationship)?.endsWith("[]") ?? false;

/** Whether pages in this order can follow a cursor, which neither repeats nor skips records. */
export function hasCursor(type: string, { page, sort = "" }: AnyQuery): boolean {
  const [name = "", ...others] = [sort].flat();
  const isNumbered = facts[type]?.numbered?.includes(name.replace(/^-/, "")) ?? false;
  return page?.number === undefined && others.length === 0 && !isNumbered;
}

/** The address of a request. Brackets and commas stay readable. */
export function withQuery(path: string, parameters: Parameters = {}): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  if (pairs.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}
