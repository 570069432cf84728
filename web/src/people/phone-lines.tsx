import { useLingui } from "@lingui/react/macro";
import { MessageCircle, Pencil, Phone } from "lucide-react";
import { useState } from "react";
import { EditForm, useDraft } from "../app/form.tsx";
import { mayWrite } from "../app/may.ts";
import type { Form } from "../app/use-form.tsx";
import type { PersonRecord } from "../data/person.ts";
import { Button, OutwardButton } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { whatsappLink } from "../ui/reach-links.ts";
import { Ltr, VisuallyHidden } from "../ui/text.tsx";
import { Lost, usePersonForm } from "./person-card.tsx";
import styles from "./person.module.css";

type Phones = NonNullable<PersonRecord["phones"]>;

/** The telephone numbers of a person. Each can be corrected where it stands. */
export const PhoneLines = ({ person, phones }: { person: PersonRecord; phones: Phones }) => (
  <ul>
    {phones.map((phone, index) => (
      <PhoneLine
        key={phone.number}
        person={person}
        phone={phone}
        index={index}
        isAlone={phones.length === 1}
      />
    ))}
  </ul>
);

const cardOf = (index: number) => `phone-${index}`;

function PhoneLine({
  person,
  phone: { display, label, number, "is-whatsapp": isWhatsApp },
  index,
  isAlone,
}: {
  person: PersonRecord;
  phone: Phones[number];
  index: number;
  isAlone: boolean;
}) {
  const { t } = useLingui();
  const draft = useDraft({ type: "people", id: person.id, card: cardOf(index) });
  const isWritable = mayWrite(person, "phones");
  const [isOpen, setOpen] = useState(draft.isKept && isWritable);
  const shown = display ?? number;
  if (isOpen)
    return (
      <li>
        <PhoneForm person={person} index={index} onDone={() => setOpen(false)} />
      </li>
    );
  return (
    <li className={styles.phone}>
      <a href={`tel:${number}`}>
        <Ltr>{shown}</Ltr>
      </a>
      {label && !isAlone && <span className={styles.quiet}>{label}</span>}
      <span className={styles.phoneActions}>
        {!isAlone && (
          <OutwardButton
            href={`tel:${number}`}
            icon={<Phone size={16} />}
            label={t`Call ${shown}`}
          />
        )}
        {!isAlone && isWhatsApp && (
          <OutwardButton
            href={whatsappLink(number)}
            target="_blank"
            icon={<MessageCircle size={16} />}
            label={t`WhatsApp to ${shown}`}
          />
        )}
        {isWritable && (
          <Button
            kind="quiet"
            icon={<Pencil size={15} />}
            aria-label={t`Correct ${shown}`}
            title={t`Correct ${shown}`}
            onClick={() => setOpen(true)}
          />
        )}
      </span>
    </li>
  );
}

function PhoneForm({
  person,
  index,
  onDone,
}: {
  person: PersonRecord;
  index: number;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const form = usePersonForm(person, cardOf(index), ["phones"], onDone);
  return (
    <EditForm form={form as Form} isPlain>
      {!mayWrite(person, "phones") && <Lost />}
      <TextField
        {...form.text(`phones.${index}.number`)}
        label={<VisuallyHidden>{t`Phone`}</VisuallyHidden>}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        dir="ltr"
        autoFocus
      />
    </EditForm>
  );
}
