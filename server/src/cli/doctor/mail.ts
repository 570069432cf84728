import type { Config } from "../../app/config.ts";
import { createMailer } from "../../mail/mailer.ts";
import { type Finding, finding } from "./finding.ts";

/** Connects to the mail server. Without one, the fact says which settings are missing. */
export async function examineMail(
  { mail }: Config,
  facts: Record<string, string>,
): Promise<Finding[]> {
  if (!mail) {
    facts["mail"] =
      "none; SMTP_URL and MAIL_FROM let the service send invitations and password resets";
    return [];
  }
  const { host } = new URL(mail.url);
  facts["mail"] = `${host}, from ${mail.from}`;
  try {
    await createMailer(mail).verify();
    return [];
  } catch (error) {
    return [
      finding(
        "mail-server-unusable",
        `The mail server ${host} cannot be used: ${(error as Error).message}`,
        "Correct SMTP_URL. Mails wait and are retried for some hours.",
      ),
    ];
  }
}
