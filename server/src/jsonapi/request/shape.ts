import { limits } from "../../base/limits.ts";
import { shownMembersOf } from "../definition/members.ts";
import type { Catalogue, Resource } from "../definition/resource.ts";
import { targetOf } from "../definition/targets.ts";
import { doesNotAccept, QueryReader, type RawQuery } from "./query-reader.ts";

/** `include=teachers,lessons.created-by` as a tree. */
export interface IncludeTree {
  [relationship: string]: IncludeTree;
}

/** The parameters that shape a document. */
export interface Shape {
  include: IncludeTree | undefined;
  /** The members to show, by type. An absent type shows all members. */
  fields: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether `meta` shows what the caller may do. */
  may?: boolean;
}

export function parseShape(catalogue: Catalogue, resource: Resource, raw: RawQuery): Shape {
  const reader = new QueryReader(raw);
  const shape = readShape(catalogue, resource, reader);
  reader.finish();
  return shape;
}

/** For the routes of a type itself, whose documents can show in `meta.may` what the caller may do. */
export function parseShapeWithMay(catalogue: Catalogue, resource: Resource, raw: RawQuery): Shape {
  const reader = new QueryReader(raw);
  const shape = { ...readShape(catalogue, resource, reader), may: readMay(reader) };
  reader.finish();
  return shape;
}

export function readMay(reader: QueryReader): boolean {
  const parameter = "meta[may]";
  const value = reader.take(parameter);
  if (value !== undefined && value !== "true")
    reader.report(parameter, { rule: "one-of", allowed: ["true"] });
  return value === "true";
}

/** For routes with one resource where clients may expect a list. The parameters of lists are ignored. */
export function parseShapeOfOne(catalogue: Catalogue, resource: Resource, raw: RawQuery): Shape {
  const { "page[number]": _number, "page[size]": _size, "sort": _sort, ...rest } = raw;
  return parseShape(catalogue, resource, rest);
}

export const wholeShape: Shape = { include: undefined, fields: new Map() };

/** For routes that accept no parameters. */
export function parseNoQuery(_catalogue: Catalogue, _of: Resource, raw: RawQuery): Shape {
  new QueryReader(raw).finish();
  return wholeShape;
}

export function readShape(catalogue: Catalogue, resource: Resource, reader: QueryReader): Shape {
  const include = readInclude(catalogue, resource, reader);
  const fields = new Map<string, ReadonlySet<string>>();
  for (const [type, parameter, value] of reader.takeFamily("fields")) {
    const target = catalogue.resources.get(type);
    if (!target) {
      const hint = `Types: ${[...catalogue.resources.keys()].join(", ")}.`;
      reader.report(parameter, { rule: "unknown", given: type, hint });
      continue;
    }
    const names = value.split(",").filter(Boolean);
    const known = shownMembersOf(target);
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) reader.report(parameter, doesNotAccept(unknown, known));
    fields.set(type, new Set(names));
  }
  return { include, fields };
}

function readInclude(
  catalogue: Catalogue,
  resource: Resource,
  reader: QueryReader,
): IncludeTree | undefined {
  const value = reader.take("include");
  if (value === undefined) return undefined;
  const tree: IncludeTree = {};
  for (const path of value.split(",").filter(Boolean)) {
    const steps = path.split(".");
    if (steps.length > limits.includeDepthMax) {
      reader.report("include", {
        rule: "max-items",
        limit: limits.includeDepthMax,
        hint: `The path ${path} has more relationships.`,
      });
      continue;
    }
    let at = tree;
    let source = resource;
    for (const [depth, step] of steps.entries()) {
      const relationship = Object.hasOwn(source.relationships, step)
        ? source.relationships[step]
        : undefined;
      if (!relationship) {
        const before = steps.slice(0, depth).concat("").join(".");
        const known = Object.keys(source.relationships).map((one) => before + one);
        reader.report("include", doesNotAccept(before + step, known));
        break;
      }
      source = targetOf(catalogue, relationship);
      at = at[step] ??= {};
    }
  }
  return tree;
}
