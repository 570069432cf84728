import type { PersonKey } from "../../../access/logins.ts";
import { newId } from "../../../base/ids.ts";
import { enqueue, type Queue } from "../../../jobs/queues.ts";
import type { Services } from "../../../jsonapi/definition/feature.ts";
import { deliver, mailQueue } from "../../../mail/deliver.ts";
import type { Db, Queryable, Tx } from "../../../store/db.ts";
import { findRecipient } from "../passwords/password-tokens.ts";
import { type Notice, noticeMail } from "./letters.ts";

const NAME = "login-letters";

interface NoticeJob extends PersonKey {
  notice: Notice;
  /** The row of `login_letters` with the former address, to which the letter goes. */
  letterId?: string;
}

/** Letters to people about changes of their log-in, so that they notice a change by another person. */
export const notices: Queue<Services, NoticeJob> = {
  ...mailQueue,
  name: NAME,
  async run(context, { accountId, letterId, notice, personId }) {
    const { db } = context;
    const person = await findRecipient(db, { accountId, personId });
    const email =
      letterId === undefined ? person?.email : await formerEmail(db, { accountId, letterId });
    if (!person || email === undefined) return;
    await deliver(context, NAME, noticeMail(notice, { ...person, email }, context));
    if (letterId !== undefined)
      await db`delete from login_letters where account_id = ${accountId} and id = ${letterId}`;
  },
};

async function formerEmail(
  db: Queryable,
  { accountId, letterId }: { accountId: string; letterId: string },
): Promise<string | undefined> {
  const [letter] = await db<{ email: string }[]>`
    select former_email as email from login_letters where account_id = ${accountId} and id = ${letterId}`;
  return letter?.email;
}

export const sendPasswordLetter = (tx: Tx, key: PersonKey): Promise<void> =>
  enqueue(tx, notices, { ...keyOf(key), notice: "password-changed" });

/** A letter to the new address of a log-in, and one to the former address. */
export async function sendAddressLetters(tx: Tx, key: PersonKey, former: string): Promise<void> {
  const { accountId, personId } = keyOf(key);
  const letterId = newId();
  await tx`
    insert into login_letters (account_id, id, person_id, former_email)
    values (${accountId}, ${letterId}, ${personId}, ${former})`;
  await enqueue(
    tx,
    notices,
    { accountId, personId, notice: "address-changed" },
    { accountId, personId, notice: "address-left", letterId },
  );
}

const keyOf = ({ accountId, personId }: PersonKey): PersonKey => ({ accountId, personId });

/** Deletes the addresses whose letter was not sent: the person is gone or inactive, or the mail server was away for a day. */
export async function sweepLetters(db: Db): Promise<number> {
  const { count } =
    await db`delete from login_letters where created_at <= now() - interval '1 day'`;
  return count;
}
