import { type Actor, isFullAdministrator } from "../access/actor.ts";
import { revokeTokens } from "../access/logins.ts";
import { fail, forbidden } from "../errors.ts";
import { isId } from "../ids.ts";
import type { Queryable } from "../store/db.ts";

/**
 * POST /v1/access-token-revocations: ends all access tokens of a person. Everybody may end their own, the one in use
 * included; a full administrator those of anybody in the church.
 *
 * Everyone else gets 403 for whichever id they name, known or not, so that the answer tells them nothing about it.
 */
export async function revokeTokensOf(db: Queryable, actor: Actor, personId: string): Promise<void> {
  const { accountId } = actor;
  if (personId !== actor.personId) {
    if (!isFullAdministrator(actor))
      throw forbidden("Only a full administrator may end another person's tokens.");
    const [person] = isId(personId)
      ? await db`select from people where account_id = ${accountId} and id = ${personId}`
      : [];
    if (!person)
      throw fail("not-found", "There is no such person.", {
        pointer: "/data/relationships/person",
      });
  }
  await revokeTokens(db, { accountId, personId });
}
