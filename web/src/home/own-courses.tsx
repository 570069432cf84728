import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { ownGroupsOptions } from "../data/home.ts";
import { Line, Lines } from "../ui/card.tsx";
import { formatNumber } from "../ui/format.ts";
import { AgendaCard } from "./agenda-card.tsx";

/** The courses in which the caller takes part. They come with the own groups. */
export function OwnCourses() {
  const query = useQuery({
    ...ownGroupsOptions,
    select: (person) => person["course-enrollments"].filter(({ status }) => status === "active"),
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
                title={one.class.name}
                detail={
                  <Trans>
                    {attended} of {required} lessons
                  </Trans>
                }
              />
            );
          })}
        </Lines>
      )}
    </AgendaCard>
  );
}
