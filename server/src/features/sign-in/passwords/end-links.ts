import { endLogin } from "../../../access/logins.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { actorNow } from "../invitations/taking-the-place.ts";
import { endInvitations } from "./password-tokens.ts";

type GainContext = Pick<WriteContext, "actor" | "catalogue" | "db">;

/**
 * Ends the open invitations and resets of people who have gained rights, and the log-ins of those who now outrank a maker of the link
 * through which the password was set. That maker can know the password. Returns whether a log-in ended.
 */
export async function endPasswordLinks(
  context: GainContext,
  personIds: readonly string[],
): Promise<boolean> {
  const { db } = context;
  const { accountId } = context.actor;
  await db`
    delete from password_tokens where account_id = ${accountId} and person_id = any(${[...personIds]}::uuid[])`;
  await endInvitations(db, { accountId, personIds });
  const logins = await db<{ personId: string; makerIds: string[] }[]>`
    select person_id as "personId", link_makers as "makerIds" from person_credentials
    where account_id = ${accountId} and person_id = any(${[...personIds]}::uuid[]) and link_makers <> '{}'
    order by person_id`;
  let isEnded = false;
  for (const { makerIds, personId } of logins)
    if (await outranksOne(context, personId, makerIds)) {
      await endLogin(db, { accountId, personId });
      isEnded = true;
    }
  return isEnded;
}

/** Whether a person outranks one of these people, with the rights of this moment. */
async function outranksOne(
  { actor: { accountId }, catalogue, db }: GainContext,
  personId: string,
  otherIds: readonly string[],
): Promise<boolean> {
  for (const otherId of otherIds) {
    const actor = await actorNow(db, { accountId, personId: otherId }, catalogue);
    if (await catalogue.published.outranks({ actor, catalogue, db }, personId)) return true;
  }
  return false;
}
