import { Trans, useLingui } from "@lingui/react/macro";
import { Ban, Ellipsis, X } from "lucide-react";
import type { VestryError } from "@vestry/sdk";
import { lazy, Suspense, useState } from "react";
import { holds } from "../app/may.ts";
import { FailureWords } from "../app/problem-words.tsx";
import { useSession } from "../app/session.tsx";
import { useUndo } from "../app/undo.tsx";
import { decideSubmission } from "../data/forms.ts";
import type { QueueEntry, QueueKind } from "../data/public-queue.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Avatar } from "../ui/avatar.tsx";
import { LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { formatMoment } from "../ui/format.ts";
import { MenuButton } from "../ui/popover.tsx";
import { DecideButton } from "./decide-button.tsx";

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

/** One line for each request, with its decision. */
export function QueueLines({ entries }: { entries: readonly QueueEntry[] }) {
  const { t } = useLingui();
  const [deciding, setDeciding] = useState<QueueEntry>();
  const setAside = useSetAside();
  return (
    <>
      {setAside.error && (
        <p role="alert">
          <FailureWords error={setAside.error} />
        </p>
      )}
      <Lines>
        {entries.map((entry) => {
          const { kind, id, photo, place, at } = entry;
          const name = entry.name || t`Without a name`;
          return (
            <Line
              key={id}
              face={<Avatar name={name} photo={photo} />}
              title={name}
              detail={
                <>
                  {kind === "form-submissions" ? (
                    <bdi>{place.name}</bdi>
                  ) : kind === "cell-join-requests" ? (
                    <Trans>wants to join {place.name}</Trans>
                  ) : (
                    <Trans>wants to enroll in {place.name}</Trans>
                  )}
                  {" · "}
                  {formatMoment(at, "day")}
                </>
              }
            >
              {kind === "form-submissions" ? (
                <>
                  <LinkButton
                    to="/forms/$id/submissions/$submission"
                    params={{ id: place.id, submission: id }}
                    aria-label={t`Decide: ${name}`}
                  >
                    <Trans>Decide</Trans>
                  </LinkButton>
                  <MenuButton
                    trigger={{
                      iconOnly: true,
                      label: t`More about ${name}`,
                      icon: <Ellipsis size={18} />,
                    }}
                    entries={[
                      {
                        id: "decline",
                        label: t`Decline`,
                        icon: <X size={16} />,
                        onSelect: () => setAside.run(entry, "rejected"),
                      },
                      {
                        id: "spam",
                        label: t`Spam`,
                        icon: <Ban size={16} />,
                        onSelect: () => setAside.run(entry, "spam"),
                      },
                    ]}
                  />
                </>
              ) : (
                <DecideButton type={kind} id={id} name={name} onDecide={() => setDeciding(entry)} />
              )}
            </Line>
          );
        })}
      </Lines>
      {deciding && deciding.kind !== "form-submissions" && (
        <Suspense>
          <DecideRequest
            type={deciding.kind}
            id={deciding.id}
            onClose={() => setDeciding(undefined)}
          />
        </Suspense>
      )}
    </>
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
