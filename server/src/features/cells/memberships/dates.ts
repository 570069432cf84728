import { ApiError, notAllowedHere, type Problem, refuse } from "../../../base/errors.ts";
import type { Broken } from "../../../base/rules.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import type { MembershipValues } from "./fields.ts";
import type { MembershipStatus } from "./statuses.ts";

export interface Days {
  today: string;
  tomorrow: string;
}

export async function daysOf({ actor, db }: Pick<WriteContext, "actor" | "db">): Promise<Days> {
  const [row] = await db<Days[]>`
    select today::text, (today + 1)::text as tomorrow from today_in(${actor.accountId}) as today`;
  return row ?? { today: "", tomorrow: "" };
}

/**
 * Rejects impossible dates. Dates may be one day ahead of the account's, because members live in several time zones.
 */
export function dateProblems(
  attributes: MembershipValues,
  status: MembershipStatus,
  { tomorrow }: Days,
): Problem[] {
  const problems: Problem[] = [];
  const report = (name: string, broken: Broken) =>
    refuse(problems, "invalid-attribute", broken, `/data/attributes/${name}`);
  for (const name of ["joined-on", "left-on"] as const)
    if ((attributes[name] ?? "") > tomorrow)
      report(name, { rule: "in-the-future", limit: tomorrow });
  for (const name of ["left-on", "left-reason"] as const) {
    const value = attributes[name];
    if (status === "active" && value)
      report(name, notAllowedHere("An active membership has none."));
    if (status === "left" && value === null) report(name, { rule: "required" });
  }
  return problems;
}

/** Adds the day and the reason of an end that the document omits, and rejects impossible dates. */
export async function completeDates(
  context: WriteContext,
  attributes: MembershipValues,
  { ends, status }: { status: MembershipStatus; ends: boolean },
): Promise<{ attributes: MembershipValues; today: string }> {
  const days = await daysOf(context);
  const { today } = days;
  const problems = dateProblems(attributes, status, days);
  if (problems.length > 0) throw new ApiError(problems);
  if (!ends) return { attributes, today };
  const { "left-on": leftOn = today, "left-reason": reason = "other" } = attributes;
  return { attributes: { ...attributes, "left-on": leftOn, "left-reason": reason }, today };
}
