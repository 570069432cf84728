import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { FailureWords } from "../app/problem-words.tsx";
import { changeMember, type Member } from "../data/cells.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import { Banner } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import { cellRoles } from "./words.ts";

type Role = Member["cell-role"];

export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const [role, setRole] = useState<Role>(member["cell-role"]);
  const name = member.person["full-name"];
  const write = useWrite(
    (values: { role: Role; etag: string | undefined }, { idempotencyKey }) =>
      changeMember(member.id, { "cell-role": values.role }, { etag: values.etag, idempotencyKey }),
    {
      touches: ["cell-memberships", "cells"],
      onDone: (changed, values) => {
        if (values.role === member["cell-role"]) return;
        onClose();
        toast(t`${name}: ${i18n._(cellRoles[values.role])}`, () =>
          write.mutate({
            values: { role: member["cell-role"], etag: changed.$etag },
            intent: newIntent(),
          }),
        );
      },
    },
  );
  return (
    <Dialog title={<bdi>{name}</bdi>} onClose={onClose}>
      {write.error && (
        <Banner tone="bad">
          <FailureWords error={write.error} />
        </Banner>
      )}
      <SelectField
        label={<Trans>Role</Trans>}
        value={role}
        options={Object.entries(cellRoles).map(([value, words]) => [value, i18n._(words)])}
        onChange={({ currentTarget: { value } }) => setRole(value as Role)}
      />
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="filled"
          busy={write.isPending}
          onClick={() =>
            role === member["cell-role"]
              ? onClose()
              : write.mutate({ values: { role, etag: member.$etag }, intent: newIntent() })
          }
        >
          <Trans>Save</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
