import { now } from "../ui/clock.ts";
import type { Values } from "./conflict.ts";
import { ofTab } from "./kept.ts";

/** The place of a form: the type and id of its record, and the card. A form for a new record has the id `new`. */
export type DraftPlace = { type: string; id: string; card: string };

/** What was typed, the record that it started from, and the write whose answer has not arrived. */
export type Draft = {
  values: Values;
  base: Values;
  etag?: string | undefined;
  intent?: { body: string; key: string } | undefined;
  /** When it was kept, in milliseconds. */
  at?: number | undefined;
};

/** Drafts of this person in this tab. They end with the log-out, and other people on the device never see them. */
export const drafts = {
  read(place: DraftPlace): Draft | undefined {
    const kept = ofTab.get<unknown>(keyOf(place));
    return isDraft(kept) ? kept : undefined;
  },
  keep: (place: DraftPlace, draft: Draft): boolean =>
    ofTab.set(keyOf(place), { ...draft, at: now() }),
  drop: (place: DraftPlace): void => ofTab.delete(keyOf(place)),
};

const keyOf = ({ type, id, card }: DraftPlace) => `draft.${type}.${id}.${card}`;

const isObject = (value: unknown): value is Values => typeof value === "object" && value !== null;

const isDraft = (value: unknown): value is Draft =>
  isObject(value) && isObject(value["values"]) && isObject(value["base"]);

/** The value at `phones.0.number`. */
export function valueAt(values: unknown, path: string): unknown {
  let at = values;
  for (const step of path.split(".")) at = isObject(at) ? at[step] : undefined;
  return at;
}

/** The values with another one at `phones.0.number`. Objects on the way are made. */
export function withValue(values: Values, path: string, value: unknown): Values {
  return placed(values, path.split("."), value) as Values;
}

function placed(container: unknown, [step, ...more]: string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(container))
    return container.with(Number(step), placed(container[Number(step)], more, value));
  const object = isObject(container) ? container : {};
  return { ...object, [step]: placed(object[step], more, value) };
}

/** As the service stores it: without spaces around texts. An empty text is no value. */
export function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.trim() === "" ? null : value.trim();
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleaned(one)]));
}
