import { Trans, useLingui } from "@lingui/react/macro";
import { VestryError } from "@vestry/sdk";
import { type ReactNode, useState } from "react";
import { samePeople } from "../data/people-search.ts";
import type { Sameness, Typed } from "../data/same-person.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Button, LinkButton } from "../ui/button.tsx";
import { Line, Lines } from "../ui/card.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";

type Found = Awaited<ReturnType<typeof samePeople>>;

/**
 * Asks before a person who seems to be in the church already is added once more. `check` saves at once if there is no such person. If
 * nobody can be read now, the save says why.
 */
export function useAlreadyHere(): {
  check: (typed: Typed, save: () => void) => void;
  isChecking: boolean;
  question: ReactNode;
} {
  const [isChecking, setChecking] = useState(false);
  const [asked, setAsked] = useState<{ found: Found; save: () => void }>();
  async function look(typed: Typed, save: () => void): Promise<void> {
    setChecking(true);
    const found = await samePeople(typed).catch((error: unknown): Found => {
      if (error instanceof VestryError) return [];
      throw error;
    });
    setChecking(false);
    if (found.length > 0) setAsked({ found, save });
    else save();
  }
  const close = () => setAsked(undefined);
  return {
    check: (typed, save) => void look(typed, save),
    isChecking,
    question: asked && (
      <AlreadyHere
        found={asked.found}
        onClose={close}
        onSave={() => {
          close();
          asked.save();
        }}
      />
    ),
  };
}

function AlreadyHere({
  found,
  onClose,
  onSave,
}: {
  found: Found;
  onClose: () => void;
  onSave: () => void;
}) {
  const { t } = useLingui();
  const words: Record<Sameness, string> = {
    phone: t`The same telephone`,
    email: t`The same e-mail address`,
    birthday: t`The same name and birthday`,
  };
  return (
    <Dialog title={<Trans>Already here?</Trans>} onClose={onClose} isAlert>
      <Lines>
        {found.map(({ person, by }) => (
          <Line
            key={person.id}
            face={<Avatar name={person["full-name"]} photo={person["photo-url"]} />}
            title={person["full-name"]}
            detail={words[by]}
          >
            <LinkButton
              to="/people/$id"
              params={{ id: person.id }}
              onClick={onClose}
              aria-label={t`Open ${person["full-name"]}`}
            >
              <Trans>Open</Trans>
            </LinkButton>
          </Line>
        ))}
      </Lines>
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Back</Trans>
        </Button>
        <Button kind="filled" onClick={onSave}>
          <Trans>Save anyway</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
