import { useLingui } from "@lingui/react/macro";
import { Mail, MessageCircle, Phone } from "lucide-react";
import { OutwardButton } from "./button.tsx";
import { firstPhone, type Message, type Reach, writeLink } from "./reach-links.ts";

/** Calls a person. Nothing is shown without a number. */
export function CallButton({ name, phones }: { name: string } & Pick<Reach, "phones">) {
  const { t } = useLingui();
  const phone = firstPhone(phones);
  return (
    phone && (
      <OutwardButton
        href={`tel:${phone.number}`}
        label={t`Call ${name}`}
        icon={<Phone size={18} />}
      />
    )
  );
}

/** Writes to a person, with a prepared message if there is one. Nothing is shown for a person who cannot be reached. */
export function WriteButton({
  name,
  message,
  onWrite,
  ...reach
}: { name: string; message?: Message | undefined; onWrite?: () => void } & Reach) {
  const { t } = useLingui();
  const link = writeLink(reach, message);
  return (
    link && (
      <OutwardButton
        href={link.href}
        target={link.by === "whatsapp" ? "_blank" : undefined}
        label={t`Write to ${name}`}
        icon={link.by === "email" ? <Mail size={18} /> : <MessageCircle size={18} />}
        onClick={onWrite}
      />
    )
  );
}
