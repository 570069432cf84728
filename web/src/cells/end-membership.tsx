import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import { type CellRecord, changeMember, type Member } from "../data/cells.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import { today } from "../ui/format.ts";
import { leftReasons } from "./words.ts";

/** Ends a membership. A person who returns gets a new one, so there is no undo. */
export function EndMembership({
  cell,
  member,
  onClose,
}: {
  cell: CellRecord;
  member: Member;
  onClose: () => void;
}) {
  const { i18n } = useLingui();
  const [day, setDay] = useState(today());
  const [reason, setReason] = useState<keyof typeof leftReasons>("other");
  const write = useWrite(
    (_: undefined, { idempotencyKey }) =>
      changeMember(
        member.id,
        { "status": "left", "left-on": day, "left-reason": reason },
        { etag: member.$etag, idempotencyKey },
      ),
    { touches: ["cell-memberships", "cells", "people"], onDone: onClose },
  );
  const name = member.person["full-name"];
  return (
    <WriteDialog
      title={
        <Trans>
          End the membership of {name} in {cell.name}
        </Trans>
      }
      onClose={onClose}
      isAlert
      action={<Trans>End the membership</Trans>}
      write={write}
      onAct={() => write.mutate({ values: undefined, intent: newIntent() })}
    >
      <TextField
        label={<Trans>Last day</Trans>}
        type="date"
        value={day}
        min={member["joined-on"]}
        onChange={({ currentTarget: { value } }) => setDay(value)}
      />
      <SelectField
        label={<Trans>Reason</Trans>}
        value={reason}
        options={Object.entries(leftReasons).map(([value, words]) => [value, i18n._(words)])}
        onChange={({ currentTarget: { value } }) => setReason(value as typeof reason)}
      />
    </WriteDialog>
  );
}
