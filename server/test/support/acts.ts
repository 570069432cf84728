import type { Attribute } from "../../src/jsonapi/definition/attributes.ts";
import { columnsByType, isWritable } from "../../src/jsonapi/definition/relationships.ts";
import type { Resource } from "../../src/jsonapi/definition/resource.ts";
import { exampleOf } from "../conformance/furnish.ts";

/** Numbers that look random and are the same in each run. */
export type Dice = (sides: number) => number;

export function dice(seed: number): Dice {
  let state = seed * 2_654_435_761;
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
    return (state >>> 8) % sides;
  };
}

export const anyOf = <T>(roll: Dice, all: readonly T[]): T | undefined => all[roll(all.length)];

export interface RandomAct {
  verb: "create" | "update" | "delete";
  resource: Resource;
}

/** Every act of the catalogue on types that these conditions admit. */
export const actsOf = (
  resources: Iterable<Resource>,
  isAdmitted: (resource: Resource) => boolean,
): RandomAct[] =>
  [...resources]
    .filter(isAdmitted)
    .flatMap((resource) =>
      (["create", "update", "delete"] as const).flatMap((verb) =>
        resource.operations[verb] ? { verb, resource } : [],
      ),
    );

/** A document for an act. `idOf` returns a resource of a type, if there is one. */
export function documentFor(
  roll: Dice,
  { resource, verb }: RandomAct,
  idOf: (type: string) => string | undefined,
): { attributes: Record<string, unknown>; relationships: Record<string, unknown> } {
  const isNew = verb === "create";
  const chances = isNew ? 3 : 4;
  const attributes: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(resource.attributes)) {
    if (one.mode === "read-only" || (isNew ? one.onlyChanged : one.onlyCreated)) continue;
    const isNeeded = isNew && one.mode === "required";
    if (isNeeded || roll(chances) === 0) attributes[name] = valueOf(roll, one);
  }
  const relationships: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(resource.relationships)) {
    if (!isWritable(one, isNew ? "new" : "existing")) continue;
    if (!(isNew && one.required) && roll(isNew ? 2 : chances) > 0) continue;
    const types = "column" in one ? Object.keys(columnsByType(one)) : [one.target];
    const type = anyOf(roll, types) ?? one.target;
    const id = idOf(type);
    const linked = id === undefined ? null : { type, id };
    const isEmpty = !one.required && roll(4) === 0;
    const many = linked ? [linked] : [];
    relationships[name] = { data: one.kind === "to-many" ? many : isEmpty ? null : linked };
  }
  return { attributes, relationships };
}

function valueOf(roll: Dice, attribute: Attribute): unknown {
  const { nullable, schema, storage } = attribute;
  if (nullable && roll(4) === 0) return null;
  const {
    enum: choices,
    maximum,
    minimum,
  } = schema as {
    enum?: unknown[];
    maximum?: number;
    minimum?: number;
  };
  if (choices)
    return anyOf(
      roll,
      choices.filter((one) => one !== null),
    );
  switch (storage) {
    case "boolean":
      return roll(2) === 0;
    case "number":
      return (minimum ?? 0) + roll(Math.min(10, (maximum ?? 1_000) - (minimum ?? 0) + 1));
    case "text": {
      const example = exampleOf(attribute);
      return example === "Text" ? `Text ${roll(1_000)}` : example;
    }
    default:
      return exampleOf(attribute);
  }
}
