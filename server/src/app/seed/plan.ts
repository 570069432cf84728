import { DAY, MINUTE } from "../../base/clock.ts";
import type { Value } from "../../store/insert-rows.ts";
import { languages, type Names } from "./names.ts";
import { BASE_MS, Die, idFrom, kinds, type Seed, seedOf } from "./random.ts";
import { type Shape, type Size, shapesOf } from "./shape.ts";

/** One church to be: everything about it follows from this. */
export interface Plan {
  readonly seed: Seed;
  /** Among the churches of one seeding. */
  readonly index: number;
  readonly shape: Shape;
  readonly accountId: string;
  readonly alias: string;
  readonly churchName: string;
  readonly foundedMs: number;
  readonly language: Names;
  /** The full administrator's e-mail address. */
  readonly administrator: string;
}

export interface SeedOptions {
  size: Size;
  seed: number;
  /** The alias of the one church, or what the aliases of many begin with. */
  prefix: string;
}

const dedications = [
  "Grace Church",
  "Igreja da Esperança",
  "Christuskirche",
  "Iglesia de la Paz",
  "Saint Stephen's",
  "Comunidade da Graça",
  "Lukaskirche",
  "Iglesia El Camino",
] as const;

export function plansOf({ size, seed, prefix }: SeedOptions): Plan[] {
  // Another prefix gives other churches beside these, so it is part of what the ids are drawn from.
  const from = seedOf(`${size}/${prefix}/${seed}`);
  const shapes = shapesOf(size);
  return shapes.map((shape, index) => {
    const die = new Die(from, kinds.account, index, 0);
    const foundedMs = BASE_MS + index * DAY;
    const accountId = idFrom(die, foundedMs);
    const language = die.pick(languages);
    const alias = shapes.length === 1 ? prefix : `${prefix}-${String(index + 1).padStart(3, "0")}`;
    const churchName = `${die.pick(dedications)} ${die.pick(language.cities)}`;
    const administrator = `admin@${alias}.example`;
    return {
      seed: from,
      index,
      shape,
      accountId,
      alias,
      churchName,
      foundedMs,
      language,
      administrator,
    };
  });
}

/** Rows of one table for a church, in the order of its columns. */
export interface Table {
  table: string;
  columns: readonly string[];
  rows: (plan: Plan) => Iterable<readonly Value[]>;
}

/** The id of a row, derived from its kind and number, so that ids need not be stored. */
export const idOf = (plan: Plan, kind: number, index: number): string =>
  idFrom(new Die(plan.seed, kind, plan.index, index), plan.foundedMs + index * MINUTE);
