import { useLingui } from "@lingui/react/macro";
import { MessageCircle, Phone } from "lucide-react";
import { OutwardButton } from "./button.tsx";

type Telephone = { number: string; "is-primary"?: boolean | null; "is-whatsapp"?: boolean | null };

/** The number to call first. */
export const firstPhone = <One extends Telephone>(phones: readonly One[] | null | undefined) =>
  phones?.find((phone) => phone["is-primary"]) ?? phones?.[0];

export const whatsappLink = (number: string): string =>
  `https://wa.me/${number.replace(/\D/g, "")}`;

/** Calls a person. Nothing is shown without a number. */
export function CallButton({
  name,
  phones,
}: {
  name: string;
  phones: readonly Telephone[] | undefined;
}) {
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

/** Writes to a person by WhatsApp, by a text message where the number has none, and by mail without a number. */
export function WriteButton({
  name,
  phones,
  email,
}: {
  name: string;
  phones: readonly Telephone[] | undefined;
  email?: string | null | undefined;
}) {
  const { t } = useLingui();
  const phone = phones?.find((one) => one["is-whatsapp"]) ?? firstPhone(phones);
  const isWhatsApp = phone?.["is-whatsapp"] === true;
  if (!phone && !email) return null;
  return (
    <OutwardButton
      href={
        isWhatsApp ? whatsappLink(phone.number) : phone ? `sms:${phone.number}` : `mailto:${email}`
      }
      target={isWhatsApp ? "_blank" : undefined}
      label={t`Write to ${name}`}
      icon={<MessageCircle size={18} />}
    />
  );
}
