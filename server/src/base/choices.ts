import { nearest } from "./nearest.ts";

/** How what can be chosen is told to whoever chose something else. */

/** More than these nobody reads. */
const LISTED_MAX = 20;
const NEAR_MAX = 3;
/** In names of several words, one of them may be another. */
const SLIPS_MAX = 5;
/** Nobody means a name that is much longer than any there is. */
const GIVEN_LENGTH_MAX = 100;

/** Continues "must be one of": all there is, or of many what `given` may have been meant to be. */
export function choicesFor(values: readonly string[], given: unknown): string {
  if (values.length <= LISTED_MAX) return values.join(", ");
  const near = typeof given === "string" ? meant(values, given) : [];
  const suggested = near.length > 0 ? `, such as ${near.join(", ")}` : "";
  return `${values.length} values that the reference lists${suggested}`;
}

function meant(values: readonly string[], given: string): string[] {
  if (given.length > GIVEN_LENGTH_MAX) return [];
  return nearest(given.toLowerCase(), values, SLIPS_MAX).slice(0, NEAR_MAX);
}
