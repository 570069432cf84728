import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSession } from "../app/session.tsx";
import { ownGroupsOptions } from "../data/home.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { formatNumber } from "../ui/format.ts";
import { AgendaCard } from "./agenda-card.tsx";

/** The courses in which the caller takes part. They come with the own groups. */
export function OwnCourses() {
  const { t } = useLingui();
  const { person } = useSession();
  const query = useQuery({
    ...ownGroupsOptions,
    select: (me) => me["course-enrollments"].filter(({ status }) => status === "active"),
  });
  return (
    <AgendaCard
      query={query}
      isEmpty={(enrollments) => enrollments.length === 0}
      title={<Trans>Courses</Trans>}
    >
      {(enrollments) => (
        <Lines>
          {enrollments.map((one) => {
            const attended = formatNumber(one["lessons-attended"]);
            const required = formatNumber(one["lessons-required"]);
            return (
              <Line
                key={one.id}
                face={<Avatar name={one.class.name} />}
                title={
                  <Link to="/people/$id" params={{ id: person.id }} search={{ tab: "courses" }}>
                    {one.class.name}
                  </Link>
                }
                detail={
                  <Trans>
                    {attended} of {required} lessons
                  </Trans>
                }
              >
                <LinkButton
                  to="/people/$id"
                  params={{ id: person.id }}
                  search={{ tab: "courses" }}
                  aria-label={t`See ${one.class.name}`}
                >
                  <Trans>See</Trans>
                </LinkButton>
              </Line>
            );
          })}
        </Lines>
      )}
    </AgendaCard>
  );
}
