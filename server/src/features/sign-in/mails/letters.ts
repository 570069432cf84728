import { HOUR } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import type { Services } from "../../../jsonapi/definition/feature.ts";
import type { Language } from "../../../mail/languages.ts";
import { type Letter, written } from "../../../mail/letter.ts";
import type { Mail } from "../../../mail/mailer.ts";
import { type MadeToken, passwordLink, type Recipient } from "../passwords/password-tokens.ts";

type Texts = (
  to: Recipient,
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

const changedPasswords: Record<Language, Texts> = {
  "en": ({ alias, churchName, email, personName }) => ({
    subject: `Your password for ${churchName} was changed`,
    before: [
      `Hello ${personName},`,
      `The password of the log-in ${email} in the account ${alias} was changed.`,
    ],
    label: "Open the log-in",
    after: [
      "If you did this, there is nothing else to do.",
      "If you did not, choose a new password there with “Forgot your password?”, and tell your church.",
    ],
  }),
  "pt-BR": ({ alias, churchName, email, personName }) => ({
    subject: `Sua senha para ${churchName} foi alterada`,
    before: [`Olá, ${personName}!`, `A senha de ${email} na conta ${alias} foi alterada.`],
    label: "Abrir a página de entrada",
    after: [
      "Se foi você, não há mais nada a fazer.",
      "Se não foi você, escolha lá uma nova senha em “Esqueceu a senha?” e avise sua igreja.",
    ],
  }),
  "es": ({ alias, churchName, email, personName }) => ({
    subject: `Su contraseña para ${churchName} ha cambiado`,
    before: [`Hola, ${personName}:`, `Se cambió la contraseña de ${email} en la cuenta ${alias}.`],
    label: "Abrir la página de entrada",
    after: [
      "Si fue usted, no tiene que hacer nada más.",
      "Si no fue usted, elija allí una nueva contraseña en “¿Olvidó su contraseña?” y avise a su iglesia.",
    ],
  }),
};

/** The letter to the new address. */
const changedAddresses: Record<Language, Texts> = {
  "en": ({ alias, churchName, email, personName }) => ({
    subject: `Your log-in for ${churchName} has a new address`,
    before: [`Hello ${personName},`, `You now log in with ${email} in the account ${alias}.`],
    label: "Open the log-in",
    after: ["If you do not know why, tell your church."],
  }),
  "pt-BR": ({ alias, churchName, email, personName }) => ({
    subject: `Sua entrada em ${churchName} tem um novo e-mail`,
    before: [`Olá, ${personName}!`, `Agora você entra com ${email} na conta ${alias}.`],
    label: "Abrir a página de entrada",
    after: ["Se você não sabe por quê, avise sua igreja."],
  }),
  "es": ({ alias, churchName, email, personName }) => ({
    subject: `Su acceso a ${churchName} tiene un nuevo correo`,
    before: [`Hola, ${personName}:`, `Ahora entra con ${email} en la cuenta ${alias}.`],
    label: "Abrir la página de entrada",
    after: ["Si no sabe por qué, avise a su iglesia."],
  }),
};

/** The letter to the former address. It does not name the new one, because the former one may belong to another person. */
const formerAddresses: Record<Language, Texts> = {
  "en": ({ alias, churchName, email, personName }) => ({
    subject: `Your log-in for ${churchName} has another address`,
    before: [
      `Hello ${personName},`,
      `${email} is no longer the address of your log-in in the account ${alias}. Mails of the account go to the new address.`,
    ],
    label: "Open the log-in",
    after: ["If neither you nor your church did this, tell your church at once."],
  }),
  "pt-BR": ({ alias, churchName, email, personName }) => ({
    subject: `Sua entrada em ${churchName} tem outro e-mail`,
    before: [
      `Olá, ${personName}!`,
      `${email} não é mais o e-mail da sua entrada na conta ${alias}. As mensagens da conta vão para o novo e-mail.`,
    ],
    label: "Abrir a página de entrada",
    after: ["Se não foi você nem sua igreja, avise sua igreja imediatamente."],
  }),
  "es": ({ alias, churchName, email, personName }) => ({
    subject: `Su acceso a ${churchName} tiene otro correo`,
    before: [
      `Hola, ${personName}:`,
      `${email} ya no es el correo de su acceso en la cuenta ${alias}. Los mensajes de la cuenta van al correo nuevo.`,
    ],
    label: "Abrir la página de entrada",
    after: ["Si no fue usted ni su iglesia, avise a su iglesia de inmediato."],
  }),
};

type Addresses = Pick<Services, "appUrl" | "publicUrl">;

export const invitationMail = (made: MadeToken, addresses: Addresses): Mail =>
  mailOf(made, invitations[made.language](made, addresses.appUrl), linkOf(made, addresses));

export const resetMail = (made: MadeToken, addresses: Addresses): Mail =>
  mailOf(made, resets[made.language](made, addresses.appUrl), linkOf(made, addresses));

const notices = {
  "password-changed": changedPasswords,
  "address-changed": changedAddresses,
  "address-left": formerAddresses,
};

export type Notice = keyof typeof notices;

/** A letter about a change of a log-in. `email` is the address that it goes to. */
export const noticeMail = (
  notice: Notice,
  to: Recipient,
  { appUrl }: Pick<Addresses, "appUrl">,
): Mail => mailOf(to, notices[notice][to.language](to, appUrl), appUrl);

const linkOf = (made: MadeToken, { publicUrl }: Addresses) => passwordLink(publicUrl, made);

function mailOf(to: Recipient, { label, ...rest }: ReturnType<Texts>, url: string): Mail {
  const { churchEmail, churchName, email, language, personName } = to;
  const letter: Letter = { ...rest, language, link: { label, url } };
  return {
    ...written(letter),
    fromName: churchName,
    ...(churchEmail !== null && { replyTo: churchEmail }),
    to: { name: personName, address: email },
  };
}
