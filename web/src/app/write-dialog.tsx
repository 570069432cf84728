import { Trans } from "@lingui/react/macro";
import type { VestryError } from "@vestry/sdk";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { FailureBanner } from "./problem-words.tsx";

/** A dialog that ends in one write: its content, the failure, and the buttons. The Enter key in a field writes, too. */
export function WriteDialog({
  title,
  action,
  onAct,
  write: { error, isPending },
  onClose,
  cancel = <Trans>Cancel</Trans>,
  extra,
  kind = "filled",
  reason,
  isAlert = kind === "danger",
  children,
}: {
  title: ReactNode;
  /** The words of the button that writes. */
  action: ReactNode;
  onAct: () => void;
  write: { error: VestryError | null; isPending: boolean };
  onClose: () => void;
  cancel?: ReactNode;
  /** A further button before the others. */
  extra?: ReactNode;
  kind?: "filled" | "danger";
  /** Why the write is impossible now. */
  reason?: string | undefined;
  isAlert?: boolean;
  children?: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose} isAlert={isAlert}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (reason === undefined && !isPending) onAct();
        }}
      >
        {children}
        <FailureBanner error={error} />
        <DialogButtons>
          {extra}
          <Button onClick={onClose}>{cancel}</Button>
          <Button type="submit" kind={kind} busy={isPending} reason={reason}>
            {action}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
