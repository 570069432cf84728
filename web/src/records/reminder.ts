import { plural } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { Owed } from "./owed.ts";
import { formatDate } from "../ui/format.ts";
import type { Message } from "../ui/reach-links.ts";

/** The message that asks a leader for the overdue reports of a group, with the address of the place where they are written. */
export function useReminder() {
  const { t } = useLingui();
  return ({ cell, leader, meetings }: Owed): Message => {
    const [first] = meetings;
    const name = leader?.["preferred-name"] ?? leader?.["full-name"].split(" ")[0] ?? "";
    const group = cell.name;
    const day = formatDate(first?.date ?? "", "weekday");
    const count = meetings.length;
    const path =
      count === 1 ? `/cells/${cell.id}/meetings/${first?.id}` : `/cells/${cell.id}?tab=meetings`;
    const asks = t`${plural(count, {
      one: `Hello ${name}, the report of ${group} of ${day} is missing. You can write it here:`,
      other: `Hello ${name}, # reports of ${group} are missing, the first of ${day}. You can write them here:`,
    })}`;
    return { subject: t`Report of ${group}`, text: `${asks}\n${location.origin}${path}` };
  };
}

/** How many reports are overdue, and since when. */
export function useOwedWords() {
  const { t } = useLingui();
  return ({ meetings }: Owed): string => {
    const count = meetings.length;
    const day = formatDate(meetings[0]?.date ?? "", "shortWeekday");
    return t`${plural(count, { one: `# report, ${day}`, other: `# reports, since ${day}` })}`;
  };
}
