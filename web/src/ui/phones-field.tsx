import { Trans, useLingui } from "@lingui/react/macro";
import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Button, IconButton } from "./button.tsx";
import { CheckField, Group, TextField } from "./field.tsx";
import styles from "./compound.module.css";

export type PhoneValue = {
  readonly number: string;
  readonly label?: string | null | undefined;
  readonly "is-primary"?: boolean | null | undefined;
  readonly "is-whatsapp"?: boolean | null | undefined;
};

const MOST = 10;

/** Any number of telephone numbers, one of them the primary one. They are typed the usual way. */
export function PhonesField({
  name,
  label,
  value,
  onChange,
  error,
  errorOf,
}: {
  name: string;
  label: ReactNode;
  value: readonly PhoneValue[];
  onChange: (value: PhoneValue[]) => void;
  error?: ReactNode;
  errorOf: (path: string) => ReactNode;
}) {
  const { t } = useLingui();
  const radios = useId();
  const labels = useId();
  const change = (index: number, part: Partial<PhoneValue>) =>
    onChange(value.map((phone, at) => (at === index ? { ...phone, ...part } : phone)));
  return (
    <Group name={name} label={label} error={error}>
      {value.map((phone, index) => (
        <div key={index} className={styles.entry}>
          <div className={styles.steady}>
            <div className={styles.wide}>
              <TextField
                label={t`Number ${index + 1}`}
                name={`${name}.${index}.number`}
                type="tel"
                inputMode="tel"
                autoComplete="off"
                dir="ltr"
                value={phone.number}
                onChange={({ currentTarget }) => change(index, { number: currentTarget.value })}
                error={errorOf(`${index}.number`)}
              />
            </div>
            <div className={styles.kind}>
              <TextField
                label={<Trans>Kind</Trans>}
                name={`${name}.${index}.label`}
                list={labels}
                autoComplete="off"
                maxLength={40}
                value={phone.label ?? ""}
                onChange={({ currentTarget }) =>
                  change(index, { label: currentTarget.value || null })
                }
                error={errorOf(`${index}.label`)}
              />
            </div>
            <IconButton
              label={t`Remove number ${index + 1}`}
              icon={<Trash2 size={18} />}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            />
          </div>
          <div className={styles.options}>
            <CheckField
              label="WhatsApp"
              checked={phone["is-whatsapp"] === true}
              onChange={({ currentTarget }) =>
                change(index, { "is-whatsapp": currentTarget.checked })
              }
            />
            {value.length > 1 && (
              <CheckField
                label={<Trans>Call this one first</Trans>}
                type="radio"
                name={radios}
                checked={phone["is-primary"] === true}
                onChange={() =>
                  onChange(value.map((one, at) => ({ ...one, "is-primary": at === index })))
                }
              />
            )}
          </div>
        </div>
      ))}
      <datalist id={labels}>
        {[t`mobile`, t`home`, t`work`].map((word) => (
          <option key={word}>{word}</option>
        ))}
      </datalist>
      {value.length < MOST && (
        <div>
          <Button
            icon={<Plus size={16} />}
            onClick={() =>
              onChange([
                ...value,
                { number: "", ...(value.length === 0 && { "is-primary": true }) },
              ])
            }
          >
            <Trans>Add a number</Trans>
          </Button>
        </div>
      )}
    </Group>
  );
}

/** The numbers without empty rows. One of them is the primary one. */
export function orderedPhones(phones: readonly PhoneValue[]): PhoneValue[] {
  const kept = phones.filter(({ number }) => number.trim() !== "");
  if (kept.length === 0 || kept.some((phone) => phone["is-primary"] === true)) return kept;
  return kept.map((phone, index) => (index === 0 ? { ...phone, "is-primary": true } : phone));
}
