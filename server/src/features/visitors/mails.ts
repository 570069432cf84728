import type { Queue } from "../../jobs/queues.ts";
import type { Services } from "../../jsonapi/definition/feature.ts";
import { languageOf } from "../../mail/languages.ts";
import { deliver, mailQueue } from "../../mail/deliver.ts";
import type { Queryable } from "../../store/db.ts";
import { newConfirmation, type Subject } from "./confirmations.ts";
import { arrivalMail, confirmationMail, type MailingChurch } from "./letters.ts";

/** As in `sign-in/mails.ts`, a job contains ids, and each attempt makes a token of its own. */

const CONFIRMATIONS = "confirmation-mails";
const ARRIVALS = "arrival-mails";

export const confirmationMails: Queue<Services, Subject> = {
  ...mailQueue,
  name: CONFIRMATIONS,
  async run(context, subject) {
    const { catalogue, db, publicUrl } = context;
    const church = await churchOf(db, subject.accountId);
    const waiting = await catalogue.publicWrites
      .get(subject.type)
      ?.confirmation.waiting(db, subject);
    if (!church || !waiting) return;
    const token = await newConfirmation(db, subject);
    const mail = confirmationMail({ ...church, ...waiting, publicUrl, token }, subject.type);
    await deliver(context, CONFIRMATIONS, mail);
  },
};

interface Arrival extends Subject {
  personId: string;
}

/** The mail about a submission or a request for one of the people who answer it. */
export const arrivalMails: Queue<Services, Arrival> = {
  ...mailQueue,
  name: ARRIVALS,
  async run(context, { personId, ...subject }) {
    const { appUrl, catalogue, db } = context;
    const church = await churchOf(db, subject.accountId);
    const arrived = await catalogue.publicWrites
      .get(subject.type)
      ?.confirmation.arrived(db, subject);
    const [person] = await db<{ email: string; name: string; locale: string | null }[]>`
      select email, letter_name as name, locale from person_facts
      where account_id = ${subject.accountId} and person_id = ${personId} and is_active and email is not null`;
    if (!church || !arrived || !person) return;
    const language = languageOf(person.locale, church.language);
    const mail = arrivalMail({ ...church, ...arrived, language, appUrl, person }, subject.type);
    await deliver(context, ARRIVALS, mail);
  },
};

async function churchOf(db: Queryable, accountId: string): Promise<MailingChurch | undefined> {
  const [church] = await db<(Omit<MailingChurch, "language"> & { lang: string | null })[]>`
    select church_name as "churchName", email as "churchEmail", lang from account_facts
    where account_id = ${accountId} and status = 'active'`;
  return church && { ...church, language: languageOf(church.lang) };
}
