import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import type { SheetRow, StoredReport } from "../data/meetings.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { Segments } from "../ui/segments.tsx";
import { differingRows, draftOf, mergeReports, type SheetDraft, withMark } from "./draft.ts";
import { useMarkWords } from "./mark-words.ts";
import styles from "./report.module.css";

/** Two people reported one meeting: both reports row by row, mine where I have a mark. */
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
        {differingRows(mine, other, rows).map(({ personId, fullName }) => (
          <div key={personId} className={styles.difference}>
            <bdi>{fullName}</bdi>
            <Segments
              label={fullName}
              value={merged.marks[personId] === mine.marks[personId] ? "mine" : "theirs"}
              options={[
                ["mine", t`Mine: ${words(mine.marks[personId])}`],
                ["theirs", t`Theirs: ${words(other.marks[personId])}`],
              ]}
              onChange={(choice) =>
                setMerged((old) =>
                  withMark(old, personId, (choice === "mine" ? mine : other).marks[personId]),
                )
              }
            />
          </div>
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
