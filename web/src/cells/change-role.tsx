import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import { changeMember, type Member } from "../data/cells.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { SelectField } from "../ui/field.tsx";
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
    <WriteDialog
      title={<bdi>{name}</bdi>}
      onClose={onClose}
      action={<Trans>Save</Trans>}
      write={write}
      onAct={() =>
        role === member["cell-role"]
          ? onClose()
          : write.mutate({ values: { role, etag: member.$etag }, intent: newIntent() })
      }
    >
      <SelectField
        label={<Trans>Role</Trans>}
        value={role}
        options={Object.entries(cellRoles).map(([value, words]) => [value, i18n._(words)])}
        onChange={({ currentTarget: { value } }) => setRole(value as Role)}
      />
    </WriteDialog>
  );
}
