export type Telephone = {
  number: string;
  "is-primary"?: boolean | null;
  "is-whatsapp"?: boolean | null;
};

/** How a person can be reached. */
export type Reach = {
  phones?: readonly Telephone[] | null | undefined;
  email?: string | null | undefined;
};

/** A message that waits in the program of the sender, who reads it before it goes. */
export type Message = { subject: string; text: string };

/** The number to call first. */
export const firstPhone = <One extends Telephone>(phones: readonly One[] | null | undefined) =>
  phones?.find((phone) => phone["is-primary"]) ?? phones?.[0];

const query = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

export const whatsappLink = (number: string, text?: string): string =>
  `https://wa.me/${number.replace(/\D/g, "")}${text === undefined ? "" : `?${query({ text })}`}`;

/** WhatsApp, else a text message, else an e-mail. Nothing for a person who cannot be reached. */
export function writeLink(
  { email, phones }: Reach,
  message?: Message,
): { by: "whatsapp" | "sms" | "email"; href: string } | undefined {
  const phone = phones?.find((one) => one["is-whatsapp"]) ?? firstPhone(phones);
  if (phone?.["is-whatsapp"])
    return { by: "whatsapp", href: whatsappLink(phone.number, message?.text) };
  // Telephones of Apple expect an ampersand before the text, and others a question mark.
  if (phone)
    return {
      by: "sms",
      href: `sms:${phone.number}${message ? `?&${query({ body: message.text })}` : ""}`,
    };
  if (!email) return undefined;
  return {
    by: "email",
    href: `mailto:${email}${message ? `?${query({ subject: message.subject, body: message.text })}` : ""}`,
  };
}
