import { lockPeople } from "../../../access/locks.ts";
import { fail, unavailable } from "../../../base/errors.ts";
import { HOUR, SECOND } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { enqueue } from "../../../jobs/queues.ts";
import type { InvitationFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { Reveal, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { invitationMails } from "../mails/mails.ts";
import { refusalToInvite } from "./taking-the-place.ts";
import { endInvitations, newInvitationToken, passwordLink } from "../passwords/password-tokens.ts";

interface Invited {
  email: string | null;
  isActive: boolean;
}

/** POST /v1/person-invitations */
export async function createInvitation(
  context: WriteContext<InvitationFields>,
  input: CreateInput<InvitationFields>,
): Promise<Written> {
  const { actor, db, sendsMail } = context;
  const { accountId } = actor;
  const { person: personId } = input.toOne;
  // Two invitations at once wait for each other here, so that one of them replaces the other.
  await lockPeople(db, accountId, [personId]);
  const [person] = await db<Invited[]>`
    select email, is_active as "isActive" from person_facts
    where account_id = ${accountId} and person_id = ${personId}`;
  const { delivery = "email" } = input.attributes;
  const byMail = delivery === "email";
  const refusal = await refusalToInvite(context, personId, delivery);
  if (refusal === "forbidden") throw outranked();
  // The foreign key rejects an unknown person.
  if (person) assertInvitable(person);
  if (refusal === "address-unconfirmed") throw addressUnconfirmed();
  if (person && byMail && !sendsMail)
    throw unavailable(HOUR / SECOND, "This service sends no mail. Hand over a `link` instead.");

  await endInvitations(db, { accountId, personIds: [personId] });
  const written = await insertRow(context, context.resource, input, {
    expires_at: `now() + interval '${limits.invitationMs} milliseconds'`,
  });
  const invitation = { accountId, invitationId: written.id };
  if (!byMail) return { ...written, reveals: invitation };
  await enqueue(db, invitationMails, invitation);
  return written;
}

const source = { pointer: "/data/relationships/person" };

const outranked = () =>
  fail("forbidden", "This person holds rights that the caller does not hold.", source);

const addressUnconfirmed = () =>
  fail(
    "address-unconfirmed",
    "This person holds rights that the caller who set the e-mail address does not hold.",
    source,
  );

function assertInvitable({ email, isActive }: Invited): void {
  if (!isActive) throw fail("conflict", "This person is not active.", source);
  if (email === null)
    throw fail(
      "email-missing",
      "This person has no e-mail address, which is the login name.",
      source,
    );
}

/**
 * Makes a token for the response, because only its hash is stored. A repeated request gets another token of the same
 * invitation, unless the person outranks the caller by then.
 */
export const revealLink: Reveal = async (context, reference) => {
  const { db, publicUrl } = context;
  const [accountId, invitationId] = [
    String(reference["accountId"]),
    String(reference["invitationId"]),
  ];
  const [invited] = await db<{ id: string }[]>`
    select person_id as id from person_invitations where account_id = ${accountId} and id = ${invitationId}`;
  if (invited && (await refusalToInvite(context, invited.id, "link"))) throw outranked();
  const made = await newInvitationToken(db, { accountId, invitationId });
  return made && { token: made.token, link: passwordLink(publicUrl, made) };
};
