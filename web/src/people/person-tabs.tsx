import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { PersonRecord } from "../data/person.ts";
import { cellRoles, enrollmentStatuses } from "../enums.ts";
import { Card, Facts, Line, Lines } from "../ui/card.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatDate, formatNumber } from "../ui/format.ts";
import { Time } from "../ui/text.tsx";
import styles from "./person.module.css";

/** The groups of a person: the present ones, then those that the person has left. */
export function GroupsTab({ person }: { person: PersonRecord }) {
  const { t, i18n } = useLingui();
  const memberships = person["cell-memberships"].toSorted((one, other) =>
    other["joined-on"].localeCompare(one["joined-on"]),
  );
  const lists = [
    [t`Groups`, memberships.filter(({ status }) => status === "active")],
    [t`Earlier groups`, memberships.filter(({ status }) => status !== "active")],
  ] as const;
  return (
    <div className={styles.narrow}>
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
    </div>
  );
}

/** The courses of a person with their progress. */
export function CoursesTab({ person }: { person: PersonRecord }) {
  const { t, i18n } = useLingui();
  return (
    <div className={styles.narrow}>
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

/** When the record was made and changed, and by whom. */
export function HistoryTab({ person }: { person: PersonRecord }) {
  return (
    <div className={styles.narrow}>
      <Card title={<Trans>History</Trans>}>
        <Facts
          facts={[
            [
              <Trans key="created">Added</Trans>,
              <Moment key="at" moment={person["created-at"]} author={person["created-by"]} />,
            ],
            [
              <Trans key="modified">Last changed</Trans>,
              <Moment key="at" moment={person["modified-at"]} author={person["modified-by"]} />,
            ],
            [
              <Trans key="off">Deactivated</Trans>,
              person["deactivated-at"] ? <Time moment={person["deactivated-at"]} /> : null,
            ],
          ]}
        />
      </Card>
    </div>
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
