import { SECOND } from "../base/clock.ts";
import { fail } from "../base/errors.ts";
import { within } from "../base/within.ts";
import { type Db, inTransaction, onCommit, type Queryable, type Tx } from "../store/db.ts";
import { json, revised } from "../store/sql.ts";

/**
 * A log-in consists of a row in person_credentials, people.has_login and a row in `logins`, which finds a person's
 * accounts by e-mail. All changes go through this file, which keeps them consistent. The home server has a copy of the
 * `logins` of all servers.
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
 * tokens. `makers` are the people through whose link the password is set. A change by a person who is logged in keeps them.
 */
export async function setPassword(
  tx: Tx,
  { accountId, personId }: PersonKey,
  passwordHash: string,
  makers: readonly string[] | "kept" = [],
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
    insert into person_credentials (account_id, person_id, password_hash, link_makers)
    values (${accountId}, ${personId}, ${passwordHash}, ${makers === "kept" ? [] : [...makers]}::uuid[])
    on conflict (account_id, person_id)
    do update set password_hash = excluded.password_hash, changed_at = now(),
      link_makers = case when ${makers === "kept"} then person_credentials.link_makers else excluded.link_makers end`;
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
  if (tx.home === undefined) return;
  const [login] = await tx<{ email: string }[]>`
    select email from logins where account_id = ${accountId} and person_id = ${personId}`;
  copyLogin(tx, { accountId, personId }, login?.email);
}

/** Ends the log-in of a person: the password, the links that could set another one, and the access tokens. */
export async function endLogin(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tx`delete from person_credentials where account_id = ${accountId} and person_id = ${personId}`;
  await tx`
    update people set has_login = false, ${revised()}
    where account_id = ${accountId} and id = ${personId} and has_login`;
  await syncLogin(tx, { accountId, personId });
  await endPasswordTokens(tx, { accountId, personId });
  await revokeTokens(tx, { accountId, personId });
}

/**
 * Must be called before a person is deleted. Foreign keys remove credentials and tokens, but `logins` has none. The
 * person's row stays unchanged, so that `If-Match` still matches.
 */
export async function removeLogin(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tx`delete from logins where account_id = ${accountId} and person_id = ${personId}`;
  copyLogin(tx, { accountId, personId }, undefined);
}

/** A request waits so long for the copy, because a home that is frozen must not keep it. It is answered within a second. */
export const COPY_MS_MAX = 0.9 * SECOND;

/** Copies the log-in of a person to the home after the commit. A copy that fails is made by `copyLogins`. */
function copyLogin(tx: Tx, key: PersonKey, email: string | undefined): void {
  const { home } = tx;
  if (!home) return;
  const copy = () => writeCopy(home, key, email).catch(() => undefined);
  onCommit(tx, () => within(COPY_MS_MAX, copy(), undefined));
}

async function writeCopy(
  home: Db,
  { accountId, personId }: PersonKey,
  email: string | undefined,
): Promise<void> {
  await home`
    delete from logins
    where account_id = ${accountId} and person_id = ${personId} and email is distinct from ${email ?? null}`;
  if (email === undefined) return;
  await home`
    insert into logins (email, account_id, person_id) values (${email}, ${accountId}, ${personId})
    on conflict (email, account_id) do update set person_id = excluded.person_id`;
}

/** Removes the copies of an account that no longer exists. */
export async function forgetLogins(home: Db, accountId: string): Promise<void> {
  await home`delete from logins where account_id = ${accountId}`;
}

interface Digest {
  accountId: string;
  digest: string;
}

/** Makes the copies of the log-ins of these accounts equal, and returns the number of accounts whose copy differed. */
export async function copyLogins(
  home: Db,
  server: Db,
  accountIds: readonly string[],
): Promise<number> {
  const digestsIn = async (db: Db) => {
    const rows = await db<Digest[]>`
      select account_id as "accountId", md5(string_agg(email || person_id, ',' order by email collate "C")) as digest
      from logins where account_id = any(${[...accountIds]}::uuid[]) group by account_id`;
    return new Map(rows.map(({ accountId, digest }) => [accountId, digest]));
  };
  const [wanted, known] = await Promise.all([digestsIn(server), digestsIn(home)]);
  const different = accountIds.filter((id) => wanted.get(id) !== known.get(id));
  for (const accountId of different) await copyLoginsOf(home, server, accountId);
  return different.length;
}

async function copyLoginsOf(home: Db, server: Db, accountId: string): Promise<void> {
  await inTransaction(home, accountId, async (tx) => {
    await tx`delete from logins where account_id = ${accountId}`;
    const rows = await server<{ email: string; person_id: string }[]>`
      select email, person_id from logins where account_id = ${accountId}`;
    await tx`
      insert into logins (email, account_id, person_id)
      select email, ${accountId}, person_id
      from jsonb_to_recordset(${json(rows)}::text::jsonb) as copied (email text, person_id uuid)`;
  });
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
