import { Trans, useLingui } from "@lingui/react/macro";
import { useState } from "react";
import { WriteDialog } from "../app/write-dialog.tsx";
import { addMember, createHousehold, searchHouseholds } from "../data/households.ts";
import { newIntent, useWrite } from "../data/write.ts";
import { householdRoles } from "../records/enums.ts";
import { ComboField, type Option } from "../ui/combo-field.tsx";
import { SelectField, TextField } from "../ui/field.tsx";

type Role = keyof typeof householdRoles;

/** Puts a person into a household that exists, or makes one with this person as its head. */
export function JoinHousehold({
  person,
  onClose,
}: {
  person: { id: string; "full-name": string; "last-name"?: string | null };
  onClose: () => void;
}) {
  const { t, i18n } = useLingui();
  const [household, setHousehold] = useState<Option | null>(null);
  const [role, setRole] = useState<Role>("spouse");
  const family = person["last-name"] ?? person["full-name"];
  const [name, setName] = useState(t`Family ${family}`);
  const join = useWrite(
    async (_: void, { idempotencyKey }) => {
      if (household)
        await addMember(
          { household: household.id, person: person.id, "household-role": role },
          idempotencyKey,
        );
      else await createHousehold({ name, "primary-contact": person.id }, idempotencyKey);
    },
    { touches: ["households", "people"], onDone: onClose },
  );
  return (
    <WriteDialog
      title={<Trans>Add to a household</Trans>}
      onClose={onClose}
      action={household ? <Trans>Add</Trans> : <Trans>Make the household</Trans>}
      write={join}
      onAct={() => join.mutate({ values: undefined, intent: newIntent() })}
    >
      <ComboField
        name="household"
        label={t`A household that exists`}
        value={household}
        onChange={setHousehold}
        search={async (text, signal) =>
          (await searchHouseholds(text, signal)).map(({ id, name: label }) => ({ id, label }))
        }
        autoFocus
      />
      {household ? (
        <SelectField
          label={t`Place in the household`}
          name="household-role"
          value={role}
          onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
          options={Object.entries(householdRoles).map(
            ([value, words]) => [value, i18n._(words)] as const,
          )}
        />
      ) : (
        <TextField
          label={t`Or the name of a new one`}
          name="name"
          autoComplete="off"
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
    </WriteDialog>
  );
}
