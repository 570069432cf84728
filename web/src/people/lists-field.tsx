import { Trans, useLingui } from "@lingui/react/macro";
import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "../ui/button.tsx";
import { countries } from "../ui/countries.ts";
import { Group, SelectField, TextField } from "../ui/field.tsx";
import styles from "./person.module.css";

type ListProps<Entry> = {
  name: string;
  label: ReactNode;
  value: readonly Entry[];
  onChange: (value: Entry[]) => void;
  error?: ReactNode;
  errorOf: (path: string) => ReactNode;
};

/** Rows that are added and removed. */
function Rows<Entry>({
  name,
  label,
  value,
  onChange,
  error,
  empty,
  most,
  removeLabel,
  children,
}: Omit<ListProps<Entry>, "errorOf"> & {
  empty: Entry;
  most: number;
  removeLabel: (number: number) => string;
  children: (entry: Entry, index: number, change: (entry: Entry) => void) => ReactNode;
}) {
  return (
    <Group name={name} label={label} error={error}>
      {value.map((entry, index) => (
        <div key={index} className={styles.listRow}>
          {children(entry, index, (next) => onChange(value.with(index, next)))}
          <IconButton
            label={removeLabel(index + 1)}
            icon={<Trash2 size={18} />}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {value.length < most && (
        <div>
          <Button icon={<Plus size={16} />} onClick={() => onChange([...value, empty])}>
            <Trans>Add</Trans>
          </Button>
        </div>
      )}
    </Group>
  );
}

export function EmailsField({ errorOf, ...rest }: ListProps<string>) {
  const { t } = useLingui();
  return (
    <Rows {...rest} empty="" most={5} removeLabel={(number) => t`Remove address ${number}`}>
      {(email, index, change) => (
        <TextField
          label={t`Address ${index + 1}`}
          name={`${rest.name}.${index}`}
          type="email"
          dir="ltr"
          autoComplete="off"
          maxLength={254}
          value={email}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          error={errorOf(String(index))}
        />
      )}
    </Rows>
  );
}

type IdentityDocument = { kind: string; number: string; country?: string | null };

export function IdentityDocumentsField({ errorOf, ...rest }: ListProps<IdentityDocument>) {
  const { t } = useLingui();
  const places = [["", "–"] as const, ...countries()];
  return (
    <Rows
      {...rest}
      empty={{ kind: "", number: "" }}
      most={5}
      removeLabel={(number) => t`Remove document ${number}`}
    >
      {(document, index, change) => (
        <div className={styles.documents}>
          <TextField
            label={t`Kind`}
            name={`${rest.name}.${index}.kind`}
            maxLength={40}
            autoComplete="off"
            value={document.kind}
            onChange={({ currentTarget }) => change({ ...document, kind: currentTarget.value })}
            error={errorOf(`${index}.kind`)}
          />
          <TextField
            label={t`Number`}
            name={`${rest.name}.${index}.number`}
            maxLength={60}
            dir="ltr"
            autoComplete="off"
            value={document.number}
            onChange={({ currentTarget }) => change({ ...document, number: currentTarget.value })}
            error={errorOf(`${index}.number`)}
          />
          <SelectField
            label={t`Country`}
            name={`${rest.name}.${index}.country`}
            value={document.country ?? ""}
            onChange={({ currentTarget }) =>
              change({ ...document, country: currentTarget.value || null })
            }
            options={places}
            error={errorOf(`${index}.country`)}
          />
        </div>
      )}
    </Rows>
  );
}
