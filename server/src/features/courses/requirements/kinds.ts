import { notAllowedHere, type Problem, refuse } from "../../../base/errors.ts";
import type { Broken } from "../../../base/rules.ts";
import type { Attribute } from "../../../jsonapi/definition/attributes.ts";

export const requirementKinds = [
  "course",
  "membership-status",
  "baptized",
  "minimum-age",
  "cell-member",
] as const;

export type RequirementKind = (typeof requirementKinds)[number];

export type Relation = "prerequisite" | "corequisite";

const AGE_MAX = 120;

/** The schema accepts any value, because code generators do not support a choice between lists and numbers. */
export const requirementValue = (): Attribute<unknown, "optional"> => ({
  schema: {},
  description: `A list of statuses for \`membership-status\`, a number of years from 1 to ${AGE_MAX} for \`minimum-age\`, null for the other kinds.`,
  storage: "json",
  mode: "optional",
  nullable: true,
});

/** Reports a value and a relation that do not fit the kind. */
export function checkRequirement(
  { kind, relation, value }: { kind: RequirementKind; relation: Relation; value: unknown },
  statuses: readonly string[],
  problems: Problem[],
): void {
  const report = (name: string, broken: Broken) =>
    refuse(problems, "invalid-attribute", broken, `/data/attributes/${name}`);
  if (kind === "membership-status") {
    const broken = brokenStatuses(value, statuses);
    if (broken) report("value", broken);
  } else if (kind === "minimum-age") {
    if (!Number.isInteger(value)) report("value", { rule: "type", type: "integer" });
    else if (Number(value) < 1) report("value", { rule: "min", limit: 1 });
    else if (Number(value) > AGE_MAX) report("value", { rule: "max", limit: AGE_MAX });
  } else if (value !== null)
    report("value", notAllowedHere(`A requirement of the kind ${kind} has no value.`));
  if (relation === "corequisite" && kind !== "course")
    report(
      "relation",
      notAllowedHere("Only a requirement of the kind course can be a corequisite."),
    );
}

function brokenStatuses(value: unknown, statuses: readonly string[]): Broken | undefined {
  if (!Array.isArray(value)) return { rule: "type", type: "array" };
  if (value.length === 0) return { rule: "min-items", limit: 1 };
  if (new Set(value).size !== value.length) return { rule: "repeated" };
  return value.every((one) => statuses.includes(one as string))
    ? undefined
    : { rule: "one-of", allowed: statuses };
}
