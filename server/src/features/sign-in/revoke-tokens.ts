import { type Actor, type AdministrativeStatus, outranks } from "../../access/actor.ts";
import { revokeTokens } from "../../access/logins.ts";
import { fail, forbidden } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import type { Queryable } from "../../store/db.ts";

/**
 * POST /v1/access-token-revocations revokes all access tokens of a person. People can revoke their own. Administrators
 * can revoke those of people who do not rank above them.
 *
 * Other callers get 403 for every id, so the response does not reveal which ids exist.
 */
export async function revokeTokensOf(db: Queryable, actor: Actor, personId: string): Promise<void> {
  const { accountId } = actor;
  if (personId !== actor.personId) {
    if (actor.administrativeStatus === "none")
      throw forbidden("Only an administrator may end another person's tokens.");
    const [person] = isId(personId)
      ? await db<{ status: AdministrativeStatus }[]>`
          select administrative_status as status from person_facts
          where account_id = ${accountId} and person_id = ${personId}`
      : [];
    const source = { pointer: "/data/relationships/person" };
    if (!person) throw fail("not-found", "There is no such person.", source);
    if (outranks(person.status, actor))
      throw fail("forbidden", "Only an administrator of that rank ends their tokens.", source);
  }
  await revokeTokens(db, { accountId, personId });
}
