import { type Actor, type AdministrativeStatus, outranks } from "../../access/actor.ts";
import { revokeTokens } from "../../access/logins.ts";
import { fail, forbidden } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import type { Queryable } from "../../store/db.ts";

/**
 * POST /v1/access-token-revocations: ends all access tokens of a person. Everybody may end their own, the one in use
 * included; an administrator those of anybody in the church who does not rank above them.
 *
 * Everyone else gets 403 for whichever id they name, known or not, so that the answer tells them nothing about it.
 */
export async function revokeTokensOf(db: Queryable, actor: Actor, personId: string): Promise<void> {
  const { accountId } = actor;
  if (personId !== actor.personId) {
    if (actor.administrativeStatus === "none")
      throw forbidden("Only an administrator may end another person's tokens.");
    const [person] = isId(personId)
      ? await db<{ standing: AdministrativeStatus }[]>`
          select administrative_status as standing from people
          where account_id = ${accountId} and id = ${personId}`
      : [];
    const source = { pointer: "/data/relationships/person" };
    if (!person) throw fail("not-found", "There is no such person.", source);
    if (outranks(person.standing, actor))
      throw fail("forbidden", "Only an administrator of that rank ends their tokens.", source);
  }
  await revokeTokens(db, { accountId, personId });
}
