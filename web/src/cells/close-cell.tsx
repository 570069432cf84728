import { Plural, Trans } from "@lingui/react/macro";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import { type CellRecord, closeCell } from "../data/cells.ts";
import { newIntent, useWrite } from "../data/write.ts";
import type { Option } from "../ui/combo-field.tsx";
import { TextField } from "../ui/field.tsx";
import { CellCombo } from "../records/cell-combo.tsx";

/** Closing ends the memberships, cancels meetings and declines requests. Members can move to another group. */
export function CloseCell({
  cell,
  members,
  onClose,
}: {
  cell: CellRecord;
  members: number | undefined;
  onClose: () => void;
}) {
  const [target, setTarget] = useState<Option | null>(null);
  const [reason, setReason] = useState("");
  const write = useWrite(
    (_: undefined, { idempotencyKey }) =>
      closeCell(
        {
          "cell": cell.id,
          "moved-to": target?.id,
          "closing-reason": reason.trim() || null,
        },
        idempotencyKey,
      ),
    {
      touches: ["cells", "cell-memberships", "cell-meetings", "cell-join-requests", "people"],
      onDone: onClose,
    },
  );
  return (
    <WriteDialog
      title={<Trans>Close {cell.name}?</Trans>}
      onClose={onClose}
      isAlert
      action={<Trans>Close the group</Trans>}
      write={write}
      onAct={() => write.mutate({ values: undefined, intent: newIntent() })}
    >
      <p>
        {members !== undefined && (
          <Plural value={members} one="# membership ends." other="# memberships end." />
        )}{" "}
        <Trans>Planned meetings are canceled, and open requests are declined.</Trans>
      </p>
      <CellCombo
        name="moved-to"
        label={<Trans>Move the members to</Trans>}
        help={<Trans>Without a group, the members belong to none.</Trans>}
        value={target}
        onChange={setTarget}
        exclude={cell.id}
      />
      <TextField
        label={<Trans>Reason</Trans>}
        value={reason}
        maxLength={500}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </WriteDialog>
  );
}
