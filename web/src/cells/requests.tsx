import { Trans } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import type { CellJoinRequest, Person } from "@vestry/sdk";
import { lazy, Suspense, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { DecideButton } from "../joining/decide-button.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/text.tsx";

const DecideRequest = lazy(() =>
  import("../joining/decide-request.tsx").then((late) => ({ default: late.DecideRequest })),
);

type Request = Pick<CellJoinRequest, "id" | "contact" | "created-at"> & {
  person: Pick<Person, "full-name" | "photo-url"> | { id: string } | null;
};

/** Requests to join that wait for a decision. */
export function Requests({ query }: { query: UseQueryResult<Request[]> }) {
  const [deciding, setDeciding] = useState<string>();
  const requests = query.data;
  if (requests === undefined)
    return query.error ? (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton height={120} />
    );
  if (requests.length === 0)
    return <EmptyState title={<Trans>No request waits for a decision</Trans>} />;
  return (
    <>
      <Lines>
        {requests.map(({ id, person, contact, "created-at": createdAt }) => {
          const known = person && "full-name" in person ? person : undefined;
          const name = known?.["full-name"] ?? contact?.["full-name"] ?? "";
          return (
            <Line
              key={id}
              face={<Avatar name={name} photo={known?.["photo-url"]} />}
              title={name}
              detail={<Time moment={createdAt} />}
            >
              <DecideButton
                type="cell-join-requests"
                id={id}
                name={name}
                onDecide={() => setDeciding(id)}
              />
            </Line>
          );
        })}
      </Lines>
      {deciding && (
        <Suspense>
          <DecideRequest
            type="cell-join-requests"
            id={deciding}
            onClose={() => setDeciding(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
