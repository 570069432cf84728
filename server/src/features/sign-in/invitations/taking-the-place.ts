import { type Actor, type AdministrativeStatus, ranksAbove } from "../../../access/actor.ts";
import { findActor } from "../../../access/find-actor.ts";
import type { PersonKey } from "../../../access/logins.ts";
import { NIL_ID } from "../../../base/ids.ts";
import type { Catalogue, ReadContext } from "../../../jsonapi/definition/resource.ts";
import type { Queryable } from "../../../store/db.ts";
import type { Delivery } from "../passwords/password-tokens.ts";

type RightsContext = Pick<ReadContext, "actor" | "catalogue" | "db">;

/**
 * The reason why a caller may not invite a person. The caller of an invitation by link sees the link, and so could take the place
 * of the person. An invitation by mail goes to the stored address, and so to the caller who set it.
 */
export async function refusalToInvite(
  context: RightsContext,
  personId: string,
  delivery: Delivery,
): Promise<"forbidden" | "address-unconfirmed" | undefined> {
  const { actor, catalogue, db } = context;
  if (delivery === "link")
    return (await catalogue.published.outranks(context, personId)) ? "forbidden" : undefined;
  const [person] = await db<{ status: AdministrativeStatus }[]>`
    select administrative_status as status from person_facts
    where account_id = ${actor.accountId} and person_id = ${personId}`;
  if (person && ranksAbove(person.status, actor)) return "forbidden";
  return (await isAddressUnconfirmed(context, personId)) ? "address-unconfirmed" : undefined;
}

/** Whether a person outranks the caller who set the person's e-mail address, with the rights of this moment. */
export async function isAddressUnconfirmed(
  context: RightsContext,
  personId: string,
): Promise<boolean> {
  const { catalogue, db } = context;
  const { accountId } = context.actor;
  const [person] = await db<{ setterId: string | null }[]>`
    select email_set_by as "setterId" from person_facts
    where account_id = ${accountId} and person_id = ${personId}`;
  const setterId = person?.setterId ?? null;
  if (setterId === null) return false;
  const actor = await actorNow(db, { accountId, personId: setterId }, catalogue);
  return catalogue.published.outranks({ actor, catalogue, db }, personId);
}

/** A person with the rights of this moment. A person who is gone or inactive has none. */
export const actorNow = async (
  db: Queryable,
  key: PersonKey,
  { declared }: Pick<Catalogue, "declared">,
): Promise<Actor> =>
  (await findActor(db, key, declared)) ?? {
    ...key,
    accountVersion: 0,
    tokenId: NIL_ID,
    administrativeStatus: "none",
    assignments: [],
  };
