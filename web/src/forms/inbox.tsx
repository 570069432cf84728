import { Trans, useLingui } from "@lingui/react/macro";
import { getRouteApi } from "@tanstack/react-router";
import { Failure } from "../app/failure.tsx";
import { useHolds } from "../app/may.ts";
import { orderOf, QUEUE_SIZE, usePublicQueue } from "../data/public-queue.ts";
import { QueueLines, useQueueKinds } from "../joining/queue-lines.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatNumber } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import styles from "./forms.module.css";

const route = getRouteApi("/frame/inbox");

/** Everything from outside of the church that waits for a decision. */
export function Inbox() {
  const { t } = useLingui();
  const kinds = useQueueKinds();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const order = orderOf(search.order);
  const { data, error, hasMore, isReadingMore, more, refetch } = usePublicQueue(
    kinds,
    QUEUE_SIZE,
    order,
  );
  const seesForms = useHolds("forms:read");
  return (
    <Page
      title={<Trans>From the public</Trans>}
      documentTitle={t`From the public`}
      beside={data && <span role="status">{formatNumber(data.total)}</span>}
    >
      {error && !data && <Failure error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={200} />}
      {data?.entries.length === 0 && (
        <EmptyState
          title={<Trans>Nothing waits for a decision</Trans>}
          actions={
            seesForms && (
              <LinkButton to="/forms">
                <Trans>See the forms</Trans>
              </LinkButton>
            )
          }
        >
          <Trans>Answers to forms, and requests to join or to enroll, appear here.</Trans>
        </EmptyState>
      )}
      {data && data.entries.length > 0 && (
        <div className={styles.narrow}>
          {data.entries.length > 1 && (
            <div>
              <Segments
                label={t`Order`}
                value={order}
                options={[
                  ["oldest", t({ message: "Oldest first", context: "queue" })],
                  ["newest", t({ message: "Newest first", context: "queue" })],
                ]}
                onChange={(next) =>
                  void navigate({
                    search: { order: next === "newest" ? next : undefined },
                    replace: true,
                  })
                }
              />
            </div>
          )}
          <Card title={<Trans>To decide</Trans>}>
            <QueueLines
              key={search.open}
              entries={data.entries}
              order={order}
              opened={search.open}
            />
          </Card>
          {hasMore && (
            <Button busy={isReadingMore} onClick={more}>
              <Trans>Show more</Trans>
            </Button>
          )}
        </div>
      )}
    </Page>
  );
}
