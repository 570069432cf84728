import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { birthdaysOptions } from "../data/home.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { formatDate, formatNumber, today } from "../ui/format.ts";
import { AgendaCard } from "./agenda-card.tsx";
import { ReachOrSee } from "./reach-or-see.tsx";

export function Birthdays() {
  const query = useQuery(birthdaysOptions(today()));
  return (
    <AgendaCard
      query={query}
      isEmpty={(birthdays) => birthdays.length === 0}
      title={<Trans>Birthdays</Trans>}
      action={
        <LinkButton kind="quiet" to="/people" search={{ birthday: "7", sort: "birth-month-day" }}>
          <Trans>All</Trans>
        </LinkButton>
      }
    >
      {(birthdays) => (
        <Lines>
          {birthdays.map(({ person, date }) => {
            const born = person.birthdate?.slice(0, 4);
            return (
              <Line
                key={person.id}
                face={<Avatar name={person["full-name"]} photo={person["photo-url"]} />}
                title={
                  <Link to="/people/$id" params={{ id: person.id }}>
                    {person["full-name"]}
                  </Link>
                }
                detail={
                  <>
                    {date === today() ? <Trans>Today</Trans> : formatDate(date, "longWeekday")}
                    {born && <> · {formatNumber(Number(date.slice(0, 4)) - Number(born))}</>}
                  </>
                }
              >
                <ReachOrSee person={person} />
              </Line>
            );
          })}
        </Lines>
      )}
    </AgendaCard>
  );
}
