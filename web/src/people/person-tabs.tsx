import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { withTexts } from "../app/languages.ts";
import { useHolds } from "../app/may.ts";
import type { PersonRecord } from "../data/person.ts";
import { useCellWords } from "../records/cell-words.ts";
import { cellRoles, enrollmentStatuses } from "../records/enums.ts";
import { Button } from "../ui/button.tsx";
import { Card, Facts, Line, Lines } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatDate, formatNumber } from "../ui/format.ts";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/text.tsx";
import { useCustomFields } from "./custom-fields.tsx";
import { usePersonFields } from "./person-fields.tsx";
import styles from "./person.module.css";

const AddToGroup = lazy(() => import("./add-to-group.tsx"));

/** Whether the caller may put the person into a group. */
export const useMayGroup = (person: PersonRecord): boolean =>
  useHolds("cell-memberships:write") && !person["is-anonymized"];

/** The groups of a person: the present ones, then those that the person has left. */
export function GroupsTab({ person }: { person: PersonRecord }) {
  const { t, i18n } = useLingui();
  const { many } = useCellWords();
  const mayAdd = useMayGroup(person);
  const [isAdding, setAdding] = useState(false);
  const name = person["full-name"];
  const add = mayAdd && (
    <Button icon={<Plus size={16} />} onClick={() => setAdding(true)}>
      <Trans>Add to a group</Trans>
    </Button>
  );
  const memberships = person["cell-memberships"].toSorted((one, other) =>
    other["joined-on"].localeCompare(one["joined-on"]),
  );
  const lists = [
    [many, memberships.filter(({ status }) => status === "active")],
    [t`Earlier groups`, memberships.filter(({ status }) => status !== "active")],
  ] as const;
  return (
    <div className={styles.lone}>
      {memberships.length === 0 ? (
        <EmptyState title={<Trans>{name} is in no group yet</Trans>} actions={add}>
          {mayAdd && <Trans>Choose the group that the person will belong to.</Trans>}
        </EmptyState>
      ) : (
        add && <div className={styles.tools}>{add}</div>
      )}
      {lists.map(
        ([title, rows]) =>
          rows.length > 0 && (
            <Card key={title} title={title}>
              <Lines>
                {rows.map((row) => {
                  const role = i18n._(cellRoles[row["cell-role"]]);
                  const from = formatDate(row["joined-on"]);
                  return (
                    <Line
                      key={row.id}
                      title={
                        <Link to="/cells/$id" params={{ id: row.cell.id }}>
                          {row.cell.name}
                        </Link>
                      }
                      detail={
                        row["left-on"]
                          ? t`${role} · ${from} to ${formatDate(row["left-on"])}`
                          : t`${role} · since ${from}`
                      }
                    />
                  );
                })}
              </Lines>
            </Card>
          ),
      )}
      {isAdding && (
        <Suspense>
          <AddToGroup
            count={1}
            people={() => Promise.resolve([{ id: person.id, name }])}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The courses of a person with their progress. */
export function CoursesTab({ person }: { person: PersonRecord }) {
  const { t, i18n } = useLingui();
  return (
    <div className={styles.lone}>
      <Card title={<Trans>Courses</Trans>}>
        <Lines>
          {person["course-enrollments"].map((row) => {
            const attended = formatNumber(row["lessons-attended"]);
            const required = formatNumber(row["lessons-required"]);
            return (
              <Line
                key={row.id}
                title={row.class.name}
                detail={
                  row["completed-at"]
                    ? t`Completed on ${formatDate(row["completed-at"].slice(0, 10))}`
                    : t`${attended} of ${required} lessons`
                }
              >
                <Chip tone={row.status === "completed" ? "good" : "plain"}>
                  {i18n._(enrollmentStatuses[row.status])}
                </Chip>
              </Line>
            );
          })}
        </Lines>
      </Card>
    </div>
  );
}

type Author = PersonRecord["created-by"];

const Changes = lazy(() => withTexts(() => import("../history/history.tsx"), "history", "records"));

/** When the record was made and changed, and by whom. Callers who read the audit see every change. */
export function HistoryTab({ person }: { person: PersonRecord }) {
  const labels = new Map(
    useFields(person).flatMap(({ names, label }) => names.map((name) => [name, label] as const)),
  );
  const readsAudit = useHolds("audit-entries:read");
  return (
    <div className={styles.lone}>
      {person["created-at"] !== undefined && <Moments person={person} />}
      {readsAudit && (
        <Suspense fallback={<Skeleton height={160} />}>
          <Changes
            of={{ subject: person.id }}
            own={{
              type: "people",
              labels,
              show: (member, value) => (
                <PersonValue person={person} member={member} value={value} />
              ),
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

function useFields(person: PersonRecord) {
  const cards = Object.values(usePersonFields(person));
  const custom = useCustomFields("people", person["custom-properties"]);
  return [...cards.flat(), ...custom];
}

/** An earlier or later value of a member, as the card of the person would show it. */
function PersonValue({
  person,
  member,
  value,
}: {
  person: PersonRecord;
  member: string;
  value: unknown;
}) {
  const [group, name] = member.split(".");
  const fields = useFields({
    ...person,
    // The status shows its day, which belongs to the present value.
    "membership-status-changed-at": null,
    "member-since": null,
    // It cannot be corrected.
    "$meta": undefined,
    ...(name === undefined || group !== "custom-properties"
      ? { [member]: value }
      : { "custom-properties": { [name]: value } }),
  } as PersonRecord);
  const field = fields.find(({ names }) => names.includes(member));
  return field?.shown ?? <q>{String(value)}</q>;
}

function Moments({ person }: { person: PersonRecord }) {
  return (
    <Card title={<Trans>History</Trans>}>
      <Facts
        facts={[
          [
            <Trans key="created">Added</Trans>,
            person["created-at"] && (
              <Moment key="at" moment={person["created-at"]} author={person["created-by"]} />
            ),
          ],
          [
            <Trans key="modified">Last changed</Trans>,
            person["modified-at"] && (
              <Moment key="at" moment={person["modified-at"]} author={person["modified-by"]} />
            ),
          ],
          [
            <Trans key="off">Deactivated</Trans>,
            person["deactivated-at"] ? <Time moment={person["deactivated-at"]} /> : null,
          ],
        ]}
      />
    </Card>
  );
}

function Moment({ moment, author }: { moment: string; author: Author }) {
  const name = author?.["full-name"];
  return (
    <>
      <Time moment={moment} />{" "}
      {author && name && (
        <span className={styles.quiet}>
          <Trans>
            by{" "}
            <Link to="/people/$id" params={{ id: author.id }}>
              <bdi>{name}</bdi>
            </Link>
          </Trans>
        </span>
      )}
    </>
  );
}
