import { plural } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { useUndo } from "../app/undo.tsx";
import { WriteDialog } from "../app/write-dialog.tsx";
import { type CellRecord, type Member, takeTransferBack, transferMembers } from "../data/cells.ts";
import { newIntent, useWrite } from "../data/write.ts";
import type { Option } from "../ui/combo-field.tsx";
import { TextField } from "../ui/field.tsx";
import { formatList, today } from "../ui/format.ts";
import { CellCombo } from "../records/cell-combo.tsx";

/** The names of more people would push the fields out of sight. */
const MOST_NAMED = 10;

const TOUCHES = ["cell-memberships", "cells", "people"] as const;

/** Moves people to another group in one step: all of them, or none. */
export function TransferMembers({
  cell,
  members,
  onClose,
}: {
  cell: CellRecord;
  members: Member[];
  onClose: (isDone: boolean) => void;
}) {
  const { t } = useLingui();
  const undo = useUndo();
  const names = members.map(({ person }) => person["full-name"]);
  const others = names.length - MOST_NAMED;
  const [target, setTarget] = useState<Option | null>(null);
  const [day, setDay] = useState(today());
  const write = useWrite(
    (to: string, { idempotencyKey }) =>
      transferMembers(
        { "memberships": members.map(({ id }) => id), "to-cell": to, "transferred-on": day },
        idempotencyKey,
      ),
    {
      touches: TOUCHES,
      onDone: (transfer) => {
        undo(t`Transferred to ${target?.label ?? ""}`, TOUCHES, () => takeTransferBack(transfer));
        onClose(true);
      },
    },
  );
  return (
    <WriteDialog
      title={
        <Plural
          value={members.length}
          one="Transfer # person to another group"
          other="Transfer # people to another group"
        />
      }
      action={<Trans>Transfer</Trans>}
      write={write}
      onAct={() => target && write.mutate({ values: target.id, intent: newIntent() })}
      reason={target ? undefined : t`Choose a group first.`}
      onClose={() => onClose(false)}
    >
      <p>
        {formatList(
          others > 1
            ? [
                ...names.slice(0, MOST_NAMED),
                t`${plural(others, { one: "# other person", other: "# other people" })}`,
              ]
            : names,
        )}
      </p>
      <CellCombo
        name="to-cell"
        label={<Trans context="group">To</Trans>}
        value={target}
        onChange={setTarget}
        exclude={cell.id}
      />
      <TextField
        label={<Trans context="day">On</Trans>}
        type="date"
        value={day}
        onChange={({ currentTarget: { value } }) => setDay(value)}
      />
    </WriteDialog>
  );
}
