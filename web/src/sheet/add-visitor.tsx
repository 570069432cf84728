import { Trans, useLingui } from "@lingui/react/macro";
import { UserPlus } from "lucide-react";
import { useRef, useState } from "react";
import { addTypedVisitor, MOST_VISITORS, type SheetDraft } from "../data/sheets/draft.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import styles from "./report.module.css";

const NOBODY = { "full-name": "", phone: "" };

/** The form stays open after a visitor was added, because visitors often come in pairs. The draft keeps what stands in it. */
export function AddVisitor({
  draft: { typedVisitor, visitors },
  onChange,
}: {
  draft: SheetDraft;
  onChange: (apply: (draft: SheetDraft) => SheetDraft) => void;
}) {
  const { t } = useLingui();
  const [wasOpened, setOpened] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const isFull = visitors.length >= MOST_VISITORS;
  if ((!wasOpened && !typedVisitor) || isFull)
    return (
      <div>
        <Button
          icon={<UserPlus size={18} />}
          reason={
            isFull
              ? t`A report can add at most 100 visitors. Count the others as visitors without a name.`
              : undefined
          }
          onClick={() => setOpened(true)}
        >
          <Trans>Add a visitor</Trans>
        </Button>
      </div>
    );

  const { "full-name": name, phone } = typedVisitor ?? NOBODY;
  const type = (changes: Partial<typeof NOBODY>) =>
    onChange((old) => ({
      ...old,
      typedVisitor: { ...NOBODY, ...old.typedVisitor, ...changes },
    }));
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === "") return;
        setOpened(true);
        onChange(addTypedVisitor);
        form.current?.querySelector("input")?.focus();
      }}
    >
      <TextField
        label={<Trans>Name</Trans>}
        name="full-name"
        value={name}
        onChange={({ currentTarget }) => type({ "full-name": currentTarget.value })}
        maxLength={255}
        autoComplete="off"
        autoFocus={wasOpened}
        required
      />
      <TextField
        label={<Trans>Phone, if known</Trans>}
        name="phone"
        value={phone ?? ""}
        onChange={({ currentTarget }) => type({ phone: currentTarget.value })}
        type="tel"
        dir="ltr"
        autoComplete="off"
      />
      <div className={styles.buttons}>
        <Button type="submit">
          <Trans>Add</Trans>
        </Button>
        <Button
          kind="quiet"
          onClick={() => {
            setOpened(false);
            onChange(addTypedVisitor);
          }}
        >
          <Trans>Done</Trans>
        </Button>
      </div>
    </form>
  );
}
