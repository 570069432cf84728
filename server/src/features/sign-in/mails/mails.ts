import type { Queue } from "../../../jobs/queues.ts";
import type { Services } from "../../../jsonapi/definition/feature.ts";
import { deliver, mailQueue } from "../../../mail/deliver.ts";
import { invitationMail, resetMail } from "./letters.ts";
import {
  type InvitationKey,
  newInvitationToken,
  newResetToken,
} from "../passwords/password-tokens.ts";
import { revised } from "../../../store/sql.ts";

/**
 * A job contains ids, and each attempt makes a token of its own. A token is therefore stored nowhere, neither in the queue
 * nor in a backup of the database. If a worker dies after the mail server accepted the mail, the person gets two mails, and
 * both links work until one is used.
 */

const INVITATIONS = "invitation-mails";
const RESETS = "password-reset-mails";

export const invitationMails: Queue<Services, InvitationKey> = {
  ...mailQueue,
  name: INVITATIONS,
  async run(context, { accountId, invitationId }) {
    const { db } = context;
    const made = await newInvitationToken(db, { accountId, invitationId });
    if (!made || !(await deliver(context, INVITATIONS, invitationMail(made, context)))) return;
    await db`
      update person_invitations set sent_at = now(), ${revised()}
      where account_id = ${accountId} and id = ${invitationId}`;
  },
};

export interface ResetJob {
  accountId: string | null;
  /** Null for an unknown address, so that its request takes as long as any other one. */
  personId: string | null;
}

export const resetMails: Queue<Services, ResetJob> = {
  ...mailQueue,
  name: RESETS,
  async run(context, { accountId, personId }) {
    if (accountId === null || personId === null) return;
    const made = await newResetToken(context.db, { accountId, personId });
    if (made) await deliver(context, RESETS, resetMail(made, context));
  },
};
