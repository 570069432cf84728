import { DAY, now as present } from "../../base/clock.ts";
import { ApiError, type Problem, problem } from "../../base/errors.ts";

/** All that is compared with the birthdate, and it. */
const names = [
  "birthdate",
  "deathdate",
  "wedding-date",
  "member-since",
  "decision-date",
  "baptism-date",
  "left-at",
] as const;

type DateName = (typeof names)[number];

/** Days as they are written, `YYYY-MM-DD`: text is in their order. */
export type Dates = Readonly<Partial<Record<DateName, string | null>>>;

/** What of a change are dates, or undefined where none is. */
export function datesIn(attributes: ReadonlyMap<string, unknown>): Dates | undefined {
  const sent = names.filter((name) => attributes.has(name));
  if (sent.length === 0) return undefined;
  return Object.fromEntries(sent.map((name) => [name, attributes.get(name)]));
}

/**
 * What no life has. Judged is what is sent, by what is kept of the rest. A wedding or a baptism may be planned ahead; a birth
 * or a death may be a day ahead of us, since it is tomorrow already somewhere.
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
  const early = names.filter((name) => (dates[name] ?? birthdate) < birthdate);
  for (const name of early)
    if (sent[name]) say(name, `Must not be before the birthdate, ${birthdate}.`);
  const [before] = early.filter((name) => !sent[name]);
  if (before && sent.birthdate) say("birthdate", `Must not be after ${before}, ${dates[before]}.`);
  return problems;
}

export function refuseImpossibleDates(sent: Dates, kept: Dates): void {
  const problems = impossibleDates(sent, kept, present());
  if (problems.length > 0) throw new ApiError(problems);
}
