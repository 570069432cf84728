import { HOUR } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { Language } from "../../mail/languages.ts";
import { written } from "../../mail/letter.ts";
import type { Mail } from "../../mail/mailer.ts";

/**
 * The letters contain nothing that a visitor wrote, not even a name. Otherwise a visitor could send a text of their own to any
 * address in the name of the church.
 */

export interface MailingChurch {
  churchName: string;
  churchEmail: string | null;
  language: Language;
}

interface Texts {
  subject: string;
  before: readonly string[];
  label: string;
  after: readonly string[];
}

const hours = limits.confirmationMs / HOUR;

interface Confirmation {
  churchName: string;
  place: string;
}

/** The form is named by its type, because the sentences differ. */
type Kind = "form-submissions" | "cell-join-requests" | "course-enrollment-requests";

const confirmations: Record<Language, (kind: Kind, facts: Confirmation) => Texts> = {
  "en": (kind, { churchName, place }) => ({
    subject: `Please confirm your e-mail address for ${churchName}`,
    before: [
      "Hello,",
      {
        "form-submissions": `you filled in “${place}” of ${churchName} with this e-mail address. Please confirm that it is yours:`,
        "cell-join-requests": `you asked ${churchName} to join “${place}” with this e-mail address. Please confirm that it is yours:`,
        "course-enrollment-requests": `you asked ${churchName} to enroll in “${place}” with this e-mail address. Please confirm that it is yours:`,
      }[kind],
    ],
    label: "Confirm the address",
    after: [
      `The link works once, within ${hours} hours.`,
      "If you did not write to us, you can ignore this mail. Nothing happens then.",
    ],
  }),
  "pt-BR": (kind, { churchName, place }) => ({
    subject: `Confirme seu e-mail para ${churchName}`,
    before: [
      "Olá!",
      {
        "form-submissions": `Você preencheu “${place}” de ${churchName} com este e-mail. Confirme que ele é seu:`,
        "cell-join-requests": `Você pediu a ${churchName} para participar de “${place}” com este e-mail. Confirme que ele é seu:`,
        "course-enrollment-requests": `Você pediu a ${churchName} uma inscrição em “${place}” com este e-mail. Confirme que ele é seu:`,
      }[kind],
    ],
    label: "Confirmar o e-mail",
    after: [
      `O link funciona uma única vez, por ${hours} horas.`,
      "Se você não nos escreveu, pode ignorar este e-mail. Nesse caso, nada acontece.",
    ],
  }),
  "es": (kind, { churchName, place }) => ({
    subject: `Confirme su correo para ${churchName}`,
    before: [
      "Hola:",
      {
        "form-submissions": `Usted rellenó «${place}» de ${churchName} con este correo. Confirme que es suyo:`,
        "cell-join-requests": `Usted pidió a ${churchName} participar en «${place}» con este correo. Confirme que es suyo:`,
        "course-enrollment-requests": `Usted pidió a ${churchName} inscribirse en «${place}» con este correo. Confirme que es suyo:`,
      }[kind],
    ],
    label: "Confirmar el correo",
    after: [
      `El enlace funciona una sola vez, durante ${hours} horas.`,
      "Si usted no nos escribió, puede ignorar este correo. En ese caso no pasa nada.",
    ],
  }),
};

interface ArrivalFacts {
  churchName: string;
  name: string;
  place: string;
}

const arrivals: Record<Language, (kind: Kind, facts: ArrivalFacts) => Texts> = {
  "en": (kind, { churchName, name, place }) => ({
    subject: {
      "form-submissions": `New submission: ${place}`,
      "cell-join-requests": `New request: ${place}`,
      "course-enrollment-requests": `New request: ${place}`,
    }[kind],
    before: [
      `Hello ${name},`,
      {
        "form-submissions": `a visitor has filled in “${place}”.`,
        "cell-join-requests": `a visitor asks to join “${place}”.`,
        "course-enrollment-requests": `a visitor asks to enroll in “${place}”.`,
      }[kind],
    ],
    label: "Open it",
    after: [`You get this mail because you answer visitors of ${churchName}.`],
  }),
  "pt-BR": (kind, { churchName, name, place }) => ({
    subject: {
      "form-submissions": `Nova resposta: ${place}`,
      "cell-join-requests": `Novo pedido: ${place}`,
      "course-enrollment-requests": `Novo pedido: ${place}`,
    }[kind],
    before: [
      `Olá, ${name}!`,
      {
        "form-submissions": `Um visitante preencheu “${place}”.`,
        "cell-join-requests": `Um visitante pede para participar de “${place}”.`,
        "course-enrollment-requests": `Um visitante pede uma inscrição em “${place}”.`,
      }[kind],
    ],
    label: "Abrir",
    after: [`Você recebe este e-mail porque responde aos visitantes de ${churchName}.`],
  }),
  "es": (kind, { churchName, name, place }) => ({
    subject: {
      "form-submissions": `Nueva respuesta: ${place}`,
      "cell-join-requests": `Nueva solicitud: ${place}`,
      "course-enrollment-requests": `Nueva solicitud: ${place}`,
    }[kind],
    before: [
      `Hola, ${name}:`,
      {
        "form-submissions": `Un visitante ha rellenado «${place}».`,
        "cell-join-requests": `Un visitante pide participar en «${place}».`,
        "course-enrollment-requests": `Un visitante pide inscribirse en «${place}».`,
      }[kind],
    ],
    label: "Abrir",
    after: [`Recibe este correo porque responde a los visitantes de ${churchName}.`],
  }),
};

interface Confirming extends MailingChurch {
  email: string;
  place: string;
  publicUrl: string;
  token: string;
}

export const confirmationMail = (made: Confirming, type: string): Mail => {
  const texts = confirmations[made.language](type as Kind, made);
  return mailOf(made, texts, confirmationUrl(made), { name: "", address: made.email });
};

export const CONFIRMATION_PATH = "/p/v1/form-submissions/confirmations";

const confirmationUrl = ({ publicUrl, token }: Pick<Confirming, "publicUrl" | "token">): string =>
  `${publicUrl}${CONFIRMATION_PATH}/${token}`;

interface Arriving extends MailingChurch {
  place: string;
  page: string;
  appUrl: string;
  person: { name: string; email: string };
}

export function arrivalMail(made: Arriving, type: string): Mail {
  const { appUrl, page, person } = made;
  const texts = arrivals[made.language](type as Kind, { ...made, name: person.name });
  const to = { name: person.name, address: person.email };
  return mailOf(made, texts, `${appUrl.replace(/\/$/, "")}${page}`, to);
}

function mailOf(
  { churchEmail, churchName, language }: MailingChurch,
  { label, ...texts }: Texts,
  url: string,
  to: Mail["to"],
): Mail {
  return {
    ...written({ ...texts, language, link: { label, url } }),
    fromName: churchName,
    ...(churchEmail !== null && { replyTo: churchEmail }),
    to,
  };
}
