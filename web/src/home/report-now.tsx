import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../app/session.tsx";
import { nextMeetingOptions } from "../data/home.ts";
import { keptWaitingOptions } from "../data/kept-sheets.ts";
import { waitingReportsOptions } from "../data/reports.ts";
import { LinkButton } from "../ui/button.tsx";
import { formatDate, formatTime, today } from "../ui/format.ts";
import { Skeleton } from "../ui/states.tsx";
import styles from "./home.module.css";

/** The first thing on a leader's home: the report that waits, or the next meeting. */
export function ReportNow({ leads }: { leads: { id: string; name: string }[] }) {
  const { person } = useSession();
  const waiting = useQuery(waitingReportsOptions);
  const kept = useQuery({ ...keptWaitingOptions(person.id), enabled: waiting.isError });
  const own = waiting.data?.items.find(({ cell }) => leads.some(({ id }) => id === cell.id));
  const due = own
    ? { cell: own.cell, date: own.date, meetingId: own.id }
    : waiting.data === undefined
      ? kept.data?.[0]
      : undefined;
  const next = useQuery({
    ...nextMeetingOptions(leads.map(({ id }) => id)),
    enabled: waiting.data !== undefined && due === undefined,
  });

  if (due)
    return (
      <section className={styles.now}>
        <div className={styles.nowText}>
          <h2>
            <Trans>Report the meeting</Trans>
          </h2>
          <p>
            <bdi>{due.cell.name}</bdi> · {formatDate(due.date, "weekday")}
          </p>
        </div>
        <LinkButton
          kind="filled"
          to="/cells/$id/meetings/$meeting"
          params={{ id: due.cell.id, meeting: due.meetingId }}
        >
          <Trans>Report now</Trans>
        </LinkButton>
      </section>
    );
  if (next.data) {
    const { id, cell, date, "starts-at": startsAt } = next.data;
    const isToday = date === today();
    return (
      <section className={styles.now}>
        <div className={styles.nowText}>
          <h2>
            <Trans>Next meeting</Trans>
          </h2>
          <p>
            <bdi>{cell.name}</bdi> · {formatDate(date, "weekday")}
            {startsAt !== null && <> · {formatTime(startsAt)}</>}
          </p>
        </div>
        {isToday ? (
          <LinkButton
            kind="filled"
            to="/cells/$id/meetings/$meeting"
            params={{ id: cell.id, meeting: id }}
          >
            <Trans>Report now</Trans>
          </LinkButton>
        ) : (
          <LinkButton to="/cells/$id" params={{ id: cell.id }}>
            <Trans>See the group</Trans>
          </LinkButton>
        )}
      </section>
    );
  }
  return waiting.isPending || next.isLoading ? (
    <div className={styles.now}>
      <Skeleton height={40} />
    </div>
  ) : null;
}
