import { plural } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { FailureWords } from "../app/problem-words.tsx";
import { WriteDialog } from "../app/write-dialog.tsx";
import { type Added, addEach } from "../data/add-to-group.ts";
import { addToGroup } from "../data/people-search.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { CellCombo } from "../records/cell-combo.tsx";
import { useCellWords } from "../records/cell-words.ts";
import { cellRoles } from "../records/enums.ts";
import { Button } from "../ui/button.tsx";
import type { Option } from "../ui/combo-field.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { SelectField } from "../ui/field.tsx";
import { formatList } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";

const ROLES = ["participant", "visitor", "host", "trainee", "co-leader", "leader"] as const;
type Role = (typeof ROLES)[number];
type Named = { id: string; name: string };

/** Puts one or more people into a group. Those who were refused stay on the screen, each with the reason. */
export default function AddToGroup({
  count,
  people,
  onClose,
}: {
  count: number;
  people: () => Promise<readonly Named[]>;
  onClose: () => void;
}) {
  const { t, i18n } = useLingui();
  const { one: cellWord } = useCellWords();
  const [group, setGroup] = useState<Option | null>(null);
  const [role, setRole] = useState<Role>("participant");
  const write = useWrite(
    async (cell: Option, { idempotencyKey }) =>
      addEach(
        await people(),
        (person, key) => addToGroup(cell.id, person.id, role, key),
        idempotencyKey,
      ),
    {
      touches: ["cell-memberships", "cells", "people"],
      onDone: ({ added, present, refused }, cell) => {
        const [first] = added;
        if (first)
          toast(
            added.length === 1
              ? t`${first.name} is now in ${cell.label}`
              : t`${plural(added.length, { one: `# person is now in ${cell.label}`, other: `# people are now in ${cell.label}` })}`,
            undefined,
            [{ label: t`See the group`, to: "/cells/$id", params: { id: cell.id } }],
          );
        if (present.length + refused.length === 0) onClose();
      },
    },
  );
  if (write.data && group)
    return <Rest result={write.data} group={group.label} onClose={onClose} />;
  return (
    <WriteDialog
      title={<Plural value={count} one="Add to a group" other="Add # people to a group" />}
      onClose={onClose}
      action={<Trans>Add</Trans>}
      write={write}
      onAct={() => group && write.mutate({ values: group, intent: newIntent() })}
      reason={group ? undefined : t`Choose a group first.`}
    >
      <CellCombo name="cell" label={cellWord} value={group} onChange={setGroup} autoFocus />
      <SelectField
        label={<Trans>Role</Trans>}
        value={role}
        options={ROLES.map((one) => [one, i18n._(cellRoles[one])])}
        onChange={({ currentTarget: { value } }) => setRole(value as Role)}
      />
    </WriteDialog>
  );
}

/** Those who were not added. */
function Rest({
  result: { added, present, refused },
  group,
  onClose,
}: {
  result: Added;
  group: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={<bdi>{group}</bdi>} onClose={onClose} isAlert>
      {added.length > 0 && (
        <p>
          <Plural value={added.length} one="# person was added." other="# people were added." />
        </p>
      )}
      {present.length > 0 && (
        <p>
          <Trans>In the group already: {formatList(present.map(({ name }) => name))}</Trans>
        </p>
      )}
      {refused.length > 0 && (
        <>
          <p>
            <Plural
              value={refused.length}
              one="# person was not added:"
              other="# people were not added:"
            />
          </p>
          <ul>
            {refused.map(({ person, error }) => (
              <li key={person.id}>
                <bdi>{person.name}</bdi>: <FailureWords error={error} />
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogButtons>
        <Button kind="filled" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
