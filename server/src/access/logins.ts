import { fail } from "../base/errors.ts";
import type { Queryable, Tx } from "../store/db.ts";
import { revised } from "../store/sql.ts";

/**
 * A log-in consists of a row in person_credentials, people.has_login and a row in `logins`, which finds a person's
 * accounts by e-mail. All changes go through this file, which keeps them consistent.
 *
 * It is in access and not in sign-in, because people/ needs it and features do not import each other.
 */
export interface PersonKey {
  accountId: string;
  personId: string;
}

/**
 * Normalizes an e-mail address for comparison. The database does not fold case, so that the throttle and the log-in
 * always agree.
 */
export const foldEmail = (address: string): string => address.normalize("NFC").trim().toLowerCase();

/**
 * Sets a person's password and creates the log-in if needed. Returns whether it did. Links that could set another
 * password end. It takes a hash, because hashing
 * takes 50 ms and no transaction may wait for it. Callers call `revokeTokens` themselves, because they keep different
 * tokens.
 */
export async function setPassword(
  tx: Tx,
  { accountId, personId }: PersonKey,
  passwordHash: string,
): Promise<boolean> {
  // The person's row is locked first, as everywhere, to avoid deadlocks.
  const [person] = await tx<{ email: string | null; has_login: boolean }[]>`
    select email, has_login from people
    where account_id = ${accountId} and id = ${personId} for no key update`;
  if (!person) throw fail("not-found", "There is no such person.");
  if (person.email === null)
    throw fail(
      "missing-attribute",
      { rule: "required", hint: "A login needs an e-mail address." },
      { pointer: "/data/attributes/email" },
    );

  await tx`
    insert into person_credentials (account_id, person_id, password_hash)
    values (${accountId}, ${personId}, ${passwordHash})
    on conflict (account_id, person_id)
    do update set password_hash = excluded.password_hash, changed_at = now()`;
  await endPasswordTokens(tx, { accountId, personId });
  if (person.has_login) return false;
  await tx`
    update people set has_login = true, ${revised()}
    where account_id = ${accountId} and id = ${personId}`;
  await syncLogin(tx, { accountId, personId });
  return true;
}

/**
 * Updates `logins` after a change of a person's e-mail, in the same transaction.
 *
 * Deactivated people keep their row, because log-in checks the person's state.
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
 * Must be called before a person is deleted. Foreign keys remove credentials and tokens, but `logins` has none. The
 * person's row stays unchanged, so that `If-Match` still matches.
 */
export async function removeLogin(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tx`delete from logins where account_id = ${accountId} and person_id = ${personId}`;
}

/** Ends the links of invitations and password resets that are under way for a person. */
export async function endPasswordTokens(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tx`
    delete from password_tokens where account_id = ${accountId} and person_id = ${personId}`;
}

/** Revokes a person's access tokens, optionally all but one. Returns their number. */
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
