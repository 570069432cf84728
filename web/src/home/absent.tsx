import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { absentPeopleOptions } from "../data/home.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { AgendaCard } from "./agenda-card.tsx";
import { ReachOrSee } from "./reach-or-see.tsx";

export function Absent() {
  const query = useQuery(absentPeopleOptions);
  return (
    <AgendaCard
      query={query}
      isEmpty={({ items }) => items.length === 0}
      title={<Trans>Missing three times in a row</Trans>}
      action={
        (query.data?.total ?? 0) > (query.data?.items.length ?? 0) && (
          <LinkButton kind="quiet" to="/people" search={{ absent: "3", sort: "-last-attended-at" }}>
            <Trans>All</Trans>
          </LinkButton>
        )
      }
    >
      {({ items }) => (
        <Lines>
          {items.map((person) => (
            <Line
              key={person.id}
              face={<Avatar name={person["full-name"]} photo={person["photo-url"]} />}
              title={
                <Link to="/people/$id" params={{ id: person.id }} search={{ tab: "notes" }}>
                  {person["full-name"]}
                </Link>
              }
              detail={person.cells.map(({ name }) => name).join(", ") || undefined}
            >
              <ReachOrSee person={person} calls />
            </Line>
          ))}
        </Lines>
      )}
    </AgendaCard>
  );
}
