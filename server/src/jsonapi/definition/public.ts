import { everyVisitor } from "../../access/policy.ts";
import { type Attribute, computed, decimal, describe, optional } from "./attributes.ts";
import { policyOf } from "./operations.ts";
import type { Resource } from "./resource.ts";

/**
 * The view of a type in the public area: the rows and attributes that visitors of a website may read. It has no
 * relationships, and its filters and sorts are only those listed here.
 */
export interface PublicType
  extends Pick<
    Resource,
    | "type"
    | "description"
    | "table"
    | "accountColumn"
    | "attributes"
    | "filters"
    | "nearby"
    | "sorts"
    | "defaultSort"
    | "aliases"
    | "issued"
  > {
  /** An SQL condition: the rows that are public. */
  rows: string;
  /** The default is true. */
  isListed?: boolean;
}

/** The ETag is a hash of the document, because attributes also show other rows. */
export const publicType = ({ isListed = true, ...resource }: PublicType): Resource => ({
  ...resource,
  unversioned: true,
  relationships: {},
  operations: { ...(isListed && { list: everyVisitor }), read: everyVisitor },
});

export const isPublic = ({ operations }: Pick<Resource, "operations">): boolean =>
  Object.values(operations).some((one) => policyOf(one).kind === "public");

/** Some attributes of a type, as its public view shows them. */
export function shown<A extends Record<string, Attribute>, N extends keyof A & string>(
  attributes: A,
  ...names: N[]
): Record<N, Attribute> {
  const entries = names.map((name) => [name, shownAs(name, attributes[name] as Attribute)]);
  return Object.fromEntries(entries) as Record<N, Attribute>;
}

function shownAs(name: string, attribute: Attribute): Attribute {
  if (attribute.readableWith) throw new Error(`${name} is sensitive and cannot be public.`);
  const { column, description, example, expression, nullable, schema, storage } = attribute;
  const given = Object.entries({ column, description, example, expression }).filter(
    ([, value]) => value !== undefined,
  );
  return { schema, storage, nullable, mode: "read-only", ...Object.fromEntries(given) };
}

/**
 * The parts of a definition by which callers find rows near a place. A caller sends the place and the radius as
 * `filter[lat]`, `filter[lng]` and `filter[km]`. Statements join the place as `place`, with nulls if there is none.
 */
export function nearbyIn(columns: { latitude: string; longitude: string }, kilometersMax: number) {
  const distance = `kilometers_between(place.latitude, place.longitude, ${columns.latitude}, ${columns.longitude})`;
  return {
    nearby: { distance, kilometersMax },
    attribute: describe(
      computed(optional(decimal({ minimum: 0 })), `round(${distance}::numeric, 1)::float8`),
      {
        description: "Kilometers from the place of the filter. Null without one.",
      },
    ),
    sort: { column: distance, nullable: true, needsPlace: true },
  } as const;
}
