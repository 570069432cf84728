import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import type { SheetRow, StoredReport } from "../data/meetings.ts";
import {
  contradictionsOf,
  type DraftField,
  draftOf,
  mergeReports,
  type SheetDraft,
  withMark,
} from "../data/sheets/draft.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { Segments } from "../ui/segments.tsx";
import { useMarkWords } from "./mark-words.ts";
import styles from "./report.module.css";

/** Two people reported one meeting: everything on which the reports differ, mine where I have a mark. */
export function TwoReports({
  mine,
  theirs,
  rows,
  onSend,
  onKeepTheirs,
  onClose,
}: {
  mine: SheetDraft;
  theirs: StoredReport;
  rows: SheetRow[];
  onSend: (draft: SheetDraft) => void;
  onKeepTheirs: () => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const words = useMarkWords();
  const other = draftOf(theirs);
  const [merged, setMerged] = useState(() => mergeReports(mine, theirs));
  const { fields, marks, notes } = contradictionsOf(mine, other, rows);
  const labels: Record<DraftField, string> = {
    isHeld: t`Did the group meet?`,
    notHeldReason: t`Why did the group not meet?`,
    theme: t`Theme`,
    summary: t`For the supervisor`,
    children: t`Children`,
    unnamedVisitors: t`Visitors without a name`,
  };
  const shown = (draft: SheetDraft, field: DraftField): string =>
    field === "isHeld" ? (draft.isHeld ? t`Met` : t`Did not meet`) : String(draft[field]);
  return (
    <Dialog
      title={<Trans>This meeting was also reported on another device</Trans>}
      onClose={onClose}
      isFullOnPhones
    >
      <p>
        <Trans>Choose where the two reports differ. Nothing is sent before you press Send.</Trans>
      </p>
      <div className={styles.differences}>
        {fields.map((field) => (
          <Difference
            key={field}
            label={labels[field]}
            mine={shown(mine, field)}
            theirs={shown(other, field)}
            isMine={merged[field] === mine[field]}
            onChoose={(isMine) =>
              setMerged((old) => ({ ...old, [field]: (isMine ? mine : other)[field] }))
            }
          />
        ))}
        {marks.map(({ personId, fullName }) => (
          <Difference
            key={personId}
            label={fullName}
            mine={words(mine.marks[personId])}
            theirs={words(other.marks[personId])}
            isMine={merged.marks[personId] === mine.marks[personId]}
            onChoose={(isMine) =>
              setMerged((old) => withMark(old, personId, (isMine ? mine : other).marks[personId]))
            }
          />
        ))}
        {notes.map(({ personId, fullName }) => (
          <Difference
            key={personId}
            label={t`Note about ${fullName}`}
            mine={mine.notes[personId] ?? ""}
            theirs={other.notes[personId] ?? ""}
            isMine={merged.notes[personId] === mine.notes[personId]}
            onChoose={(isMine) =>
              setMerged((old) => ({
                ...old,
                notes: { ...old.notes, [personId]: (isMine ? mine : other).notes[personId] ?? "" },
              }))
            }
          />
        ))}
      </div>
      <DialogButtons>
        <Button onClick={onKeepTheirs}>
          <Trans>Keep the other report</Trans>
        </Button>
        <Button kind="filled" onClick={() => onSend(merged)}>
          <Trans>Send</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Difference({
  label,
  mine,
  theirs,
  isMine,
  onChoose,
}: {
  label: string;
  mine: string;
  theirs: string;
  isMine: boolean;
  onChoose: (isMine: boolean) => void;
}) {
  const { t } = useLingui();
  return (
    <div className={styles.difference}>
      <bdi>{label}</bdi>
      <Segments
        label={label}
        value={isMine ? "mine" : "theirs"}
        options={[
          ["mine", t`Mine: ${mine}`],
          ["theirs", t`Theirs: ${theirs}`],
        ]}
        onChange={(choice) => onChoose(choice === "mine")}
      />
    </div>
  );
}
