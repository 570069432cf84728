import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { waitingReportsOptions } from "../data/reports.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { Chip, Count } from "../ui/chip.tsx";
import { formatDate } from "../ui/format.ts";
import { WriteButton } from "../ui/reach.tsx";
import { AgendaCard } from "./agenda-card.tsx";

const ROWS = 6;

/** One line per group that owes reports, with its leader. */
export function MissingReports({ led }: { led: ReadonlySet<string> }) {
  const { t } = useLingui();
  const query = useQuery({
    ...waitingReportsOptions,
    select: ({ items }) => {
      const overdue = items.filter(
        (meeting) => meeting["report-status"] === "overdue" && !led.has(meeting.cell.id),
      );
      const groups = Map.groupBy(overdue, ({ cell }) => cell.id);
      return { count: overdue.length, groups: [...groups.values()] };
    },
  });
  return (
    <AgendaCard
      query={query}
      isEmpty={({ count }) => count === 0}
      title={<Trans>Reports to chase</Trans>}
      count={({ count }) => <Count value={count} tone="warn" />}
      action={
        <LinkButton kind="quiet" to="/cells" search={{ report: "overdue" }}>
          <Trans>All</Trans>
        </LinkButton>
      }
    >
      {({ groups }) => (
        <Lines>
          {groups.slice(0, ROWS).map((meetings) => {
            const [first] = meetings;
            if (!first) return null;
            const { cell, date } = first;
            const leader = cell.leaders[0];
            const name = leader?.["full-name"];
            const count = meetings.length;
            const day = formatDate(date, "shortWeekday");
            const since =
              count > 1
                ? t`${plural(count, { one: "# report", other: "# reports" })}, since ${day}`
                : t`met ${day}`;
            return (
              <Line
                key={cell.id}
                face={<Avatar name={name ?? cell.name} photo={leader?.["photo-url"]} />}
                title={
                  <Link to="/cells/$id" params={{ id: cell.id }} search={{ tab: "meetings" }}>
                    {cell.name}
                  </Link>
                }
                detail={
                  <>
                    {name && <bdi>{name}</bdi>}
                    {name && " · "}
                    {since}
                  </>
                }
              >
                <Chip tone="warn">
                  <Trans>Overdue</Trans>
                </Chip>
                {leader && <WriteButton name={name ?? cell.name} phones={leader.phones} />}
              </Line>
            );
          })}
        </Lines>
      )}
    </AgendaCard>
  );
}
