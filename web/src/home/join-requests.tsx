import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { pendingRequestsOptions } from "../data/home.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { Count } from "../ui/chip.tsx";
import { AgendaCard } from "./agenda-card.tsx";

const DecideRequest = lazy(() =>
  import("../joining/decide-request.tsx").then((late) => ({ default: late.DecideRequest })),
);

export function JoinRequests() {
  const query = useQuery(pendingRequestsOptions);
  const [deciding, setDeciding] = useState<string>();
  return (
    <>
      <AgendaCard
        query={query}
        isEmpty={({ items }) => items.length === 0}
        title={<Trans>Want to join</Trans>}
        count={({ items, total }) => <Count value={total ?? items.length} tone="accent" />}
      >
        {({ items }) => (
          <Lines>
            {items.map(({ id, person, contact, cell }) => {
              const name = person?.["full-name"] ?? contact?.["full-name"] ?? "";
              return (
                <Line
                  key={id}
                  face={<Avatar name={name} photo={person?.["photo-url"]} />}
                  title={name}
                  detail={cell.name}
                >
                  <Button onClick={() => setDeciding(id)}>
                    <Trans>Decide</Trans>
                  </Button>
                </Line>
              );
            })}
          </Lines>
        )}
      </AgendaCard>
      {deciding && (
        <Suspense>
          <DecideRequest id={deciding} onClose={() => setDeciding(undefined)} />
        </Suspense>
      )}
    </>
  );
}
