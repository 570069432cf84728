import { Unreachable } from "@vestry/sdk";
import { Failure } from "../app/failure.tsx";
import type { ReactNode } from "react";
import { Card } from "../ui/card.tsx";
import { Skeleton } from "../ui/states.tsx";

type Read<Data> = { data: Data | undefined; error: Error | null; refetch: () => unknown };

/** A card with one read. It is absent when there is nothing to do, and while a first read is quick. */
export function AgendaCard<Data>({
  query,
  isEmpty,
  title,
  count,
  action,
  children,
}: {
  query: Read<Data>;
  isEmpty: (data: Data) => boolean;
  title: ReactNode;
  count?: (data: Data) => ReactNode;
  action?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error } = query;
  // The frame says once that there is no connection.
  if (data === undefined && error instanceof Unreachable) return null;
  if (data === undefined)
    return error ? (
      <Card title={title}>
        <Failure error={error} onRetry={() => void query.refetch()} />
      </Card>
    ) : (
      <Skeleton height={120} />
    );
  if (isEmpty(data)) return null;
  return (
    <Card title={title} count={count?.(data)} action={action}>
      {children(data)}
    </Card>
  );
}
