import { Plural, Trans } from "@lingui/react/macro";
import { VestryError } from "@vestry/sdk";
import { useEffect, useEffectEvent, useState } from "react";
import { closeSession } from "../data/close-session.ts";
import { countBegun } from "../data/sheets/device-sheets.ts";
import { countUnsent } from "../data/sheets/sender.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { FormFailure } from "./attempt.tsx";
import { leave } from "./leave.ts";
import { closeOver } from "./opened.ts";
import { useSession } from "./session.tsx";

/** The reports that the log-out deletes: those on their way, and those that were only begun. */
type Lost = { unsent: number; begun: number };
type Question = Lost & { error?: VestryError | undefined };

/** Ends the session. A dialog opens if reports would be lost, or if the service cannot be reached. */
export default function LogOut() {
  const { person } = useSession();
  const [question, setQuestion] = useState<Question>();
  const [isBusy, setBusy] = useState(false);

  async function logOut(lost: Lost): Promise<void> {
    setBusy(true);
    try {
      await closeSession(person.id);
      leave(() => location.assign("/login"));
    } catch (error) {
      if (!(error instanceof VestryError)) throw error;
      setQuestion({ ...lost, error });
      setBusy(false);
    }
  }

  const onCounted = useEffectEvent((unsent: number, begun: number) => {
    if (unsent + begun > 0) setQuestion({ unsent, begun });
    else void logOut({ unsent, begun });
  });
  useEffect(() => {
    const counts = Promise.all([countUnsent(person.id), countBegun(person.id)]);
    void counts.then(([unsent, begun]) => onCounted(unsent, begun));
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
      {question.begun > 0 && (
        <p>
          <Plural
            value={question.begun}
            one="# report was begun on this device and not sent. Logging out deletes it."
            other="# reports were begun on this device and not sent. Logging out deletes them."
          />
        </p>
      )}
      <FormFailure error={question.error} />
      <DialogButtons>
        <Button onClick={closeOver}>
          <Trans>Stay logged in</Trans>
        </Button>
        <Button kind="danger" busy={isBusy} onClick={() => void logOut(question)}>
          <Trans>Log out</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
