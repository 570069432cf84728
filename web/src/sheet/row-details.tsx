import { Trans, useLingui } from "@lingui/react/macro";
import { MessageCircle, Phone } from "lucide-react";
import type { SheetRow } from "../data/meetings.ts";
import { type SheetDraft, withMark } from "../data/sheets/draft.ts";
import { Button, OutwardButton } from "../ui/button.tsx";
import { Dialog, DialogButtons } from "../ui/dialog.tsx";
import { CheckField, TextField } from "../ui/field.tsx";
import { whatsappLink } from "../ui/reach-links.ts";
import styles from "./report.module.css";

/** What else can be said about a person on the sheet, and how to reach the person. */
export function RowDetails({
  row,
  draft,
  onChange,
  onClose,
}: {
  row: SheetRow;
  draft: SheetDraft;
  onChange: (apply: (draft: SheetDraft) => SheetDraft) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { personId, phone, isWhatsapp } = row;
  return (
    <Dialog title={<bdi>{row.fullName}</bdi>} onClose={onClose}>
      {phone !== null && (
        <div className={styles.buttons}>
          <OutwardButton href={`tel:${phone}`} icon={<Phone size={18} />}>
            <Trans>Call</Trans>
          </OutwardButton>
          {isWhatsapp && (
            <OutwardButton
              href={whatsappLink(phone)}
              target="_blank"
              icon={<MessageCircle size={18} />}
            >
              WhatsApp
            </OutwardButton>
          )}
        </div>
      )}
      <TextField
        label={t`Note about this meeting`}
        maxLength={200}
        value={draft.notes[personId] ?? ""}
        onChange={({ currentTarget: { value } }) =>
          onChange((old) => ({ ...old, notes: { ...old.notes, [personId]: value } }))
        }
      />
      <CheckField
        label={<Trans>Was here for the first time</Trans>}
        checked={draft.firstTimes[personId] ?? false}
        onChange={({ currentTarget: { checked } }) =>
          onChange((old) => ({ ...old, firstTimes: { ...old.firstTimes, [personId]: checked } }))
        }
      />
      <CheckField
        label={<Trans>Took part online</Trans>}
        checked={draft.marks[personId] === "online"}
        onChange={({ currentTarget: { checked } }) =>
          onChange((old) => withMark(old, personId, checked ? "online" : undefined))
        }
      />
      <DialogButtons>
        <Button onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
