import { HOUR } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import type { Services } from "../../../jsonapi/definition/feature.ts";
import type { Language } from "../../../mail/languages.ts";
import { type Letter, written } from "../../../mail/letter.ts";
import type { Mail } from "../../../mail/mailer.ts";
import { type MadeToken, passwordLink } from "../passwords/password-tokens.ts";

type Texts = (
  made: MadeToken,
  appUrl: string,
) => {
  subject: string;
  before: readonly string[];
  label: string;
  after: readonly string[];
};

const invitationHours = limits.invitationMs / HOUR;
const resetHours = limits.passwordResetMs / HOUR;

const invitations: Record<Language, Texts> = {
  "en": ({ alias, churchName, email, personName }, appUrl) => ({
    subject: `Your invitation to ${churchName}`,
    before: [
      `Hello ${personName},`,
      `${churchName} invites you to its member area. Choose a password to log in:`,
    ],
    label: "Choose a password",
    after: [
      `You then log in at ${appUrl} with the e-mail address ${email} and the account ${alias}.`,
      `The link works once, within ${invitationHours} hours. Do not pass it on.`,
      "If you did not expect this mail, you can ignore it.",
    ],
  }),
  "pt-BR": ({ alias, churchName, email, personName }, appUrl) => ({
    subject: `Seu convite para ${churchName}`,
    before: [
      `Olá, ${personName}!`,
      `${churchName} convida você para a área de membros. Escolha uma senha para entrar:`,
    ],
    label: "Escolher uma senha",
    after: [
      `Depois, entre em ${appUrl} com o e-mail ${email} e a conta ${alias}.`,
      `O link funciona uma única vez, por ${invitationHours} horas. Não o repasse.`,
      "Se você não esperava este e-mail, pode ignorá-lo.",
    ],
  }),
  "es": ({ alias, churchName, email, personName }, appUrl) => ({
    subject: `Su invitación a ${churchName}`,
    before: [
      `Hola, ${personName}:`,
      `${churchName} le invita a su área de miembros. Elija una contraseña para entrar:`,
    ],
    label: "Elegir una contraseña",
    after: [
      `Después, entre en ${appUrl} con el correo ${email} y la cuenta ${alias}.`,
      `El enlace funciona una sola vez, durante ${invitationHours} horas. No lo comparta.`,
      "Si no esperaba este correo, puede ignorarlo.",
    ],
  }),
};

const resets: Record<Language, Texts> = {
  "en": ({ alias, churchName, email, personName }) => ({
    subject: `Your password for ${churchName}`,
    before: [
      `Hello ${personName},`,
      `A new password was requested for ${email} in the account ${alias}. Choose it here:`,
    ],
    label: "Choose a new password",
    after: [
      `The link works once, within ${resetHours === 1 ? "one hour" : `${resetHours} hours`}. Do not pass it on.`,
      "If you did not ask for it, ignore this mail. Your password stays as it is.",
    ],
  }),
  "pt-BR": ({ alias, churchName, email, personName }) => ({
    subject: `Sua senha para ${churchName}`,
    before: [
      `Olá, ${personName}!`,
      `Uma nova senha foi pedida para ${email} na conta ${alias}. Escolha-a aqui:`,
    ],
    label: "Escolher uma nova senha",
    after: [
      `O link funciona uma única vez, por ${resetHours === 1 ? "uma hora" : `${resetHours} horas`}. Não o repasse.`,
      "Se você não a pediu, ignore este e-mail. Sua senha continua a mesma.",
    ],
  }),
  "es": ({ alias, churchName, email, personName }) => ({
    subject: `Su contraseña para ${churchName}`,
    before: [
      `Hola, ${personName}:`,
      `Se pidió una nueva contraseña para ${email} en la cuenta ${alias}. Elíjala aquí:`,
    ],
    label: "Elegir una nueva contraseña",
    after: [
      `El enlace funciona una sola vez, durante ${resetHours === 1 ? "una hora" : `${resetHours} horas`}. No lo comparta.`,
      "Si no la pidió, ignore este correo. Su contraseña no cambia.",
    ],
  }),
};

type Addresses = Pick<Services, "appUrl" | "publicUrl">;

export const invitationMail = (made: MadeToken, addresses: Addresses): Mail =>
  mailOf(made, invitations, addresses);

export const resetMail = (made: MadeToken, addresses: Addresses): Mail =>
  mailOf(made, resets, addresses);

function mailOf(
  made: MadeToken,
  texts: Record<Language, Texts>,
  { appUrl, publicUrl }: Addresses,
): Mail {
  const { churchEmail, churchName, email, language, personName } = made;
  const { label, ...rest } = texts[language](made, appUrl);
  const letter: Letter = { ...rest, language, link: { label, url: passwordLink(publicUrl, made) } };
  return {
    ...written(letter),
    fromName: churchName,
    ...(churchEmail !== null && { replyTo: churchEmail }),
    to: { name: personName, address: email },
  };
}
