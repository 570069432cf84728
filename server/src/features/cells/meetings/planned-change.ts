import {
  notAllowedHere,
  type Problem,
  refuse as report,
  type RuledCode,
} from "../../../base/errors.ts";
import { addDays } from "../../../base/dates.ts";
import type { Broken } from "../../../base/rules.ts";
import type { MeetingValues } from "./fields.ts";
import type { MeetingStatus } from "./statuses.ts";

/** The stored attributes of a meeting on which its rules depend. */
export interface Meeting {
  "date": string;
  "starts-at": number | null;
  "ends-at": number | null;
  "status": MeetingStatus;
  "not-held-reason": string | null;
  "visitors-count": number | null;
  "offering-amount": number | null;
  "offering-currency": string | null;
}

export interface MeetingRules {
  /** In the time zone of the account. */
  today: string;
  /** The setting `meeting-offerings`. */
  takesOfferings: boolean;
}

export interface Change {
  /** A report sets `held` or `not-held`, or sends attendance or visitors. */
  isReport: boolean;
  status: MeetingStatus;
  /** The attributes to write: those of the document, and those that change as a consequence. */
  attributes: MeetingValues;
}

export const isReported = (status: MeetingStatus): boolean =>
  status === "held" || status === "not-held";

/** A meeting that did not take place has no visitors, children and decisions. */
const WITHOUT_COUNTS = {
  "visitors-count": null,
  "children-count": null,
  "decisions-count": null,
} as const;

/** Checks a document that creates a meeting (without `current`) or changes it. Adds mistakes to `problems`. */
export function planChange(
  current: Meeting | undefined,
  sent: MeetingValues,
  { takesOfferings, today }: MeetingRules,
  problems: Problem[],
): Change {
  const refuse = (
    name: keyof MeetingValues,
    broken: Broken,
    code: RuledCode = "invalid-attribute",
  ) => report(problems, code, broken, `/data/attributes/${name}`);
  const next = { ...current, ...sent };

  const before = current?.status ?? "scheduled";
  const rows = (["attendance", "visitors"] as const).filter((name) => sent[name] !== undefined);
  const status = statusAfter(before, sent.status, rows);
  const isReport = rows.length > 0 || ((!current || status !== before) && isReported(status));
  if (status !== "held")
    for (const name of rows)
      refuse(name, notAllowedHere(`A meeting that is ${status} has no attendance.`));

  const reason = next["not-held-reason"] ?? null;
  if (status !== "not-held") {
    if (sent["not-held-reason"])
      refuse("not-held-reason", notAllowedHere("Only a `not-held` meeting has it."));
  } else if (reason === null) refuse("not-held-reason", { rule: "required" }, "missing-attribute");

  const date = next.date ?? today;
  if (current && date !== current.date && before !== "scheduled")
    refuse(
      "date",
      { rule: "read-only", hint: "The date of a reported or cancelled meeting is fixed." },
      "read-only-attribute",
    );
  else if (status === "held" && isReport && date > addDays(today, 1))
    refuse(sent.date !== undefined ? "date" : (rows[0] ?? "status"), {
      rule: "in-the-future",
      limit: addDays(today, 1),
      hint: "The meeting is in the future.",
    });

  const [startsAt, endsAt] = [next["starts-at"] ?? null, next["ends-at"] ?? null];
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    refuse("ends-at", { rule: "after", other: "/data/attributes/starts-at" });

  const [amount, currency] = [next["offering-amount"] ?? null, next["offering-currency"] ?? null];
  for (const name of ["offering-amount", "offering-currency"] as const)
    if (!takesOfferings && (sent[name] ?? null) !== null && sent[name] !== current?.[name])
      refuse(name, notAllowedHere("The setting `meeting-offerings` is off."));
  if (currency === null && amount !== null)
    refuse("offering-currency", { rule: "required", hint: "An amount requires a currency." });
  if (amount === null && currency !== null)
    refuse("offering-amount", { rule: "required", hint: "A currency requires an amount." });
  const attributes = {
    ...(before === "held" && status === "not-held" && WITHOUT_COUNTS),
    ...sent,
    ...((status !== "scheduled" || sent.status !== undefined) && { status }),
    ...(status !== "not-held" && current?.["not-held-reason"] && { "not-held-reason": null }),
  };
  return { isReport, status, attributes };
}

/** Attendance and visitors imply that a planned meeting was held. */
function statusAfter(
  before: MeetingStatus,
  given: MeetingStatus | undefined,
  rows: readonly string[],
): MeetingStatus {
  const status = given ?? before;
  const isImplied =
    rows.length > 0 && (status === "scheduled" || (!given && before === "cancelled"));
  return isImplied ? "held" : status;
}
