import { type Problem, refuse } from "../../../base/errors.ts";
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
  const report = (name: string, detail: string) =>
    refuse(problems, "invalid-attribute", detail, `/data/attributes/${name}`);
  if (kind === "membership-status") {
    if (!areStatuses(value, statuses))
      report("value", `Must be a list of ${statuses.join(", ")}, each at most once.`);
  } else if (kind === "minimum-age") {
    const isAge = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= AGE_MAX;
    if (!isAge) report("value", `Must be a whole number from 1 to ${AGE_MAX}.`);
  } else if (value !== null) report("value", `A requirement of the kind ${kind} has no value.`);
  if (relation === "corequisite" && kind !== "course")
    report("relation", "Only a requirement of the kind course can be a corequisite.");
}

const areStatuses = (value: unknown, statuses: readonly string[]): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  new Set(value).size === value.length &&
  value.every((one) => statuses.includes(one as string));
