import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import { addMember, type CellRecord, type Member } from "../data/cells.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { PersonCombo } from "../records/person-combo.tsx";
import { LinkButton } from "../ui/button.tsx";
import { SelectField } from "../ui/field.tsx";
import { toast } from "../ui/toasts.tsx";
import { cellRoles } from "./words.ts";

const ROLES = ["participant", "visitor", "host", "trainee", "co-leader", "leader"] as const;

/** Adds a person who is known already. The dialog stays open for the next one. */
export function AddMember({
  cell,
  members,
  onClose,
}: {
  cell: CellRecord;
  members: Member[];
  onClose: () => void;
}) {
  const { t, i18n } = useLingui();
  const [person, setPerson] = useState<{ id: string; label: string }>();
  const [role, setRole] = useState<(typeof ROLES)[number]>("participant");
  const write = useWrite(
    (id: string, { idempotencyKey }) =>
      addMember({ "cell": cell.id, "person": id, "cell-role": role }, idempotencyKey),
    {
      touches: ["cell-memberships", "cells", "people"],
      onDone: () => {
        toast(t`${person?.label ?? ""} is now in ${cell.name}`);
        setPerson(undefined);
      },
    },
  );
  return (
    <WriteDialog
      title={<Trans>Add a member</Trans>}
      onClose={onClose}
      action={<Trans>Add</Trans>}
      write={write}
      onAct={() => person && write.mutate({ values: person.id, intent: newIntent() })}
      reason={person ? undefined : t`Choose a person first.`}
      extra={
        <LinkButton to="/people/new" kind="quiet">
          <Trans>The person is new</Trans>
        </LinkButton>
      }
      cancel={<Trans>Done</Trans>}
    >
      <PersonCombo
        name="person"
        label={<Trans>Person</Trans>}
        value={person?.id}
        exclude={members.map((member) => member.person.id)}
        onChange={(id, option) => setPerson(id && option ? { id, label: option.label } : undefined)}
        autoFocus
      />
      <SelectField
        label={<Trans>Role</Trans>}
        value={role}
        options={ROLES.map((one) => [one, i18n._(cellRoles[one])])}
        onChange={({ currentTarget: { value } }) => setRole(value as typeof role)}
      />
    </WriteDialog>
  );
}
