import { Plural, Trans } from "@lingui/react/macro";
import { VestryError } from "@vestry/sdk";
import { useEffect, useEffectEvent, useState } from "react";
import { closeSession } from "../data/close-session.ts";
import { countUnsent } from "../data/sheets/sender.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { FormFailure } from "./attempt.tsx";
import { closeOver } from "./opened.ts";
import { useSession } from "./session.tsx";

type Question = { unsent: number; error?: VestryError | undefined };

/** Ends the session. A dialog opens if reports would be lost, or if the service cannot be reached. */
export default function LogOut() {
  const { person } = useSession();
  const [question, setQuestion] = useState<Question>();
  const [isBusy, setBusy] = useState(false);

  async function logOut(unsent: number): Promise<void> {
    setBusy(true);
    try {
      await closeSession(person.id);
      location.assign("/login");
    } catch (error) {
      if (!(error instanceof VestryError)) throw error;
      setQuestion({ unsent, error });
      setBusy(false);
    }
  }

  const onCounted = useEffectEvent((unsent: number) => {
    if (unsent > 0) setQuestion({ unsent });
    else void logOut(0);
  });
  useEffect(() => {
    void countUnsent(person.id).then((unsent) => onCounted(unsent));
  }, [person.id]);

  if (question === undefined) return null;
  return (
    <Dialog title={<Trans>Log out?</Trans>} onClose={closeOver} isAlert>
      {question.unsent > 0 && (
        <p>
          <Plural
            value={question.unsent}
            one="# report on this device was not sent yet. Logging out deletes it."
            other="# reports on this device were not sent yet. Logging out deletes them."
          />
        </p>
      )}
      <FormFailure error={question.error} />
      <DialogButtons>
        <Button onClick={closeOver}>
          <Trans>Stay logged in</Trans>
        </Button>
        <Button kind="danger" busy={isBusy} onClick={() => void logOut(question.unsent)}>
          <Trans>Log out</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
