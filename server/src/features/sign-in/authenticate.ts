import { accountInactive, challenge, requireAllowed } from "../../access/identify.ts";
import { foldEmail } from "../../access/logins.ts";
import { hashPassword, needsRehash, verifyPassword } from "../../access/passwords.ts";
import { newAccessToken } from "../../access/tokens.ts";
import { ApiError, problem } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { observe } from "../../base/observe.ts";
import { type Db, inTransaction } from "../../store/db.ts";
import { chargeTry, heard, refundTry, throttleKeys } from "./throttle.ts";

export interface Login {
  /** The e-mail address. */
  username: string;
  password: string;
  /** The account's alias. */
  account: string;
}

/** The source of a log-in. */
export interface LoginOrigin {
  address: string;
  /** Keys the hashes that failed logins are counted under. */
  throttleKey: Uint8Array;
  /** Set when an integration asks instead of a first-party browser. */
  integrationId?: string | undefined;
}

export interface LoginAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  expires_at: string;
  account: { id: string; alias: string; "church-name": string };
  person: { id: string };
}

/**
 * POST /authenticate exchanges a password for an access token.
 *
 * Every failure has the same response and the same cost: two statements and one hash. Only a correct password reveals
 * that the account is not active or does not allow the integration.
 */
export async function authenticate(
  db: Db,
  { username, password, account }: Login,
  { address, throttleKey, integrationId }: LoginOrigin,
): Promise<LoginAnswer> {
  const email = foldEmail(username);
  const alias = account.trim().toLowerCase();
  const keys = throttleKeys(throttleKey, "login", [alias, email], address);
  await chargeTry(db, keys);

  const known = await findLogin(db, alias, email, integrationId);
  const right = await heard(db, keys, () => verifyPassword(password, known?.passwordHash));
  if (!known || !right) {
    observe({ kind: "login", outcome: "failed", ...(known && { accountId: known.accountId }) });
    throw loginFailed();
  }
  if (known.accountStatus !== "active" || integrationId !== undefined) {
    await refundTry(db, keys);
    if (known.accountStatus !== "active") throw accountInactive();
    requireAllowed(known);
  }

  const { accountId, personId } = known;
  const rehashed = needsRehash(known.passwordHash)
    ? await heard(db, keys, () => hashPassword(password))
    : undefined;
  const { token, hash } = newAccessToken(accountId);
  const expiresAt = await inTransaction(db, accountId, async (tx) => {
    // The person's row is locked first, as everywhere. The version stays, because no attribute changes.
    const { count } = await tx`
      update people set last_login_at = now()
      where account_id = ${accountId} and id = ${personId} and is_active`;
    // The password may have changed while the hash was computed.
    const [credential] = await tx`
      select from person_credentials
      where account_id = ${accountId} and person_id = ${personId}
        and password_hash = ${known.passwordHash}
      for update`;
    if (count === 0 || !credential) throw loginFailed();
    if (rehashed)
      await tx`
        update person_credentials set password_hash = ${rehashed}
        where account_id = ${accountId} and person_id = ${personId}`;
    await tx`
      delete from access_tokens
      where account_id = ${accountId} and person_id = ${personId} and expires_at <= now()`;
    const [created] = await tx<{ expires_at: string }[]>`
      insert into access_tokens (account_id, token_hash, id, person_id, expires_at)
      values (${accountId}, ${hash}, ${newId()}, ${personId},
        now() + make_interval(secs => ${limits.accessTokenMs / 1_000}))
      returning expires_at`;
    await refundTry(tx, keys);
    return created?.expires_at ?? "";
  });

  observe({ kind: "login", outcome: "succeeded", accountId, personId });
  return {
    access_token: token,
    token_type: "Bearer",
    expires_in: limits.accessTokenMs / 1_000,
    expires_at: expiresAt,
    account: { id: accountId, alias, "church-name": known.churchName },
    person: { id: personId },
  };
}

/** The response to every failed log-in. */
const loginFailed = () =>
  new ApiError(
    [problem("login-failed", "Username, password and account do not belong together.")],
    { ...challenge },
  );

interface KnownLogin {
  accountId: string;
  accountStatus: string;
  churchName: string;
  approved: boolean;
  allowed: boolean;
  personId: string;
  passwordHash: string;
}

async function findLogin(
  db: Db,
  alias: string,
  email: string,
  integrationId: string | undefined,
): Promise<KnownLogin | undefined> {
  const [known] = await db<KnownLogin[]>`
    select account.account_id as "accountId", account.status as "accountStatus",
      account.church_name as "churchName", account.integration_approved as "approved",
      exists (
        select from account_integrations allowed
        where allowed.account_id = account.account_id and allowed.integration_id = ${integrationId ?? null}::uuid
      ) as "allowed",
      person.person_id as "personId", credential.password_hash as "passwordHash"
    from account_facts account
    join person_facts person
      on person.account_id = account.account_id and lower(person.email) = ${email} and person.is_active
    join person_credentials credential
      on credential.account_id = person.account_id and credential.person_id = person.person_id
    where account.alias = ${alias}`;
  return known;
}
