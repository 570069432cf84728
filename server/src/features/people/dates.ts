import { DAY, now as present } from "../../base/clock.ts";
import { ApiError, type Problem, problem } from "../../base/errors.ts";

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
export function impossibleDates(sent: Dates, kept: Dates, now: number): Problem[] {
  const problems: Problem[] = [];
  const say = (name: DateName, detail: string) =>
    void problems.push(
      problem("invalid-attribute", detail, { pointer: `/data/attributes/${name}` }),
    );
  const tomorrow = new Date(now + DAY).toISOString().slice(0, 10);
  for (const name of ["birthdate", "deathdate"] as const)
    if ((sent[name] ?? "") > tomorrow) say(name, "Must not be in the future.");

  const dates = { ...kept, ...sent };
  const { birthdate } = dates;
  if (!birthdate) return problems;
  const early = dateNames.filter((name) => (dates[name] ?? birthdate) < birthdate);
  for (const name of early)
    if (sent[name]) say(name, `Must not be before the birthdate, ${birthdate}.`);
  const [before] = early.filter((name) => !sent[name]);
  if (before && sent.birthdate) say("birthdate", `Must not be after ${before}, ${dates[before]}.`);
  return problems;
}

export function assertPossibleDates(sent: Dates, kept: Dates): void {
  const problems = impossibleDates(sent, kept, present());
  if (problems.length > 0) throw new ApiError(problems);
}
