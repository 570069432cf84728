import { Trans, useLingui } from "@lingui/react/macro";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Unreachable } from "@vestry/sdk";
import { CheckCheck } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { useSession } from "../app/session.tsx";
import type { SheetRow } from "../data/meetings.ts";
import { addTypedVisitor, countsOf, markAll, type SheetDraft } from "../data/sheets/draft.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { formatDateTitle } from "../ui/format.ts";
import { useNameSearch } from "../ui/name-search.tsx";
import { Page } from "../ui/page.tsx";
import { Segments } from "../ui/segments.tsx";
import { Banner, ErrorState, Skeleton } from "../ui/states.tsx";
import { clearToasts, toast } from "../ui/toasts.tsx";
import { Bar } from "./bar.tsx";
import { type Change, MeetingFields } from "./meeting-fields.tsx";
import { OutboxStatus } from "./outbox-status.tsx";
import styles from "./report.module.css";
import { type SheetMode, useSheet } from "./use-sheet.ts";

const RowDetails = lazy(() =>
  import("./row-details.tsx").then((late) => ({ default: late.RowDetails })),
);
const TwoReports = lazy(() =>
  import("./two-reports.tsx").then((late) => ({ default: late.TwoReports })),
);
const Supervisor = lazy(() =>
  import("./supervisor.tsx").then((late) => ({ default: late.Supervisor })),
);

const route = getRouteApi("/frame/cells/$id/meetings/$meeting");

/** The report of a meeting, made for one thumb. */
export function Report() {
  const { t } = useLingui();
  const { id: cellId, meeting: meetingId } = route.useParams();
  const { date } = route.useSearch();
  const { person } = useSession();
  const state = useSheet(person.id, { cellId, meetingId, date });
  const { query, sheet, draft, mode } = state;
  const [details, setDetails] = useState<SheetRow>();
  const [isAsking, setAsking] = useState(false);
  const [isComparing, setComparing] = useState(false);

  useFocus(sheet && mode);

  const { found, search } = useNameSearch(sheet?.rows ?? [], (row) => [
    row.preferredName,
    row.fullName,
  ]);

  const title = sheet ? formatDateTitle(sheet.date) : t`Report`;
  const back = { to: "/cells/$id", params: { id: cellId }, label: t`Back to the group` } as const;
  if (!sheet || !draft)
    return (
      <Page title={title} documentTitle={title} back={back}>
        {query.error instanceof Unreachable ? (
          <ErrorState
            message={<Trans>The report cannot be shown without a connection.</Trans>}
            onRetry={() => void query.refetch()}
          />
        ) : query.error ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          Array.from({ length: 8 }, (_, index) => <Skeleton key={index} height={56} />)
        )}
      </Page>
    );

  const counts = countsOf(addTypedVisitor(draft), sheet.rows);
  const hasMarks = counts.came + counts.excused + counts.visitors > 0;
  const onChange: Change = mode === "edit" ? state.change : undefined;

  function send() {
    clearToasts();
    if (draft?.typedVisitor) state.change(addTypedVisitor);
    if (draft?.isHeld && !hasMarks) setAsking(true);
    else void state.send();
  }

  function discard() {
    const undo = state.discard();
    toast(t`The report was deleted from this phone`, undo);
  }

  function allCame() {
    const before = draft;
    state.change((old) => markAll(old, sheet?.rows ?? []));
    toast(t`The others are marked as present`, () =>
      state.change((old) => (before ? { ...old, marks: before.marks } : old)),
    );
  }

  return (
    <Page
      title={title}
      documentTitle={`${title} · ${sheet.cellName}`}
      back={back}
      beneath={
        <Link to="/cells/$id" params={{ id: sheet.cellId }}>
          <bdi>{sheet.cellName}</bdi>
        </Link>
      }
    >
      <div className={styles.sheet} data-covers-menu>
        <OutboxStatus
          entry={state.entry}
          isSending={state.isSending}
          isStored={state.isStored}
          isOffline={state.isKept}
          isLost={state.isLost}
        />
        {state.isClosed && (
          <>
            {mode !== "refused" && (
              <Banner>
                <Trans>
                  The time for reports of this meeting is over. Ask your supervisor to correct it.
                </Trans>
              </Banner>
            )}
            <Suspense>
              <Supervisor cellId={sheet.cellId} />
            </Suspense>
          </>
        )}
        {onChange && (
          <div className={styles.top}>
            <Segments
              label={t`Did the group meet?`}
              value={draft.isHeld ? "held" : "not-held"}
              options={[
                ["held", t({ message: "Met", context: "choice" })],
                ["not-held", t({ message: "Did not meet", context: "choice" })],
              ]}
              onChange={(value) => onChange((old) => ({ ...old, isHeld: value === "held" }))}
            />
            {draft.isHeld && (
              <Button icon={<CheckCheck size={18} />} onClick={allCame}>
                <Trans>All came</Trans>
              </Button>
            )}
          </div>
        )}
        {draft.isHeld ? (
          <MeetingFields
            rows={found}
            search={search}
            draft={draft}
            onChange={onChange}
            onDetails={setDetails}
          />
        ) : (
          <NotHeldReason draft={draft} onChange={onChange} />
        )}
      </div>
      <Bar
        state={state}
        sheet={sheet}
        draft={draft}
        counts={counts}
        onSend={send}
        onCompare={() => void query.refetch().then(() => setComparing(true))}
        onDiscard={discard}
      />
      <Suspense>
        {details && (
          <RowDetails
            row={details}
            draft={draft}
            onChange={state.change}
            onClose={() => setDetails(undefined)}
          />
        )}
        {isComparing && state.entry?.theirs && (
          <TwoReports
            mine={state.entry.draft}
            theirs={state.entry.theirs}
            rows={sheet.rows}
            onClose={() => setComparing(false)}
            onKeepTheirs={() => {
              setComparing(false);
              discard();
            }}
            onSend={(merged) => {
              setComparing(false);
              state.sendMerged(merged);
            }}
          />
        )}
      </Suspense>
      {isAsking && (
        <NobodyCame
          onClose={() => setAsking(false)}
          onNotHeld={() => state.change((old) => ({ ...old, isHeld: false }))}
          onSend={() => void state.send()}
        />
      )}
    </Page>
  );
}

/** A button that was pressed leaves with its mode. The focus goes to the first field, or to the numbers of the report. */
function useFocus(mode: SheetMode | undefined): void {
  const before = useRef<SheetMode>(undefined);
  useEffect(() => {
    const isNew = before.current === undefined || before.current === mode;
    before.current = mode;
    if (isNew || document.activeElement !== document.body) return;
    const next = mode === "edit" ? `.${styles.sheet} input:checked` : "[data-bar]";
    document.querySelector<HTMLElement>(next)?.focus({ preventScroll: true });
  }, [mode]);
}

function NotHeldReason({ draft, onChange }: { draft: SheetDraft; onChange: Change }) {
  if (!onChange)
    return (
      <p>
        <Trans>The group did not meet: {draft.notHeldReason}</Trans>
      </p>
    );
  return (
    <TextField
      label={<Trans>Why did the group not meet?</Trans>}
      value={draft.notHeldReason}
      maxLength={300}
      onChange={({ currentTarget: { value } }) =>
        onChange((old) => ({ ...old, notHeldReason: value }))
      }
    />
  );
}

/** Asks before a report without a mark, which is more often a group that did not meet. */
function NobodyCame({
  onClose,
  onNotHeld,
  onSend,
}: {
  onClose: () => void;
  onNotHeld: () => void;
  onSend: () => void;
}) {
  const closeAnd = (then: () => void) => () => {
    onClose();
    then();
  };
  return (
    <Dialog title={<Trans>Nobody came?</Trans>} onClose={onClose} isAlert>
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Back</Trans>
        </Button>
        <Button onClick={closeAnd(onNotHeld)}>
          <Trans>We did not meet</Trans>
        </Button>
        <Button kind="filled" onClick={closeAnd(onSend)}>
          <Trans>Send</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
