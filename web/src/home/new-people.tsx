import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { newPeopleOptions } from "../data/home.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { addDays, formatMoment, today } from "../ui/format.ts";
import { AgendaCard } from "./agenda-card.tsx";

export function NewPeople() {
  const query = useQuery(newPeopleOptions(addDays(today(), -7)));
  return (
    <AgendaCard
      query={query}
      isEmpty={({ items }) => items.length === 0}
      title={<Trans>New people</Trans>}
      action={
        <LinkButton kind="quiet" to="/people" search={{ new: "7" }}>
          <Trans>All</Trans>
        </LinkButton>
      }
    >
      {({ items }) => (
        <Lines>
          {items.map((person) => (
            <Line
              key={person.id}
              face={<Avatar name={person["full-name"]} photo={person["photo-url"]} />}
              title={
                <Link to="/people/$id" params={{ id: person.id }}>
                  {person["full-name"]}
                </Link>
              }
              detail={person["created-at"] && formatMoment(person["created-at"], "day")}
            />
          ))}
        </Lines>
      )}
    </AgendaCard>
  );
}
