import { notAllowedHere, type Problem, refuse } from "../../../base/errors.ts";
import type { Broken } from "../../../base/rules.ts";
import { isDate } from "../../../base/timestamps.ts";
import {
  type Attribute,
  choice,
  defaulted,
  describe,
  object,
} from "../../../jsonapi/definition/attributes.ts";

const DAYS_MIN = -365;
const DAYS_MAX = 3_650;

/** The schema accepts any value, because code generators do not support a choice between texts and numbers. */
const value: Attribute<unknown, "optional"> = {
  schema: {
    description: `A date for \`date\`, a number of days from ${DAYS_MIN} to ${DAYS_MAX} for an offset, absent for \`none\`.`,
  },
  storage: "json",
  mode: "optional",
  nullable: false,
};

/** The last day on which the work is on time. */
export const due = () =>
  describe(
    defaulted(
      object(
        {
          criterion: choice(["none", "date", "class-start-offset", "enrollment-offset"]),
          value,
        },
        "TaskDue",
      ),
    ),
    {
      check: checkDue,
      example: { criterion: "class-start-offset", value: 14 },
      description:
        "The last day on which the work is on time. Offsets count from the start of the class, or from the day of the enrollment.",
    },
  );

/** The value depends on the criterion. The schema judges all else. */
function checkDue(sent: unknown, pointer: string, problems: Problem[]): undefined {
  const { criterion, value } = (sent ?? {}) as { criterion?: unknown; value?: unknown };
  const report = (broken: Broken) =>
    refuse(problems, "invalid-attribute", broken, `${pointer}/value`);
  if (criterion === "none" && value !== undefined) report(notAllowedHere("`none` has no value."));
  if (criterion === "date" && !isDay(value)) report({ rule: "format", format: "date" });
  const isOffset = criterion === "class-start-offset" || criterion === "enrollment-offset";
  if (!isOffset) return;
  if (!Number.isInteger(value)) report({ rule: "type", type: "integer" });
  else if (Number(value) < DAYS_MIN) report({ rule: "min", limit: DAYS_MIN });
  else if (Number(value) > DAYS_MAX) report({ rule: "max", limit: DAYS_MAX });
}

const isDay = (value: unknown): boolean => typeof value === "string" && isDate(value);
