import type { Actor } from "../../../access/actor.ts";
import type { Db } from "../../../store/db.ts";

/** DELETE /v1/access-tokens/current revokes the token of the request. */
export async function logOut(db: Db, actor: Actor): Promise<void> {
  await db.ofAccount(actor.accountId)`
    delete from access_tokens
    where account_id = ${actor.accountId} and person_id = ${actor.personId} and id = ${actor.tokenId}`;
}
