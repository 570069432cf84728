import { nearest } from "./nearest.ts";

/** For longer lists, the error refers to the reference. */
export const LISTED_MAX = 20;
const SUGGESTED_MAX = 3;
/** In names of several words a whole word may be wrong. */
const SLIPS_MAX = 5;
/** Bounds the work of comparing. No name is nearly as long. */
const GIVEN_LENGTH_MAX = 100;

/** Completes "Must be one of: …". A long list is replaced by the values most similar to `given`. */
export function choicesFor(values: readonly string[], given: unknown): string {
  if (values.length <= LISTED_MAX) return values.join(", ");
  const similar = similarTo(given, values);
  const suggested = similar.length > 0 ? `, such as ${similar.join(", ")}` : "";
  return `${values.length} values that the reference lists${suggested}`;
}

/** A question that follows the sentence about an unknown name, or nothing. */
export function didYouMean(given: unknown, names: readonly string[]): string {
  const [similar] = similarTo(given, names);
  return similar === undefined ? "" : ` Did you mean ${JSON.stringify(similar)}?`;
}

function similarTo(given: unknown, names: readonly string[]): string[] {
  if (typeof given !== "string" || given.length > GIVEN_LENGTH_MAX) return [];
  return nearest(kebabCase(given), names, SLIPS_MAX).slice(0, SUGGESTED_MAX);
}

/** Names are in kebab case. Clients often send them in the case of their own language. */
const kebabCase = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .replaceAll("_", "-")
    .toLowerCase();
