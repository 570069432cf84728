import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { weeksOptions } from "../data/home.ts";
import { Bars } from "../ui/bars.tsx";
import { addDays, formatDate, today } from "../ui/format.ts";
import { AgendaCard } from "./agenda-card.tsx";
import styles from "./home.module.css";

const WEEKS = 8;

/** How many people came in each of the last eight weeks. The last week is not over. */
export function Weeks() {
  const { t } = useLingui();
  const query = useQuery(weeksOptions(addDays(today(), -7 * (WEEKS - 1))));
  const running = query.data?.at(-1);
  const { submitted = 0, expected = 0 } = running ?? {};
  return (
    <AgendaCard
      query={query}
      isEmpty={(weeks) => weeks.every(({ present }) => present === 0)}
      title={<Trans>Attendance, 8 weeks</Trans>}
      action={
        <span className={styles.aside}>
          <Link to="/cells">
            <Trans>
              this week {submitted} of {expected} reports
            </Trans>
          </Link>
        </span>
      }
    >
      {(weeks) => {
        const sum = weeks.reduce((total, { present }) => total + present, 0);
        return (
          <Bars
            summary={t`${sum} visits in ${weeks.length} weeks`}
            columns={[t`Week`, t`People`]}
            bars={weeks.map(({ id, week, present }) => ({
              id,
              label: formatDate(week, "day"),
              value: present,
              isRunning: id === running?.id,
            }))}
          />
        );
      }}
    </AgendaCard>
  );
}
