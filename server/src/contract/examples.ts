import type { Attribute } from "../jsonapi/definition/attributes.ts";
import type { Relationship } from "../jsonapi/definition/relationships.ts";
import { type Catalogue, targetOf } from "../jsonapi/definition/resource.ts";
import type { DocumentMembers } from "../jsonapi/request/input.ts";
import type { Json } from "./json.ts";

/** Request bodies that a reader can send as they are. Their values are the examples of the attributes. */

/** Creates a resource or runs a command: every attribute with an example, and the required relationships. */
export function creationExample(catalogue: Catalogue, resource: DocumentMembers): Json {
  const relationships = Object.entries(resource.relationships).filter(([, one]) => one.required);
  return {
    data: {
      type: resource.type,
      attributes: Object.fromEntries(
        writable(resource)
          .filter(([, one]) => !one.onlyChanged)
          .map(([name, one]) => [name, valueOf(one)]),
      ),
      ...(relationships.length > 0 && {
        relationships: Object.fromEntries(
          relationships.map(([name, one]) => [name, linkage(catalogue, one, "other")]),
        ),
      }),
    },
  };
}

/** Changes one attribute. */
export function changeExample(catalogue: Catalogue, resource: DocumentMembers): Json {
  const [first] = writable(resource).filter(([, one]) => !one.onlyCreated);
  return {
    data: {
      type: resource.type,
      id: exampleId(catalogue, resource.type),
      attributes: first ? { [first[0]]: valueOf(first[1]) } : {},
    },
  };
}

/** To-many linkage of an `other` resource differs from to-one linkage of the same type. */
export function linkage(catalogue: Catalogue, relationship: Relationship, many?: "other"): Json {
  const { type } = targetOf(catalogue, relationship);
  if (relationship.kind === "to-one") return { data: { type, id: exampleId(catalogue, type) } };
  return { data: [{ type, id: exampleId(catalogue, type, many) }] };
}

/** Every type has one resource in the examples, so that they refer to one another. */
export function exampleId({ resources }: Catalogue, type: string, which?: "other"): string {
  const number = [...resources.keys()].indexOf(type) + 1;
  const variant = which === "other" ? "8001" : "8000";
  return `01980e5c-4a00-7000-${variant}-${number.toString(16).padStart(12, "0")}`;
}

/** The attribute's own example, or that of its format for a required attribute without one. */
const valueOf = ({ example, mode, schema }: Attribute): unknown =>
  example ?? (mode === "required" ? (schema as { examples?: unknown[] }).examples?.[0] : undefined);

const writable = (resource: DocumentMembers): [string, Attribute][] =>
  Object.entries(resource.attributes).filter(
    ([, one]) => one.mode !== "read-only" && valueOf(one) !== undefined,
  );
