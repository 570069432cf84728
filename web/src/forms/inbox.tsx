import { Trans, useLingui } from "@lingui/react/macro";
import { Failure } from "../app/failure.tsx";
import { useHolds } from "../app/may.ts";
import { usePublicQueue } from "../data/public-queue.ts";
import { QueueLines, useQueueKinds } from "../joining/queue-lines.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatNumber } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { EmptyState, Skeleton } from "../ui/states.tsx";
import styles from "./forms.module.css";

/** Of each kind, for one page. */
const SIZE = 50;

/** Everything from outside of the church that waits for a decision. */
export function Inbox() {
  const { t } = useLingui();
  const kinds = useQueueKinds();
  const { data, error, hasMore, isReadingMore, more, refetch } = usePublicQueue(kinds, SIZE);
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
          <Card title={<Trans>To decide</Trans>}>
            <QueueLines entries={data.entries} />
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
