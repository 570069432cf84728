import type { Mail as Transport } from "nodemailer";
import { SECOND } from "../base/clock.ts";

/** Outgoing mail over SMTP, as the operator has configured it. */
export interface MailSettings {
  /** `smtp://user:password@host:587`. The query has further options of nodemailer. */
  url: string;
  /** The address in `From`. */
  from: string;
}

export interface Mail {
  /** Shown beside the address of the service. */
  fromName: string;
  /** The address for answers, if it differs. */
  replyTo?: string | undefined;
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** `id` is the same for every attempt to send a mail, so that a mailbox can recognize a repeated one. */
  send(mail: Mail, options: { id: string; signal: AbortSignal }): Promise<void>;
  /** Connects and logs in, without sending a mail. */
  verify(): Promise<void>;
}

/** The mail server rejected a mail for good. The message contains no address. */
export class MailRefused extends Error {}

/** An error that may pass. The message contains no address. */
export class MailNotSent extends Error {}

const TIMEOUT_MS = 20 * SECOND;

/** Loads nodemailer with the first mail. Each mail has a connection of its own, because there are few. */
export function createMailer({ url, from }: MailSettings): Mailer {
  let transport: Promise<Transport> | undefined;
  const open = async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport({
      url,
      // A password is never sent without TLS.
      requireTLS: new URL(url).password !== "",
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  const opened = () => (transport ??= open());

  return {
    async send({ fromName, to, ...mail }, { id, signal }) {
      try {
        await (await opened()).sendMail({
          ...mail,
          to,
          from: { name: fromName, address: from },
          messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
          // Vacation notices do not answer such mails.
          headers: { "Auto-Submitted": "auto-generated" },
          signal,
        });
      } catch (error) {
        throw explained(error, to.address);
      }
    },
    async verify() {
      await (await opened()).verify();
    },
  };
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/** The stages in which a 5xx is about this mail. During a log-in it is about the configuration. */
const ABOUT_THE_MAIL = new Set(["EENVELOPE", "EMESSAGE"]);

function explained(cause: unknown, recipient: string): Error {
  const { code = "", message, responseCode = 0 } = cause as SmtpError;
  const text = message.replaceAll(recipient, "<recipient>");
  return responseCode >= 500 && ABOUT_THE_MAIL.has(code)
    ? new MailRefused(text)
    : new MailNotSent(text);
}
