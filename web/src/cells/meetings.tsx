import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Failure } from "../app/failure.tsx";
import { type CellRecord, meetingsOptions } from "../data/cells.ts";
import { LinkButton } from "../ui/button.tsx";
import { Bars } from "../ui/bars.tsx";
import { Card, Line, Lines } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatDate, formatDateTitle, today } from "../ui/format.ts";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { meetingStatuses, reportStatuses, reportTones } from "./words.ts";

/** The meetings of twelve weeks: how many came, and which wait for a report. */
export function Meetings({ cell, mayReport }: { cell: CellRecord; mayReport: boolean }) {
  const { t, i18n } = useLingui();
  const query = useQuery(meetingsOptions(cell.id));
  const meetings = query.data;
  if (meetings === undefined)
    return query.error ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton height={320} />
    );
  const held = meetings
    .filter(({ status }) => status === "held")
    .slice(0, 12)
    .toReversed();
  const sum = held.reduce((total, meeting) => total + meeting["present-count"], 0);
  if (meetings.length === 0)
    return (
      <EmptyState title={<Trans>No meetings in twelve weeks</Trans>}>
        <Trans>Meetings are planned from the weekday and the frequency of the group.</Trans>
      </EmptyState>
    );
  return (
    <>
      {held.length > 1 && (
        <Card title={<Trans>Attendance</Trans>}>
          <Bars
            summary={t`${sum} visits in ${held.length} meetings`}
            columns={[t`Day`, t`People`]}
            bars={held.map((meeting) => ({
              id: meeting.id,
              label: formatDate(meeting.date, "day"),
              value: meeting["present-count"],
            }))}
          />
        </Card>
      )}
      <Lines>
        {meetings.map((meeting) => {
          const { id, date, status, theme } = meeting;
          const report = meeting["report-status"];
          const tone = report ? reportTones[report] : undefined;
          const waits = report === "due" || report === "overdue";
          return (
            <Line
              key={id}
              title={
                <Link to="/cells/$id/meetings/$meeting" params={{ id: cell.id, meeting: id }}>
                  {formatDateTitle(date)}
                </Link>
              }
              detail={
                status === "held" ? (
                  <>
                    <Plural value={meeting["present-count"]} one="# came" other="# came" />
                    {(meeting["visitors-count"] ?? 0) > 0 && (
                      <>
                        {" · "}
                        <Plural
                          value={meeting["visitors-count"] ?? 0}
                          one="# visitor"
                          other="# visitors"
                        />
                      </>
                    )}
                    {meeting["members-count"] !== null && (
                      <>
                        {" · "}
                        <Plural value={meeting["members-count"]} one="# member" other="# members" />
                      </>
                    )}
                    {theme && (
                      <>
                        {" · "}
                        <bdi>{theme}</bdi>
                      </>
                    )}
                  </>
                ) : status === "not-held" ? (
                  <Trans>Did not meet: {meeting["not-held-reason"]}</Trans>
                ) : (
                  i18n._(meetingStatuses[status])
                )
              }
            >
              {report && tone && <Chip tone={tone}>{i18n._(reportStatuses[report])}</Chip>}
              {mayReport && (waits || (date === today() && status === "scheduled")) && (
                <LinkButton to="/cells/$id/meetings/$meeting" params={{ id: cell.id, meeting: id }}>
                  <Trans context="button">Report</Trans>
                </LinkButton>
              )}
            </Line>
          );
        })}
      </Lines>
    </>
  );
}
