import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { holds } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { now } from "../ui/clock.ts";
import { LinkButton } from "../ui/button.tsx";
import { useQueueKinds } from "../joining/queue-lines.tsx";
import { formatDateTitle, today } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Absent } from "./absent.tsx";
import { Birthdays } from "./birthdays.tsx";
import { FollowUps } from "./follow-ups.tsx";
import { FromThePublic } from "./from-the-public.tsx";
import styles from "./home.module.css";
import { MissingReports } from "./missing-reports.tsx";
import { Multiplications } from "./multiplications.tsx";
import { NewPeople } from "./new-people.tsx";
import { OwnClasses } from "./own-classes.tsx";
import { OwnCourses } from "./own-courses.tsx";
import { OwnGroups } from "./own-groups.tsx";
import { ReportNow } from "./report-now.tsx";
import { Weeks } from "./weeks.tsx";
import { WhenSeen } from "./when-seen.tsx";

/** What is to do today. A card appears only if the caller may see it and it has content. */
export function Home() {
  const { t } = useLingui();
  const session = useSession();
  const { person, leads, teaches, abilities } = session;
  const name = person["preferred-name"] ?? person["full-name"].split(" ")[0] ?? "";
  const [hour] = useState(() => new Date(now()).getHours());
  const greeting =
    hour < 12
      ? t`Good morning, ${name}`
      : hour < 18
        ? t`Good afternoon, ${name}`
        : t`Good evening, ${name}`;

  const led = new Set(leads.map(({ id }) => id));
  const seesReports = abilities.filter(
    ({ permission, "scope-type": scope }) =>
      permission === "cell-meetings:read" && scope !== "self",
  );
  // A tree reaches the groups below the one that the caller leads.
  const seesOthers = seesReports.some(
    ({ ids, "scope-type": scope }) => scope !== "cell" || !ids || ids.some((id) => !led.has(id)),
  );
  const seesPeople = abilities.some(
    ({ permission, "scope-type": scope }) => permission === "people:read" && scope !== "self",
  );
  const isOffice = abilities.some(
    ({ permission, "scope-type": scope }) => permission === "people:write" && scope === "account",
  );
  const queue = useQueueKinds();
  const isOnlyMember = !seesPeople && leads.length === 0;

  return (
    <Page
      title={greeting}
      documentTitle={t`Home`}
      above={formatDateTitle(today())}
      isLarge
      actions={
        isOnlyMember && (
          <LinkButton to="/people/$id" params={{ id: person.id }}>
            <Trans>My record</Trans>
          </LinkButton>
        )
      }
    >
      <div className={styles.columns}>
        {leads.length > 0 && <ReportNow leads={leads} />}
        <div className={styles.column}>
          {seesOthers && <MissingReports led={led} />}
          {queue.length > 0 && <FromThePublic kinds={queue} />}
          {seesPeople && teaches.length > 0 && <OwnClasses />}
          {seesPeople && <Absent />}
          {isOnlyMember && <OwnGroups />}
        </div>
        <div className={styles.column}>
          {isOnlyMember && <OwnCourses />}
          {seesPeople && <Birthdays />}
          {holds(session, "notes:read") && seesPeople && <FollowUps />}
          {holds(session, "cell-multiplications:approve") && <Multiplications />}
        </div>
        {(seesOthers || isOffice) && (
          <WhenSeen>
            <div className={styles.column}>{seesOthers && <Weeks />}</div>
            <div className={styles.column}>{isOffice && <NewPeople />}</div>
          </WhenSeen>
        )}
      </div>
    </Page>
  );
}
