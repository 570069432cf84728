import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Unreachable } from "@vestry/sdk";
import { Check, CheckCheck, Pencil, Share2, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Failure } from "../app/failure.tsx";
import { useSession } from "../app/session.tsx";
import type { SheetRow } from "../data/meetings.ts";
import {
  addTypedVisitor,
  attributesOf,
  type Counts,
  countsOf,
  markAll,
  MOST_ENTRIES,
  type SheetDraft,
  toggle,
  withMark,
} from "../data/sheets/draft.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { Counter } from "../ui/counter.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { TextArea, TextField } from "../ui/field.tsx";
import { formatDate, formatDateTitle, formatMoment } from "../ui/format.ts";
import { MarkRow, MarkRows } from "../ui/mark-row.tsx";
import { useNameSearch } from "../ui/name-search.tsx";
import { Page } from "../ui/page.tsx";
import { Segments } from "../ui/segments.tsx";
import { Banner, ErrorState, Skeleton } from "../ui/states.tsx";
import { clearToasts, toast } from "../ui/toasts.tsx";
import { AddVisitor } from "./add-visitor.tsx";
import { OutboxStatus } from "./outbox-status.tsx";
import styles from "./report.module.css";
import { useSheet } from "./use-sheet.ts";

const RowDetails = lazy(() =>
  import("./row-details.tsx").then((late) => ({ default: late.RowDetails })),
);
const TwoReports = lazy(() =>
  import("./two-reports.tsx").then((late) => ({ default: late.TwoReports })),
);

const CopyReport = lazy(() =>
  import("./copy-report.tsx").then((late) => ({ default: late.CopyReport })),
);
const Supervisor = lazy(() =>
  import("./supervisor.tsx").then((late) => ({ default: late.Supervisor })),
);

const route = getRouteApi("/frame/cells/$id/meetings/$meeting");

const CLOSED = "report-closed";

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
  const isEditing = mode === "edit";
  const namesTooMany = (attributesOf(draft, sheet.rows).attendance?.length ?? 0) > MOST_ENTRIES;
  const isClosed =
    !isEditing &&
    (sheet.mayReport === CLOSED || (mode === "refused" && state.entry?.problem?.code === CLOSED));
  const mayCancel = isEditing && (sheet.report?.isSubmitted || state.entry !== undefined);
  const hasMarks = counts.came + counts.excused + counts.visitors > 0;

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
        {isClosed && (
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
        {isEditing && (
          <div className={styles.top}>
            <Segments
              label={t`Did the group meet?`}
              value={draft.isHeld ? "held" : "not-held"}
              options={[
                ["held", t({ message: "Met", context: "choice" })],
                ["not-held", t({ message: "Did not meet", context: "choice" })],
              ]}
              onChange={(value) => state.change((old) => ({ ...old, isHeld: value === "held" }))}
            />
            {draft.isHeld && (
              <Button icon={<CheckCheck size={18} />} onClick={allCame}>
                <Trans>All came</Trans>
              </Button>
            )}
          </div>
        )}
        {draft.isHeld ? (
          <>
            <div className={styles.question}>
              <h2>
                <Trans>Who came?</Trans>
              </h2>
              {isEditing && (
                <p>
                  <Trans>Tap each person who came.</Trans>
                </p>
              )}
            </div>
            {search}
            <Rows
              rows={found.filter(({ isMember }) => isMember)}
              label={t`Members`}
              draft={draft}
              onChange={isEditing ? state.change : undefined}
              onDetails={isEditing ? setDetails : undefined}
            />
            {found.some(({ isMember }) => !isMember) && (
              <>
                <h2>
                  <Trans>Visitors</Trans>
                </h2>
                <Rows
                  rows={found.filter(({ isMember }) => !isMember)}
                  label={t`Visitors`}
                  draft={draft}
                  onChange={isEditing ? state.change : undefined}
                  onDetails={isEditing ? setDetails : undefined}
                />
              </>
            )}
            <Visitors draft={draft} onChange={isEditing ? state.change : undefined} />
            <More draft={draft} onChange={isEditing ? state.change : undefined} />
          </>
        ) : isEditing ? (
          <TextField
            label={<Trans>Why did the group not meet?</Trans>}
            value={draft.notHeldReason}
            maxLength={300}
            onChange={({ currentTarget: { value } }) =>
              state.change((old) => ({ ...old, notHeldReason: value }))
            }
          />
        ) : (
          <p>
            <Trans>The group did not meet: {draft.notHeldReason}</Trans>
          </p>
        )}
      </div>
      <div className={`${styles.bar} ${mayCancel ? styles.pair : ""}`} data-bar>
        {/* Beside the button that was pressed, since the top of the page may be out of view. */}
        {mode === "reported" && (
          <span className={styles.sent} role="status">
            <Chip tone="good" icon={<Check size={14} />}>
              {sheet.submittedAt ? (
                <Trans>Sent {formatMoment(sheet.submittedAt)}</Trans>
              ) : (
                <Trans>Sent</Trans>
              )}
            </Chip>
          </span>
        )}
        <CountsLine counts={counts} isHeld={draft.isHeld} />
        {isEditing && (
          <>
            {mayCancel && (
              <Button onClick={state.cancel}>
                <Trans>Cancel</Trans>
              </Button>
            )}
            <Button
              kind="filled"
              onClick={send}
              reason={
                !draft.isHeld && draft.notHeldReason.trim() === ""
                  ? t`Say first why the group did not meet.`
                  : namesTooMany
                    ? t`A report can name at most 300 people. Remove some marks, and write to the supervisor how many more came.`
                    : undefined
              }
            >
              <Trans>Send report</Trans>
            </Button>
          </>
        )}
        {mode === "conflict" && (
          <Button kind="filled" onClick={() => void query.refetch().then(() => setComparing(true))}>
            <Trans>Compare</Trans>
          </Button>
        )}
        {mode === "refused" && (
          <>
            <IconButton
              label={t`Delete this report from the phone`}
              icon={<Trash2 size={18} />}
              onClick={discard}
            />
            <Suspense>
              <CopyReport sheet={sheet} draft={draft} />
            </Suspense>
          </>
        )}
        {mode === "reported" && <Share sheet={sheet.cellName} date={sheet.date} counts={counts} />}
        {(mode === "waiting" ||
          (mode === "refused" && !state.isLost && !isClosed) ||
          (mode === "reported" && sheet.mayReport === true)) && (
          <Button icon={<Pencil size={16} />} onClick={state.correct}>
            <Trans>Correct</Trans>
          </Button>
        )}
      </div>
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
        <Dialog title={<Trans>Nobody came?</Trans>} onClose={() => setAsking(false)} isAlert>
          <DialogButtons>
            <Button onClick={() => setAsking(false)}>
              <Trans>Back</Trans>
            </Button>
            <Button
              onClick={() => {
                setAsking(false);
                state.change((old) => ({ ...old, isHeld: false }));
              }}
            >
              <Trans>We did not meet</Trans>
            </Button>
            <Button
              kind="filled"
              onClick={() => {
                setAsking(false);
                void state.send();
              }}
            >
              <Trans>Send</Trans>
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </Page>
  );
}

type Change = ((apply: (draft: SheetDraft) => SheetDraft) => void) | undefined;

function Rows({
  rows,
  label,
  draft,
  onChange,
  onDetails,
}: {
  rows: SheetRow[];
  label: string;
  draft: SheetDraft;
  onChange: Change;
  onDetails: ((row: SheetRow) => void) | undefined;
}) {
  const { t } = useLingui();
  return (
    <MarkRows label={label}>
      {rows.map((row) => {
        const { personId, fullName, preferredName, photo, isMember } = row;
        const mark = draft.marks[personId];
        const name = preferredName ?? fullName;
        return (
          <MarkRow
            key={personId}
            name={name}
            fullName={name === fullName ? undefined : fullName}
            photo={photo}
            isMarked={mark === "present" || mark === "online"}
            hasNote={Boolean(draft.notes[personId])}
            detailsLabel={t`More about ${name}`}
            onToggle={onChange && (() => onChange((old) => toggle(old, personId)))}
            onDetails={onDetails && (() => onDetails(row))}
            second={
              isMember
                ? {
                    label: t`Excused`,
                    isOn: mark === "excused",
                    onPress: () =>
                      onChange?.((old) =>
                        withMark(old, personId, mark === "excused" ? undefined : "excused"),
                      ),
                  }
                : undefined
            }
          />
        );
      })}
    </MarkRows>
  );
}

/** New people with their names, and a counter for those without. */
function Visitors({ draft, onChange }: { draft: SheetDraft; onChange: Change }) {
  const { t } = useLingui();
  return (
    <div className={styles.visitors}>
      {draft.visitors.map((visitor, index) => (
        <div key={`${index} ${visitor["full-name"]}`} className={styles.visitor}>
          <bdi className={styles.visitorName}>{visitor["full-name"]}</bdi>
          {onChange && (
            <IconButton
              label={t`Remove ${visitor["full-name"]}`}
              icon={<Trash2 size={16} />}
              onClick={() =>
                onChange((old) => ({
                  ...old,
                  visitors: old.visitors.filter((one) => one !== visitor),
                }))
              }
            />
          )}
        </div>
      ))}
      {onChange && <AddVisitor draft={draft} onChange={onChange} />}
    </div>
  );
}

function More({ draft, onChange }: { draft: SheetDraft; onChange: Change }) {
  const { t } = useLingui();
  if (!onChange)
    return (
      <>
        {draft.theme && (
          <p>
            <Trans>Theme: {draft.theme}</Trans>
          </p>
        )}
        {draft.summary && <p>{draft.summary}</p>}
      </>
    );
  return (
    <div className={styles.more}>
      <div>
        <Counter
          label={<Trans>Visitors without a name</Trans>}
          value={draft.unnamedVisitors}
          lessLabel={t`One visitor less`}
          moreLabel={t`One visitor more`}
          onChange={(value) => onChange((old) => ({ ...old, unnamedVisitors: value }))}
        />
        <Counter
          label={<Trans>Children</Trans>}
          value={draft.children ?? 0}
          lessLabel={t`One child less`}
          moreLabel={t`One child more`}
          onChange={(value) => onChange((old) => ({ ...old, children: value }))}
        />
      </div>
      <TextField
        label={<Trans>Theme</Trans>}
        value={draft.theme}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => onChange((old) => ({ ...old, theme: value }))}
      />
      <TextArea
        label={<Trans>For the supervisor</Trans>}
        value={draft.summary}
        maxLength={10_000}
        onChange={({ currentTarget: { value } }) => onChange((old) => ({ ...old, summary: value }))}
      />
    </div>
  );
}

function CountsLine({ counts, isHeld }: { counts: Counts; isHeld: boolean }) {
  const { t } = useLingui();
  if (!isHeld)
    return (
      <div className={styles.counts}>
        <strong>
          <Trans>Did not meet</Trans>
        </strong>
      </div>
    );
  const { came, members, visitors, excused, missing } = counts;
  const parts = [
    t`${plural(visitors, { 0: "no visitors", one: "# visitor", other: "# visitors" })}`,
    excused > 0 && t`${plural(excused, { one: "# excused", other: "# excused" })}`,
    missing > 0 && t`${plural(missing, { one: "# missing", other: "# missing" })}`,
  ];
  return (
    <div className={styles.counts} role="status">
      <strong>
        <Trans>
          {came} of {members} came
        </Trans>
      </strong>
      <span>{parts.filter(Boolean).join(" · ")}</span>
    </div>
  );
}

/** The summary of a report, for the group's chat. */
function Share({ sheet, date, counts }: { sheet: string; date: string; counts: Counts }) {
  const { t } = useLingui();
  const { came, members, visitors } = counts;
  const day = formatDate(date, "day");
  const text = t`${sheet}, ${day}: ${came} of ${members}, ${plural(visitors, { 0: "no visitors", one: "# visitor", other: "# visitors" })}`;
  async function share() {
    // Closing the sheet of the system rejects, and so does a browser without permission.
    if (navigator.share) await navigator.share({ text }).catch(() => undefined);
    else {
      await navigator.clipboard.writeText(text);
      toast(t`Copied: ${text}`);
    }
  }
  return (
    <IconButton
      label={t`Share the numbers`}
      icon={<Share2 size={18} />}
      onClick={() => void share()}
    />
  );
}
