import { DAY, now as present } from "../../base/clock.ts";
import { ApiError, type Problem, problem } from "../../base/errors.ts";
import type { Broken } from "../../base/rules.ts";

/** The birthdate and the dates that are compared with it. */
export const dateNames = [
  "birthdate",
  "deathdate",
  "wedding-date",
  "member-since",
  "decision-date",
  "baptism-date",
  "left-at",
] as const;

type DateName = (typeof dateNames)[number];

/** Dates as `YYYY-MM-DD`, which sort as text. */
export type Dates = Readonly<Partial<Record<DateName, string | null>>>;

/** Returns the dates in a change, or undefined if there are none. */
export function datesIn(attributes: Readonly<Record<string, unknown>>): Dates | undefined {
  const sent = dateNames.filter((name) => attributes[name] !== undefined);
  if (sent.length === 0) return undefined;
  return Object.fromEntries(sent.map((name) => [name, attributes[name]]));
}

/**
 * Rejects impossible dates. New dates are compared with stored ones. Weddings and baptisms may be in the future. Births
 * and deaths may be one day ahead because of time zones.
 */
export function impossibleDates(sent: Dates, kept: Dates, now: number): [DateName, Broken][] {
  const impossible: [DateName, Broken][] = [];
  const say = (name: DateName, broken: Broken) => void impossible.push([name, broken]);
  const tomorrow = new Date(now + DAY).toISOString().slice(0, 10);
  for (const name of ["birthdate", "deathdate"] as const)
    if ((sent[name] ?? "") > tomorrow) say(name, { rule: "in-the-future", limit: tomorrow });

  const dates = { ...kept, ...sent };
  const { birthdate } = dates;
  if (!birthdate) return impossible;
  const early = dateNames.filter((name) => (dates[name] ?? birthdate) < birthdate);
  for (const name of early)
    if (sent[name])
      say(name, { rule: "too-early", limit: birthdate, hint: "The person was born then." });
  const [before] = early.filter((name) => !sent[name]);
  const limit = before && dates[before];
  if (limit && sent.birthdate)
    say("birthdate", { rule: "too-late", limit, hint: `It is the date of \`${before}\`.` });
  return impossible;
}

export const dateProblems = (sent: Dates, kept: Dates, now: number): Problem[] =>
  impossibleDates(sent, kept, now).map(([name, broken]) =>
    problem("invalid-attribute", broken, { pointer: `/data/attributes/${name}` }),
  );

export function assertPossibleDates(sent: Dates, kept: Dates): void {
  const problems = dateProblems(sent, kept, present());
  if (problems.length > 0) throw new ApiError(problems);
}
