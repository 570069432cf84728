import { Trans, useLingui } from "@lingui/react/macro";
import { UserPlus } from "lucide-react";
import { useRef, useState } from "react";
import type { Visitor } from "../data/meetings.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import styles from "./report.module.css";

/** The form stays open after a visitor was added, because visitors often come in pairs. */
export function AddVisitor({
  isFull,
  onAdd,
}: {
  isFull: boolean;
  onAdd: (visitor: Visitor) => void;
}) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  if (!isOpen || isFull)
    return (
      <div>
        <Button
          icon={<UserPlus size={18} />}
          reason={
            isFull
              ? t`A report can add at most 100 visitors. Count the others as visitors without a name.`
              : undefined
          }
          onClick={() => setOpen(true)}
        >
          <Trans>Add a visitor</Trans>
        </Button>
      </div>
    );

  function add(data: FormData) {
    const name = (data.get("full-name") as string).trim();
    if (name === "") return;
    onAdd({ "full-name": name, phone: (data.get("phone") as string).trim() || null });
    form.current?.reset();
    form.current?.querySelector("input")?.focus();
  }

  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        add(new FormData(event.currentTarget));
      }}
    >
      <TextField
        label={<Trans>Name</Trans>}
        name="full-name"
        maxLength={255}
        autoComplete="off"
        autoFocus
        required
      />
      <TextField
        label={<Trans>Phone, if known</Trans>}
        name="phone"
        type="tel"
        dir="ltr"
        autoComplete="off"
      />
      <div className={styles.buttons}>
        <Button type="submit">
          <Trans>Add</Trans>
        </Button>
        <Button kind="quiet" onClick={() => setOpen(false)}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </form>
  );
}
