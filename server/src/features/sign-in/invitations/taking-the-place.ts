import { type Actor, type AdministrativeStatus, ranksAbove } from "../../../access/actor.ts";
import { findActor } from "../../../access/find-actor.ts";
import { NIL_ID } from "../../../base/ids.ts";
import type { Catalogue, ReadContext } from "../../../jsonapi/definition/resource.ts";
import type { Tx } from "../../../store/db.ts";
import type { Delivery } from "../passwords/password-tokens.ts";

type RightsContext = Pick<ReadContext, "actor" | "catalogue" | "db">;

/**
 * Whether a caller may invite a person. The caller of an invitation by link sees the link, and so could take the place of the
 * person. An invitation by mail goes to the stored address.
 */
export async function mayInvite(
  context: RightsContext,
  personId: string,
  delivery: Delivery,
): Promise<boolean> {
  const { actor, catalogue, db } = context;
  if (delivery === "link") return !(await catalogue.published.outranks(context, personId));
  const [person] = await db<{ status: AdministrativeStatus }[]>`
    select administrative_status as status from person_facts
    where account_id = ${actor.accountId} and person_id = ${personId}`;
  return person === undefined || !ranksAbove(person.status, actor);
}

/** The person who made an invitation, with the rights of this moment. */
export const inviterNow = async (
  tx: Tx,
  key: { accountId: string; personId: string },
  { declared }: Pick<Catalogue, "declared">,
): Promise<Actor> =>
  (await findActor(tx, key, declared)) ?? {
    ...key,
    accountVersion: 0,
    tokenId: NIL_ID,
    administrativeStatus: "none",
    assignments: [],
  };
