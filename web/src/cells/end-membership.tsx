import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { FailureWords } from "../app/problem-words.tsx";
import { type CellRecord, changeMember, type Member } from "../data/cells.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { today } from "../ui/format.ts";
import { Banner } from "../ui/states.tsx";
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
    <Dialog
      title={
        <Trans>
          End the membership of {name} in {cell.name}
        </Trans>
      }
      onClose={onClose}
      isAlert
    >
      {write.error && (
        <Banner tone="bad">
          <FailureWords error={write.error} />
        </Banner>
      )}
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
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="filled"
          busy={write.isPending}
          onClick={() => write.mutate({ values: undefined, intent: newIntent() })}
        >
          <Trans>End the membership</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
