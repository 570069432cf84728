import { Trans, useLingui } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Ban, Ellipsis, X } from "lucide-react";
import type { VestryError } from "@vestry/sdk";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { holds } from "../app/may.ts";
import { FailureWords } from "../app/problem-words.tsx";
import { useSession } from "../app/session.tsx";
import { useUndo } from "../app/undo.tsx";
import { decideSubmission } from "../data/forms.ts";
import { requestOptions, type RequestType } from "../data/join-requests.ts";
import {
  entryAfter,
  type QueueEntry,
  type QueueKind,
  type QueueOrder,
} from "../data/public-queue.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { formatMoment } from "../ui/format.ts";
import { MenuButton } from "../ui/popover.tsx";
import { Decider, useDecision } from "./decider.tsx";
import styles from "./joining.module.css";

const DecideRequest = lazy(() =>
  import("./decide-request.tsx").then((late) => ({ default: late.DecideRequest })),
);

/** The kinds of requests that the caller decides. */
export function useQueueKinds(): QueueKind[] {
  const session = useSession();
  const kinds: readonly (readonly [QueueKind, string])[] = [
    ["form-submissions", "form-submissions:write"],
    ["cell-join-requests", "cell-join-requests:approve"],
    ["course-enrollment-requests", "course-enrollments:write"],
  ];
  return kinds.filter(([, needed]) => holds(session, needed)).map(([kind]) => kind);
}

/** Opens the entry after one that was decided. Requests open over the queue, and submissions on a page of their own. */
function useNext(entries: readonly QueueEntry[], order: QueueOrder | undefined) {
  const navigate = useNavigate();
  return (decided: string): QueueEntry | undefined => {
    const next = order && entryAfter(entries, decided);
    if (next?.kind !== "form-submissions") return next;
    void navigate({
      to: "/forms/$id/submissions/$submission",
      params: { id: next.place.id, submission: next.id },
      search: { next: order },
    });
    return undefined;
  };
}

/**
 * One line for each request, which leads to its decision. With an `order`, the lines are the whole queue: after a decision the next
 * entry opens. `opened` is the request that is open at first.
 */
export function QueueLines({
  entries,
  order,
  opened,
}: {
  entries: readonly QueueEntry[];
  order?: QueueOrder | undefined;
  opened?: string | undefined;
}) {
  const client = useQueryClient();
  const [deciding, setDeciding] = useState(() => entries.find(({ id }) => id === opened));
  const setAside = useSetAside();
  const next = useNext(entries, order);
  function close({ kind, id }: QueueEntry): void {
    if (kind === "form-submissions") return;
    const request = client.getQueryData(requestOptions(kind, id).queryKey);
    setDeciding(request && request.status !== "pending" ? next(id) : undefined);
  }
  return (
    <>
      {setAside.error && (
        <p role="alert">
          <FailureWords error={setAside.error} />
        </p>
      )}
      <div className={styles.queue}>
        <Lines>
          {entries.map((entry) =>
            entry.kind === "form-submissions" ? (
              <SubmissionLine key={entry.id} entry={entry} order={order} setAside={setAside.run} />
            ) : (
              <RequestLine
                key={entry.id}
                kind={entry.kind}
                entry={entry}
                onDecide={() => setDeciding(entry)}
              />
            ),
          )}
        </Lines>
      </div>
      {deciding && deciding.kind !== "form-submissions" && (
        <Suspense>
          <DecideRequest
            key={deciding.id}
            type={deciding.kind}
            id={deciding.id}
            onClose={() => close(deciding)}
          />
        </Suspense>
      )}
    </>
  );
}

/** The first answer, the place and the day of an entry. */
function Detail({ entry: { kind, place, says, at } }: { entry: QueueEntry }) {
  return (
    <>
      {says && <bdi className={styles.says}>{says}</bdi>}
      <span className={styles.place}>
        {kind === "form-submissions" ? (
          <bdi>{place.name}</bdi>
        ) : kind === "cell-join-requests" ? (
          <Trans>wants to join {place.name}</Trans>
        ) : (
          <Trans>wants to enroll in {place.name}</Trans>
        )}
        <span className={styles.at}>{formatMoment(at, "day")}</span>
      </span>
    </>
  );
}

/** The whole line is the link or the button. The word says so when a pointer is over it. */
function Acts({ children }: { children?: ReactNode }) {
  return (
    <span className={styles.acts}>
      <span className={styles.hint} aria-hidden="true">
        <Trans>Decide</Trans>
      </span>
      {children}
    </span>
  );
}

function SubmissionLine({
  entry,
  order,
  setAside,
}: {
  entry: QueueEntry;
  order: QueueOrder | undefined;
  setAside: (submission: QueueEntry, status: Aside) => void;
}) {
  const { t } = useLingui();
  const { id, photo, place } = entry;
  const name = entry.name || t`Without a name`;
  return (
    <Line
      face={<Avatar name={name} photo={photo} />}
      title={
        <Link
          to="/forms/$id/submissions/$submission"
          params={{ id: place.id, submission: id }}
          search={{ next: order }}
          className={styles.open}
          aria-label={t`Decide: ${name}`}
        >
          {name}
        </Link>
      }
      detail={<Detail entry={entry} />}
    >
      <Acts>
        <MenuButton
          trigger={{ iconOnly: true, label: t`More about ${name}`, icon: <Ellipsis size={18} /> }}
          entries={[
            {
              id: "decline",
              label: t`Decline`,
              icon: <X size={16} />,
              onSelect: () => setAside(entry, "rejected"),
            },
            {
              id: "spam",
              label: t`Spam`,
              icon: <Ban size={16} />,
              onSelect: () => setAside(entry, "spam"),
            },
          ]}
        />
      </Acts>
    </Line>
  );
}

function RequestLine({
  kind,
  entry,
  onDecide,
}: {
  kind: RequestType;
  entry: QueueEntry;
  onDecide: () => void;
}) {
  const { t } = useLingui();
  const { id, photo } = entry;
  const name = entry.name || t`Without a name`;
  const { decider, mayDecide } = useDecision(kind, id);
  return (
    <Line
      face={<Avatar name={name} photo={photo} />}
      title={
        mayDecide ? (
          <button
            type="button"
            className={styles.open}
            onClick={onDecide}
            aria-label={t`Decide: ${name}`}
          >
            {name}
          </button>
        ) : (
          name
        )
      }
      detail={<Detail entry={entry} />}
    >
      {mayDecide ? <Acts /> : decider !== undefined && <Decider decider={decider} />}
    </Line>
  );
}

type Aside = "rejected" | "spam";

/** Declines a submission or marks it as spam. Both can be taken back. */
export function useSetAside(onDone?: () => void, onFail?: (error: VestryError) => void) {
  const { t } = useLingui();
  const undo = useUndo();
  const write = useWrite(
    (
      {
        submission,
        status,
      }: { submission: { id: string; $etag?: string | undefined }; status: Aside },
      { idempotencyKey },
    ) => decideSubmission(submission, { status }, idempotencyKey),
    {
      touches: ["form-submissions", "forms"],
      onDone: (written, { status }) => {
        undo(
          status === "spam" ? t`Marked as spam` : t`Declined`,
          ["form-submissions", "forms"],
          () => decideSubmission(written, { status: "new" }, newIntent().idempotencyKey),
        );
        onDone?.();
      },
    },
  );
  return {
    error: write.error,
    isPending: write.isPending,
    run: (submission: { id: string; $etag?: string | undefined }, status: Aside) =>
      write.mutate(
        { values: { submission, status }, intent: newIntent() },
        { ...(onFail && { onError: onFail }) },
      ),
  };
}
