import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { Failure } from "../app/failure.tsx";
import { useSession } from "../app/session.tsx";
import { cellOptions, membersOptions, plannedDaysOptions } from "../data/cells.ts";
import { Button } from "../ui/button.tsx";
import { formatDate, today } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { firstPhone } from "../ui/reach-links.ts";
import { Skeleton } from "../ui/states.tsx";
import { Ltr } from "../ui/text.tsx";
import styles from "./cell.module.css";

const route = getRouteApi("/frame/print/cells/$id");

/** Lines for people who come without being on the list. */
const EMPTY_LINES = 5;

/** A sign-in sheet: the members, and a column for each of the next meetings. */
export function PrintCell() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const { account, person } = useSession();
  const cell = useQuery(cellOptions(id));
  const members = useQuery(membersOptions(id));
  const planned = useQuery(plannedDaysOptions(id));
  const error = cell.error ?? members.error;
  const name = cell.data?.name ?? "";
  const days = planned.data ?? [];
  const day = formatDate(today(), "long");
  const printer = person["full-name"];
  return (
    <Page
      title={<bdi>{name}</bdi>}
      documentTitle={t`Sign-in sheet of ${name}`}
      above={<bdi>{account["church-name"]}</bdi>}
      beneath={
        <Trans>
          {day}, printed by <bdi>{printer}</bdi>
        </Trans>
      }
      actions={
        <Button kind="filled" icon={<Printer size={17} />} onClick={() => window.print()}>
          <span>
            <Trans>Print</Trans>
          </span>
        </Button>
      }
    >
      {error ? (
        <Failure
          error={error}
          onRetry={() => void Promise.all([cell.refetch(), members.refetch()])}
        />
      ) : members.data === undefined ? (
        <Skeleton height={320} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls needs the keyboard.
        <div className={styles.scroller} role="region" aria-label={t`Sign-in sheet`} tabIndex={0}>
          <table className={styles.sheet}>
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Name</Trans>
                </th>
                <th scope="col">
                  <Trans>Phone</Trans>
                </th>
                {days.map((date) => (
                  <th key={date} scope="col" className={styles.day}>
                    {formatDate(date, "day")}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {members.data.map((member) => (
                <tr key={member.id}>
                  <th scope="row">
                    <bdi>{member.person["full-name"]}</bdi>
                  </th>
                  <td>
                    <Ltr>{firstPhone(member.person.phones)?.display}</Ltr>
                  </td>
                  {days.map((date) => (
                    <td key={date}>{"\u00a0"}</td>
                  ))}
                </tr>
              ))}
              {Array.from({ length: EMPTY_LINES }, (_, index) => (
                <tr key={index}>
                  <td>{"\u00a0"}</td>
                  <td>{"\u00a0"}</td>
                  {days.map((date) => (
                    <td key={date}>{"\u00a0"}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Page>
  );
}
