import { fail } from "../base/errors.ts";
import type { Queryable, Tx } from "../store/db.ts";

/**
 * A login is three things that must agree: a row in person_credentials, people.has_login, and a row in `logins`, which
 * finds a person's churches by e-mail before any church is known. Whoever changes one of them does it through here.
 *
 * It lives with access, not with sign-in, because people/ needs it and features do not import each other.
 */
export interface PersonKey {
  accountId: string;
  personId: string;
}

/**
 * How an e-mail address is compared. Folded here and never again by the database: two spellings that the throttle
 * counts apart must not be one login.
 */
export const foldEmail = (address: string): string => address.normalize("NFC").trim().toLowerCase();

/**
 * Gives a person this password, and a login if they had none: answers whether it did. Takes the hash, not the password: hashing takes a
 * twentieth of a second, and no transaction may wait for it. `revokeTokens` is the caller's to call, since a command
 * line that sets a forgotten password and a person who changes theirs keep different tokens.
 */
export async function setPassword(
  tx: Tx,
  { accountId, personId }: PersonKey,
  passwordHash: string,
): Promise<boolean> {
  // The person first: whatever else changes a login locks this row before the others, so none waits in a circle.
  const [person] = await tx<{ email: string | null; has_login: boolean }[]>`
    select email, has_login from people
    where account_id = ${accountId} and id = ${personId} for no key update`;
  if (!person) throw fail("not-found", "There is no such person.");
  if (person.email === null)
    throw fail("missing-attribute", "A login needs an e-mail address.", {
      pointer: "/data/attributes/email",
    });

  await tx`
    insert into person_credentials (account_id, person_id, password_hash)
    values (${accountId}, ${personId}, ${passwordHash})
    on conflict (account_id, person_id)
    do update set password_hash = excluded.password_hash, changed_at = now()`;
  if (person.has_login) return false;
  await tx`
    update people set has_login = true, version = version + 1, modified_at = now()
    where account_id = ${accountId} and id = ${personId}`;
  await syncLogin(tx, { accountId, personId });
  return true;
}

/**
 * Brings `logins` in step with a person's e-mail. To be called after every change of `email`, in its transaction.
 *
 * Only the e-mail matters. A person who is deactivated keeps their row: they may come back, and that they are not
 * active is read from the person when they log in, so nothing here could get out of step with it.
 */
export async function syncLogin(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tx`
    delete from logins
    where account_id = ${accountId} and person_id = ${personId} and email not in (
      select lower(email) from people
      where account_id = ${accountId} and id = ${personId} and has_login and email is not null)`;
  await tx`
    insert into logins (email, account_id, person_id)
    select lower(email), account_id, id from people
    where account_id = ${accountId} and id = ${personId} and has_login and email is not null
    on conflict (email, account_id) do update set person_id = excluded.person_id`;
}

/**
 * To be called before a person is deleted. Credentials and tokens go with the person by their foreign keys; `logins`,
 * which is looked up across churches, has none. The person's row is left as it is, so that `If-Match` still holds.
 */
export async function removeLogin(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tx`delete from logins where account_id = ${accountId} and person_id = ${personId}`;
}

/** Ends a person's access tokens, all of them or all but one, and answers how many. */
export async function revokeTokens(
  db: Queryable,
  { accountId, personId }: PersonKey,
  keptTokenId?: string,
): Promise<number> {
  const { count } = await db`
    delete from access_tokens
    where account_id = ${accountId} and person_id = ${personId}
      and id is distinct from ${keptTokenId ?? null}`;
  return count;
}
