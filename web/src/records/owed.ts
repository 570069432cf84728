import type { WaitingReport } from "../data/reports.ts";
import { writeLink } from "../ui/reach-links.ts";

type Leader = WaitingReport["cell"]["leaders"][number];

/** The overdue reports of one group, the oldest first, and the leader to ask. */
export type Owed = {
  cell: { id: string; name: string };
  leader: Leader | undefined;
  meetings: readonly { id: string; date: string }[];
};

/** One entry per group that owes reports. The first leader who can be reached is the one to ask. */
export function owedBy(waiting: readonly WaitingReport[]): Owed[] {
  const overdue = waiting.filter((meeting) => meeting["report-status"] === "overdue");
  return [...Map.groupBy(overdue, ({ cell }) => cell.id).values()].flatMap((meetings) => {
    const cell = meetings[0]?.cell;
    if (!cell) return [];
    const leader = cell.leaders.find((one) => writeLink(one) !== undefined) ?? cell.leaders[0];
    return [{ cell, leader, meetings }];
  });
}
