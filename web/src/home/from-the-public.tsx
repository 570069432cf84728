import { Trans } from "@lingui/react/macro";
import { type QueueKind, usePublicQueue } from "../data/public-queue.ts";
import { QueueLines } from "../joining/queue-lines.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Count } from "../ui/chip.tsx";
import { AgendaCard } from "./agenda-card.tsx";

const ROWS = 6;

/** What came from outside of the church and waits for a decision, the oldest first. */
export function FromThePublic({ kinds }: { kinds: readonly QueueKind[] }) {
  const query = usePublicQueue(kinds, ROWS);
  return (
    <AgendaCard
      query={query}
      isEmpty={({ entries }) => entries.length === 0}
      title={<Trans>From the public</Trans>}
      count={({ total }) => <Count value={total} tone="accent" />}
      action={
        <LinkButton kind="quiet" to="/inbox">
          <Trans>All</Trans>
        </LinkButton>
      }
    >
      {({ entries }) => <QueueLines entries={entries.slice(0, ROWS)} />}
    </AgendaCard>
  );
}
