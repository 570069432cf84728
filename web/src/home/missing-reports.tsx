import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { waitingReportsOptions } from "../data/reports.ts";
import { owedBy } from "../records/owed.ts";
import { useOwedWords, useReminder } from "../records/reminder.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { Count } from "../ui/chip.tsx";
import { WriteButton } from "../ui/reach.tsx";
import { AgendaCard } from "./agenda-card.tsx";
import styles from "./home.module.css";

const ROWS = 6;

/** One line per group that owes reports, with its leader. */
export function MissingReports({ led }: { led: ReadonlySet<string> }) {
  const reminder = useReminder();
  const words = useOwedWords();
  const query = useQuery({
    ...waitingReportsOptions,
    select: ({ items }) => owedBy(items.filter(({ cell }) => !led.has(cell.id))),
  });
  return (
    <AgendaCard
      query={query}
      isEmpty={(groups) => groups.length === 0}
      title={<Trans>Reports to chase</Trans>}
      count={(groups) => (
        <Count value={groups.reduce((sum, { meetings }) => sum + meetings.length, 0)} tone="warn" />
      )}
      action={
        <LinkButton kind="quiet" to="/cells" search={{ report: "overdue" }}>
          <Trans>All</Trans>
        </LinkButton>
      }
    >
      {(groups) => (
        <Lines>
          {groups.slice(0, ROWS).map((owed) => {
            const { cell, leader } = owed;
            const name = leader?.["full-name"] ?? cell.name;
            return (
              <Line
                key={cell.id}
                face={<Avatar name={name} photo={leader?.["photo-url"]} />}
                title={
                  <Link to="/cells/$id" params={{ id: cell.id }} search={{ tab: "meetings" }}>
                    <span className={styles.group}>{cell.name}</span>
                  </Link>
                }
                detail={words(owed)}
              >
                {leader && <WriteButton {...leader} name={name} message={reminder(owed)} />}
              </Line>
            );
          })}
        </Lines>
      )}
    </AgendaCard>
  );
}
