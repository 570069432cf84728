import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import {
  isLinkable,
  isWritable,
  type Relationship,
  targetTypes,
} from "../../src/jsonapi/definition/relationships.ts";
import type { Catalogue, Resource } from "../../src/jsonapi/definition/resource.ts";
import { exampleOf } from "./furnish.ts";

/** An act of a person on another one: a request, as the definitions describe it. */
export interface Act {
  /** The type and the variant, the same in every account. */
  name: string;
  type: string;
  method: string;
  path: string;
  body: unknown;
}

/** The people of an act, and the resources that it can name. */
export interface Cast {
  /** By their parts in the names of acts: `caller`, `subject`. */
  people: Readonly<Record<string, string>>;
  /** The ids of resources by their types. */
  rows: ReadonlyMap<string, readonly string[]>;
  /** Attributes that an example cannot know, by the type. Each entry is a variant. */
  sends: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** The address at which the caller receives mail. */
  mailbox: string;
}

interface Sent {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, unknown>;
}

const link = (type: string, id: string, kind: Relationship["kind"]) => ({
  data: kind === "to-one" ? { type, id } : [{ type, id }],
});

const leadsToPeople = (one: Relationship) => targetTypes(one).includes("people");

/** Every act that the catalogue offers about the people of a cast. Merges come last, since they remove the subject. */
export function actsOf({ resources }: Catalogue, cast: Cast): readonly Act[] {
  const acts = [...resources.values()].flatMap((resource) =>
    resource.callers === undefined && resource.versionTag === undefined
      ? [...creations(resource, cast), ...changes(resource, cast)]
      : [],
  );
  return [
    ...acts.filter(({ type }) => type !== MERGES),
    ...acts.filter(({ type }) => type === MERGES),
  ];
}

const MERGES = "person-merges";

/** A new resource that names the people, or describes the subject. */
function* creations(resource: Resource, cast: Cast): Generator<Act> {
  const { attributes, operations, relationships, type } = resource;
  if (!operations.create) return;
  const named = Object.entries(relationships).filter(
    ([, one]) => isWritable(one, "new") && leadsToPeople(one),
  );
  const described = cast.sends[type];
  if (named.length === 0 && !described) return;
  const required = Object.entries(attributes).flatMap(([name, one]) =>
    one.mode === "required" ? [[name, exampleOf(one)] as const] : [],
  );
  const variants = (described ?? [{}]).flatMap((sent) => variantsOf(attributes, sent));
  // A document that describes a person names none.
  const nobody: Named[] = described && !named.some(([, one]) => one.required) ? [[]] : [];
  for (const people of [...nobody, ...castings(named, cast)])
    for (const places of placements(resource, cast, people))
      for (const variant of variants) {
        const all = { ...Object.fromEntries(required), ...variant };
        const words = [...people, ...places].map(([name, id]) => `${name}=${wordOf(cast, id)}`);
        yield {
          name: `create ${type} ${[...words, JSON.stringify(variant)].join(" ")}`,
          type,
          method: "POST",
          path: `/v1/${type}`,
          body: {
            data: {
              type,
              attributes: all,
              relationships: linksOf(resource, [...people, ...places]),
            },
          },
        };
      }
}

type Named = readonly (readonly [name: string, id: string])[];

/** The person of a part, or else the position of the id among the rows. Both are the same in every account. */
function wordOf({ people, rows }: Cast, id: string): string {
  const part = Object.entries(people).find(([, one]) => one === id)?.[0];
  if (part !== undefined) return part;
  for (const [type, ids] of rows) if (ids.includes(id)) return `${type}[${ids.indexOf(id)}]`;
  return id;
}

const linksOf = ({ relationships }: Resource, named: Named): Record<string, unknown> =>
  Object.fromEntries(
    named.flatMap(([name, id]) => {
      const one = relationships[name];
      return one ? [[name, link(one.target, id, one.kind)]] : [];
    }),
  );

/** Each person in each relationship to people. Several relationships name different people. */
function castings(named: readonly (readonly [string, Relationship])[], { people }: Cast): Named[] {
  const ids = Object.values(people);
  const [first, second] = named.map(([name]) => name);
  if (first === undefined) return [[]];
  const alone = ids.map((id): Named => [[first, id]]);
  if (second === undefined) return alone;
  const both = ids.flatMap((one) =>
    ids
      .filter((other) => other !== one)
      .map(
        (other): Named => [
          [first, one],
          [second, other],
        ],
      ),
  );
  return named.slice(1).some(([, one]) => one.required) ? both : [...alone, ...both];
}

/** Each row of the cast in the required relationships that name no people. */
function placements({ relationships }: Resource, { rows }: Cast, people: Named): Named[] {
  const isCast = (name: string) => people.some(([one]) => one === name);
  return Object.entries(relationships)
    .filter(
      ([name, one]) =>
        one.required && isWritable(one, "new") && !isCast(name) && !leadsToPeople(one),
    )
    .reduce<Named[]>(
      (placed, [name, { target }]) =>
        placed.flatMap((before) =>
          (rows.get(target) ?? []).map((id): Named => [...before, [name, id] as const]),
        ),
      [[]],
    );
}

type Attributes = Readonly<Record<string, Attribute>>;

const choicesOf = ({ schema }: Attribute): readonly unknown[] =>
  (schema as { enum?: unknown[] }).enum ?? [];

/** The values of a member that give rights, and one that gives none. */
function decisiveValues(one: Attribute): readonly unknown[] {
  const giving = one.changesRights?.values ?? [];
  const choices = choicesOf(one);
  return choices.filter(
    (value, position) => giving.includes(value) || position === choices.length - 1,
  );
}

/** New resources with each value that gives rights, and with each of two ways to do the same. */
function variantsOf(
  attributes: Attributes,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] {
  return Object.entries(attributes).reduce<Record<string, unknown>[]>(
    (variants, [name, one]) => {
      const isSent = one.mode !== "read-only" && !one.onlyChanged && !Object.hasOwn(sent, name);
      const values = one.changesRights ? decisiveValues(one) : choicesOf(one);
      const isVaried = one.changesRights ? one.mode === "required" : values.length === 2;
      if (!isSent || !isVaried) return variants;
      return variants.flatMap((before) => values.map((value) => ({ ...before, [name]: value })));
    },
    [{ ...sent }],
  );
}

/** A change of a resource of the cast that gives something to somebody: a right, an address, a consent, a link. */
function* changes(resource: Resource, { mailbox, people, rows }: Cast): Generator<Act> {
  const { attributes, operations, relationships, type } = resource;
  if (!operations.update) return;
  const isAbout = Object.values(relationships).some(
    (one) => one.kind === "to-one" && isWritable(one, "new") && leadsToPeople(one),
  );
  for (const [position, id] of (rows.get(type) ?? []).entries()) {
    const path = `/v1/${type}/${id}`;
    const patch = (sent: Sent, words: string): Act => ({
      name: `change ${type}[${position}] ${words}`,
      type,
      method: "PATCH",
      path,
      body: { data: { type, id, ...sent } },
    });
    for (const [name, one] of Object.entries(attributes)) {
      if (one.mode === "read-only" || one.onlyCreated || one.writeOnly) continue;
      const values =
        name === "email"
          ? [mailbox]
          : one.changesRights
            ? decisiveValues(one)
            : isAbout && one.storage === "boolean"
              ? [true]
              : [];
      for (const value of values)
        yield patch(
          { attributes: { [name]: value } },
          `${name}=${JSON.stringify(value === mailbox ? "mailbox" : value)}`,
        );
    }
    for (const [name, one] of Object.entries(relationships))
      for (const [part, person] of leadsToPeople(one) ? Object.entries(people) : []) {
        const words = `${name}=${part}`;
        if (one.kind === "to-many" && isLinkable(one))
          yield {
            ...patch({}, words),
            method: "POST",
            path: `${path}/relationships/${name}`,
            body: link("people", person, one.kind),
          };
        else if (one.kind === "to-one" && isWritable(one, "existing"))
          yield patch({ relationships: { [name]: link("people", person, one.kind) } }, words);
      }
  }
}
