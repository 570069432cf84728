import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, Video } from "lucide-react";
import { useState } from "react";
import { mayWrite, useHolds } from "../app/may.ts";
import { useSession } from "../app/session.tsx";
import { householdsOfOptions } from "../data/households.ts";
import { type Attendance, attendanceOptions, type PersonRecord } from "../data/person.ts";
import { attendanceStatuses, householdRoles } from "../records/enums.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Card, Line, Lines } from "../ui/card.tsx";
import { formatDate, formatNumber } from "../ui/format.ts";
import { VisuallyHidden } from "../ui/text.tsx";
import { useCustomFields } from "./custom-fields.tsx";
import { JoinHousehold } from "./join-household.tsx";
import { PersonCard } from "./person-card.tsx";
import { usePersonFields } from "./person-fields.tsx";
import styles from "./person.module.css";

/** The cards of a person. A caller with a reduced view gets fewer of them. */
export function Overview({ person, edit }: { person: PersonRecord; edit: string | undefined }) {
  const { t } = useLingui();
  const fields = usePersonFields(person);
  const own = useCustomFields("people", person["custom-properties"]);
  // The header shows the status already.
  const isReduced = person["is-baptized"] === undefined && !mayWrite(person, "membership-status");
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <PersonCard
          person={person}
          card="contact"
          title={t`Contact`}
          fields={fields.contact}
          startsOpen={edit === "contact"}
        />
        <div className={styles.folded}>
          <PersonCard
            person={person}
            card="address"
            title={t`Address`}
            fields={fields.address}
            add={t`Add an address`}
          />
          <PersonCard
            person={person}
            card="emergency"
            title={t`In an emergency`}
            fields={fields.emergency}
            add={t`Add a contact for an emergency`}
          />
        </div>
        {!isReduced && (
          <PersonCard person={person} card="church" title={t`Church`} fields={fields.church} />
        )}
        <PersonCard person={person} card="own" title={t`More about this person`} fields={own} />
      </div>
      <div className={styles.column}>
        <AttendanceCard person={person} />
        <PersonCard person={person} card="personal" title={t`Personal`} fields={fields.personal} />
        <HouseholdCard person={person} />
        <SensitiveCard person={person} fields={fields.sensitive} />
      </div>
    </div>
  );
}

/** A mark for each of the last meetings of the person's groups, the newest last, between two dates, and the rate of 90 days. */
function AttendanceCard({ person }: { person: PersonRecord }) {
  const { t } = useLingui();
  const isOwn = useSession().person.id === person.id;
  const isAsked = useHolds("cell-meetings:read") || isOwn;
  const { data } = useQuery({ ...attendanceOptions(person.id), enabled: isAsked });
  const rows = data?.items.toReversed() ?? [];
  const [first] = rows;
  const last = rows.at(-1);
  const summary = person["attendance-summary"];
  const rate = summary?.["rate-90d"];
  if (rows.length === 0 && typeof rate !== "number") return null;
  const streak = summary?.["absent-streak"] ?? 0;
  return (
    <Card title={<Trans>Attendance</Trans>}>
      {typeof rate === "number" && (
        <p className={styles.rate}>
          <b>{formatNumber(rate / 100, { style: "percent" })}</b>
          <span className={styles.quiet}>
            <Trans>of the meetings of 90 days</Trans>
          </span>
        </p>
      )}
      {first && last && (
        <div className={styles.strip}>
          <ol className={styles.marks} aria-label={t`The last meetings`}>
            {rows.map((row) => (
              <Mark key={row.id} row={row} />
            ))}
          </ol>
          <p className={styles.ends}>
            <span>{formatDate(first.date)}</span>
            {last !== first && <span>{formatDate(last.date)}</span>}
          </p>
        </div>
      )}
      {/* It is for those who care for the person. */}
      {streak >= 2 && !isOwn && (
        <p className={styles.quiet}>
          <Trans>Missing {streak} times in a row</Trans>
        </p>
      )}
    </Card>
  );
}

function Mark({ row: { cell, date, status } }: { row: Attendance }) {
  const { i18n } = useLingui();
  const words = [formatDate(date), cell?.name, i18n._(attendanceStatuses[status])];
  const said = words.filter((one) => one !== undefined).join(" · ");
  const isHere = status === "present" || status === "online";
  return (
    <li className={`${styles.mark} ${isHere ? styles.came : ""}`} title={said}>
      <span aria-hidden="true">
        {status === "present" ? (
          <Check size={14} />
        ) : status === "online" ? (
          <Video size={14} />
        ) : status === "excused" ? (
          "~"
        ) : (
          "–"
        )}
      </span>
      <VisuallyHidden>{said}</VisuallyHidden>
    </li>
  );
}

function HouseholdCard({ person }: { person: PersonRecord }) {
  const { i18n } = useLingui();
  const holdsRead = useHolds("households:read");
  const writes = useHolds("households:write") && !person["is-anonymized"];
  const isOwn = useSession().person.id === person.id;
  const { data: households } = useQuery({
    ...householdsOfOptions(person.id),
    enabled: holdsRead || isOwn,
  });
  const [isJoining, setJoining] = useState(false);
  if (households === undefined) return null;
  const dialog = isJoining && <JoinHousehold person={person} onClose={() => setJoining(false)} />;
  if (households.length === 0)
    return writes ? (
      <Card
        title={<Trans>Household</Trans>}
        action={
          <Button kind="quiet" onClick={() => setJoining(true)}>
            <Trans>Add</Trans>
          </Button>
        }
      >
        <span className={styles.quiet}>
          <Trans>Not in a household</Trans>
        </span>
        {dialog}
      </Card>
    ) : null;
  return households.map((household) => (
    <Card
      key={household.id}
      title={
        <Link to="/households/$id" params={{ id: household.id }}>
          <bdi>{household.name}</bdi>
        </Link>
      }
    >
      <Lines>
        {household.memberships
          .filter(({ person: member }) => member.id !== person.id)
          .map(({ id, person: member, "household-role": role }) => (
            <Line
              key={id}
              face={<Avatar name={member["full-name"]} photo={member["photo-url"]} />}
              title={
                <Link to="/people/$id" params={{ id: member.id }}>
                  {member["full-name"]}
                </Link>
              }
              detail={i18n._(householdRoles[role])}
            />
          ))}
      </Lines>
    </Card>
  ));
}

/** Closed until the reader asks, so that nobody reads it over a shoulder. */
function SensitiveCard({
  person,
  fields,
}: {
  person: PersonRecord;
  fields: ReturnType<typeof usePersonFields>["sensitive"];
}) {
  const [isShown, setShown] = useState(false);
  // Nothing of it is left, and nothing can be entered again.
  if (person["is-anonymized"]) return null;
  if (person["medical-notes"] === undefined && person["identity-documents"] === undefined)
    return null;
  return isShown ? (
    <PersonCard person={person} card="sensitive" title={<Trans>Sensitive</Trans>} fields={fields} />
  ) : (
    <Card
      title={<Trans>Sensitive</Trans>}
      action={
        <Button kind="quiet" onClick={() => setShown(true)}>
          <Trans>Show</Trans>
        </Button>
      }
    >
      <span className={styles.quiet}>
        <Trans>Identity documents and medical notes</Trans>
      </span>
    </Card>
  );
}
