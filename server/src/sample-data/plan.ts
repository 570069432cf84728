import { DAY, MINUTE } from "../base/clock.ts";
import { languages, type Names } from "./names.ts";
import { Die, idFrom, type Seed, seedOf } from "./random.ts";
import { type Shape, type Size, shapesOf } from "./shape.ts";

/** An account that will be generated. All its rows follow from this. */
export interface Plan {
  readonly seed: Seed;
  /** Its number among the accounts of one seeding. */
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
  /** Or the number of people in one account. */
  size: Size | number;
  seed: number;
  /** The alias of a single account, or the start of the aliases of several. */
  prefix: string;
}

/** The first day of every account. Ids carry their time, so the day must not change. */
const BASE_MS = Date.UTC(2020, 0, 6);

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
  // Another prefix makes other accounts beside these, so ids depend on it.
  const from = seedOf(`${size}/${prefix}/${seed}`);
  const shapes = shapesOf(size);
  return shapes.map((shape, index) => {
    const die = new Die(from, "accounts", index, 0);
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

/**
 * The id of a row and the random numbers for its values. Both follow from the type and the number of the row, so that no
 * id needs to be stored.
 */
export function draw(plan: Plan, type: string, index: number): { id: string; die: Die } {
  const die = new Die(plan.seed, type, plan.index, index);
  return { id: idFrom(die, plan.foundedMs + index * MINUTE), die };
}

export const idOf = (plan: Plan, type: string, index: number): string => draw(plan, type, index).id;
