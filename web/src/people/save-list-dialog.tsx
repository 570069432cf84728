import { Trans, useLingui } from "@lingui/react/macro";
import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import styles from "./list.module.css";

/** Asks for the name of a list. */
export default function SaveListDialog({
  onSave,
  onClose,
}: {
  onSave: (name: string) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    onSave(name.trim());
    onClose();
  };
  return (
    <Dialog title={<Trans>Save as list</Trans>} onClose={onClose}>
      <form onSubmit={submit} className={styles.form}>
        <TextField
          label={t`Name`}
          help={
            <Trans>
              The list is kept on this device. It always shows the people who match now.
            </Trans>
          }
          value={name}
          maxLength={80}
          required
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
        <DialogButtons>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="filled" type="submit">
            <Trans>Save</Trans>
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
