import { Trans } from "@lingui/react/macro";
import { ProblemWords } from "../app/problem-words.tsx";
import type { OutboxEntry } from "../data/sheets/outbox.ts";
import { formatMoment } from "../ui/format.ts";
import { Banner } from "../ui/states.tsx";

/** The state of a report in words. */
export function OutboxStatus({
  entry,
  isSending,
  isStored,
  isOffline,
  isLost,
}: {
  entry: OutboxEntry | undefined;
  isSending: boolean;
  isStored: boolean;
  isOffline: boolean;
  /** The person can no longer see the meeting. */
  isLost: boolean;
}) {
  if (!isStored)
    return (
      <Banner tone="bad">
        <Trans>
          This browser stores nothing on this device. Keep this page open until the report is sent.
        </Trans>
      </Banner>
    );
  if (entry?.state === "waiting")
    return (
      <Banner>
        {isSending ? (
          <Trans>Sending the report…</Trans>
        ) : (
          <Trans>
            Saved on this phone at {formatMoment(entry.queuedAt, "time")}. Waiting for connection,
            then the report is sent.
          </Trans>
        )}
      </Banner>
    );
  if (entry?.state === "refused" && isLost)
    return (
      <Banner tone="bad">
        <Trans>
          The report was refused, because you no longer lead this group or the meeting was deleted.
          It is still on this phone. Copy it for the people who lead the group now, then delete it
          here.
        </Trans>
      </Banner>
    );
  if (entry?.state === "refused")
    return (
      <Banner tone="bad">
        <Trans>
          The report was refused and is still on this phone:{" "}
          {entry.problem && <ProblemWords problem={entry.problem} />}
        </Trans>
      </Banner>
    );
  if (entry?.state === "conflict")
    return (
      <Banner>
        <Trans>This meeting was also reported on another device. Compare the two reports.</Trans>
      </Banner>
    );
  if (isOffline)
    return (
      <Banner>
        <Trans>No connection. Your entries stay on this phone and are sent later.</Trans>
      </Banner>
    );
  return null;
}
