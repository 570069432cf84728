import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSession } from "../app/session.tsx";
import { ownGroupsOptions } from "../data/home.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { formatTime, formatWeekday } from "../ui/format.ts";
import { AgendaCard } from "./agenda-card.tsx";

export function OwnGroups() {
  const { t } = useLingui();
  const { account } = useSession();
  const query = useQuery(ownGroupsOptions);
  return (
    <AgendaCard
      query={query}
      isEmpty={() => false}
      title={account.settings["cells-label"] ?? t`Groups`}
    >
      {({ cells }) => (
        <Lines>
          {cells.length === 0 && (
            <Line title={<Trans>You are in no group yet</Trans>}>
              <LinkButton to="/cells">
                <Trans>Find a group</Trans>
              </LinkButton>
            </Line>
          )}
          {cells.map(({ id, name, weekday, "starts-at": startsAt }) => (
            <Line
              key={id}
              face={<Avatar name={name} />}
              title={
                <Link to="/cells/$id" params={{ id }}>
                  {name}
                </Link>
              }
              detail={
                weekday && startsAt ? (
                  <Trans>
                    {formatWeekday(weekday)}, {formatTime(startsAt)}
                  </Trans>
                ) : undefined
              }
            >
              <LinkButton to="/cells/$id" params={{ id }} aria-label={t`See ${name}`}>
                <Trans>See</Trans>
              </LinkButton>
            </Line>
          ))}
        </Lines>
      )}
    </AgendaCard>
  );
}
