import { revokeTokens } from "../../../access/logins.ts";
import { fail, forbidden } from "../../../base/errors.ts";
import { isId } from "../../../base/ids.ts";
import type { TokenRevocation } from "../input.ts";
import type { ReadContext } from "../../../jsonapi/definition/resource.ts";

/**
 * POST /v1/access-token-revocations revokes all access tokens of a person. People can revoke their own. Administrators
 * can revoke those of people who do not outrank them. With `keep-current` the token of the request stays.
 *
 * Returns how many there were. Other callers get 403 for every id, so the response does not reveal which ids exist.
 */
export async function revokeTokensOf(
  context: Pick<ReadContext, "actor" | "catalogue" | "db">,
  { keepsCurrent, personId }: TokenRevocation,
): Promise<number> {
  const { actor, catalogue, db } = context;
  const { accountId } = actor;
  if (personId !== actor.personId) {
    if (actor.administrativeStatus === "none")
      throw forbidden("Only an administrator may end another person's tokens.");
    const [person] = isId(personId)
      ? await db`
          select from person_facts
          where account_id = ${accountId} and person_id = ${personId}`
      : [];
    const source = { pointer: "/data/relationships/person" };
    if (!person) throw fail("not-found", "There is no such person.", source);
    if (await catalogue.published.outranks(context, personId))
      throw fail("forbidden", "This person holds rights that the caller does not hold.", source);
  }
  return revokeTokens(db, { accountId, personId }, keepsCurrent ? actor.tokenId : undefined);
}
