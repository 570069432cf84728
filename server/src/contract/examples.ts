import type { Attribute } from "../jsonapi/definition/attributes.ts";
import type { Relationship } from "../jsonapi/definition/relationships.ts";
import type { Catalogue } from "../jsonapi/definition/resource.ts";
import { targetOf } from "../jsonapi/definition/targets.ts";
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
          relationships.map(([name, one]) => [
            name,
            linkage(catalogue, one, variants[`${resource.type}/${name}`]),
          ]),
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

/** Examples that change or remove what others need name another resource of the type. */
const variants: Readonly<Record<string, number>> = {
  "person-merges/removed": 1,
  "person-anonymizations/person": 3,
  "cell-closings/cell": 1,
  "cell-reopenings/cell": 2,
  "cell-transfers/memberships": 1,
  "cell-multiplications/parent-cell": 3,
  "cell-multiplications/members": 2,
  "cell-multiplications/leaders": 2,
};

function linkage(catalogue: Catalogue, relationship: Relationship, variant?: number): Json {
  const { type } = targetOf(catalogue, relationship);
  const one = { type, id: exampleId(catalogue, type, variant) };
  return { data: relationship.kind === "to-one" ? one : [one] };
}

/**
 * Every type has one resource in the examples, and some have more, so that examples refer to one another. The demo account
 * has resources with these ids.
 */
export function exampleId({ resources }: Catalogue, type: string, variant = 0): string {
  const number = [...resources.keys()].indexOf(type) + 1;
  return `01980e5c-4a00-7000-800${variant}-${number.toString(16).padStart(12, "0")}`;
}

/** The attribute's own example, or that of its format for a required attribute without one. */
const valueOf = ({ example, mode, schema }: Attribute): unknown =>
  example ?? (mode === "required" ? (schema as { examples?: unknown[] }).examples?.[0] : undefined);

const writable = (resource: DocumentMembers): [string, Attribute][] =>
  Object.entries(resource.attributes).filter(
    ([, one]) => one.mode !== "read-only" && valueOf(one) !== undefined,
  );
