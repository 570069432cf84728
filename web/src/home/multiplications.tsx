import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { proposedMultiplicationsOptions } from "../data/home.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { AgendaCard } from "./agenda-card.tsx";

export function Multiplications() {
  const query = useQuery(proposedMultiplicationsOptions);
  return (
    <AgendaCard
      query={query}
      isEmpty={({ items }) => items.length === 0}
      title={<Trans>Multiplications to decide</Trans>}
    >
      {({ items }) => (
        <Lines>
          {items.map(({ id, "parent-cell": cell, "new-cell": newCell }) => (
            <Line
              key={id}
              face={<Avatar name={cell.name} />}
              title={newCell.name}
              detail={<Trans>from {cell.name}</Trans>}
            >
              <LinkButton to="/cells/$id/multiply" params={{ id: cell.id }}>
                <Trans>Decide</Trans>
              </LinkButton>
            </Line>
          ))}
        </Lines>
      )}
    </AgendaCard>
  );
}
