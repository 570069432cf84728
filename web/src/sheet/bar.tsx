import { plural } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Check, Pencil, Share2, Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import type { Sheet } from "../data/meetings.ts";
import { attributesOf, type Counts, MOST_ENTRIES, type SheetDraft } from "../data/sheets/draft.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { formatDate, formatMoment } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import styles from "./report.module.css";
import type { SheetMode, SheetState } from "./use-sheet.ts";

const CopyReport = lazy(() =>
  import("./copy-report.tsx").then((late) => ({ default: late.CopyReport })),
);

type BarProps = {
  state: SheetState;
  sheet: Sheet;
  draft: SheetDraft;
  counts: Counts;
  onSend: () => void;
  onCompare: () => void;
  onDiscard: () => void;
};

/** The bar below the report has its numbers and the buttons of its mode. */
export function Bar(props: BarProps) {
  const { state, sheet, draft, counts } = props;
  const { t } = useLingui();
  const Actions = ACTIONS[state.mode];
  return (
    <div
      className={`${styles.bar} ${state.isCorrection ? styles.pair : ""}`}
      data-bar
      role="group"
      aria-label={t`Report`}
      tabIndex={-1}
    >
      {/* Beside the button that was pressed, since the top of the page may be out of view. */}
      {state.mode === "reported" && <Sent at={sheet.submittedAt} />}
      <CountsLine counts={counts} isHeld={draft.isHeld} />
      <Actions {...props} />
    </div>
  );
}

/** The buttons of each mode. */
const ACTIONS: Record<SheetMode, (props: BarProps) => ReactNode> = {
  edit: EditActions,
  waiting: ({ state }) => <Correct state={state} />,
  refused: RefusedActions,
  conflict: ({ onCompare }) => (
    <Button kind="filled" onClick={onCompare}>
      <Trans>Compare</Trans>
    </Button>
  ),
  reported: ({ state, sheet, counts }) => (
    <>
      <Share sheet={sheet.cellName} date={sheet.date} counts={counts} />
      {sheet.mayReport === true && <Correct state={state} />}
    </>
  ),
  closed: () => null,
};

function EditActions({ state, sheet, draft, onSend }: BarProps) {
  const { t } = useLingui();
  const namesTooMany = (attributesOf(draft, sheet.rows).attendance?.length ?? 0) > MOST_ENTRIES;
  return (
    <>
      {state.isCorrection && (
        <Button onClick={state.cancel}>
          <Trans>Cancel</Trans>
        </Button>
      )}
      <Button
        kind="filled"
        onClick={onSend}
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
  );
}

function RefusedActions({ state, sheet, draft, onDiscard }: BarProps) {
  const { t } = useLingui();
  return (
    <>
      <IconButton
        label={t`Delete this report from the phone`}
        icon={<Trash2 size={18} />}
        onClick={onDiscard}
      />
      <Suspense>
        <CopyReport sheet={sheet} draft={draft} />
      </Suspense>
      {!state.isLost && !state.isClosed && <Correct state={state} />}
    </>
  );
}

const Correct = ({ state }: { state: SheetState }) => (
  <Button icon={<Pencil size={16} />} onClick={state.correct}>
    <Trans>Correct</Trans>
  </Button>
);

const Sent = ({ at }: { at: string | null }) => (
  <span className={styles.sent} role="status">
    <Chip tone="good" icon={<Check size={14} />}>
      {at ? <Trans>Sent {formatMoment(at)}</Trans> : <Trans>Sent</Trans>}
    </Chip>
  </span>
);

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
