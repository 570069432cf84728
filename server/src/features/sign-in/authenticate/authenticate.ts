import { setTimeout as wait } from "node:timers/promises";
import { accountInactive, challenge, requireAllowed } from "../../../access/identify.ts";
import { foldEmail, type PersonKey } from "../../../access/logins.ts";
import { hashPassword, needsRehash, verifyPassword } from "../../../access/passwords.ts";
import { newAccessToken } from "../../../access/tokens.ts";
import { ApiError, problem } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import { observe } from "../../../base/observe.ts";
import { isMoving } from "../../../store/away.ts";
import { type Db, inTransaction, type Tx } from "../../../store/db.ts";
import { addEntry, addFailure } from "../audit.ts";
import type { KnownDevice } from "../session/known-device.ts";
import { chargeTry, heard, refundTry, type ThrottleKeys, throttleKeys } from "../throttle.ts";

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
  requestId: string;
  /** Keys the hashes that failed logins are counted under. */
  throttleKey: Uint8Array;
  /** Set when an integration asks instead of a first-party browser. */
  integrationId?: string | undefined;
  /** The browser or program that logs in, in words. */
  device?: string | undefined;
  /** The browser, if it has logged in before. */
  knownDevice?: KnownDevice | undefined;
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
 * Every failure has the same response and the same cost: the same statements and one hash. Only a correct password reveals
 * that the account is not active or does not allow the integration.
 */
export async function authenticate(
  db: Db,
  login: Login,
  origin: LoginOrigin,
): Promise<LoginAnswer> {
  const tried = await tryLogin(db, login, origin);
  if (!isRight(tried)) {
    noteFailures(db, [tried], origin);
    throw loginFailed();
  }
  const { known } = tried;
  if (known.accountStatus !== "active" || origin.integrationId !== undefined) {
    await refundTry(db, tried.keys);
    if (known.accountStatus !== "active") throw accountInactive();
    requireAllowed(known);
  }

  const { accountId, alias, churchName, personId } = known;
  const { token, hash } = newAccessToken(accountId);
  const expiresAt = await issueToken(db, tried, origin, {
    hash,
    device: origin.device,
    milliseconds: limits.accessTokenMs,
  });
  return {
    access_token: token,
    token_type: "Bearer",
    expires_in: limits.accessTokenMs / 1_000,
    expires_at: expiresAt,
    account: { id: accountId, alias, "church-name": churchName },
    person: { id: personId },
  };
}

/** A log-in whose password was compared. Its try is counted, and is refunded if the password was right. */
export interface TriedLogin {
  keys: ThrottleKeys;
  password: string;
  known: KnownLogin | undefined;
  /** The person whose password it was not. */
  missed?: PersonKey | undefined;
}

/** A log-in with the right password. */
export type RightLogin = TriedLogin & { known: KnownLogin };

export const isRight = (tried: TriedLogin): tried is RightLogin => tried.known !== undefined;

export async function tryLogin(
  db: Db,
  { username, password, account }: Login,
  { address, throttleKey, integrationId, knownDevice }: LoginOrigin,
): Promise<TriedLogin> {
  const email = foldEmail(username);
  const alias = account.trim().toLowerCase();
  const keys = throttleKeys(throttleKey, "login", [alias, email], address, knownDevice);
  await chargeTry(db, keys);

  const { known, right } = await heard(db, keys, async () => {
    const known = await findLogin(db, alias, email, integrationId);
    return { known, right: await verifyPassword(password, known?.passwordHash) };
  });
  if (known && right) return { keys, password, known };
  observe({ kind: "login", outcome: "failed", ...(known && { accountId: known.accountId }) });
  return { keys, password, known: undefined, missed: known };
}

/** Adds the entries of a log-in that failed with every password that was compared. */
export function noteFailures(db: Db, tried: readonly TriedLogin[], origin: LoginOrigin): void {
  for (const { missed } of tried) if (missed) addFailure(db, missed, origin);
}

interface IssuedToken {
  hash: Buffer;
  device: string | undefined;
  milliseconds: number;
  kind?: "browser";
  isRemembered?: boolean;
}

/** Stores a token for a log-in with the right password. Returns the time at which it expires. */
export async function issueToken(
  db: Db,
  { keys, known, password }: RightLogin,
  origin: LoginOrigin,
  { milliseconds, ...token }: IssuedToken,
): Promise<string> {
  const { accountId, personId } = known;
  const rehashed = needsRehash(known.passwordHash)
    ? await heard(db, keys, () => hashPassword(password))
    : undefined;
  const issue = async (tx: Tx) => {
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
      insert into access_tokens (account_id, token_hash, id, person_id, expires_at, kind, is_remembered, device)
      values (${accountId}, ${token.hash}, ${newId()}, ${personId},
        now() + make_interval(secs => ${milliseconds / 1_000}), ${token.kind ?? "bearer"},
        ${token.isRemembered ?? false}, ${token.device ?? null})
      returning expires_at`;
    await refundTry(tx, keys);
    addEntry(tx, known, "logged-in", origin);
    return created?.expires_at ?? "";
  };
  const expiresAt = await heard(db, keys, () =>
    afterMove(() => inTransaction(db, accountId, issue)),
  );
  observe({ kind: "login", outcome: "succeeded", accountId, personId });
  return expiresAt;
}

/** The account refuses changes for some seconds while it moves to another server. A log-in then waits. */
async function afterMove<T>(work: () => Promise<T>): Promise<T> {
  const waitsUntil = performance.now() + limits.loginWaitMsMax;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isMoving(error) || performance.now() > waitsUntil) throw error;
      await wait(limits.loginRetryMs);
    }
  }
}

/** The response to every failed log-in. */
export const loginFailed = () =>
  new ApiError(
    [problem("login-failed", "Username, password and account do not belong together.")],
    { ...challenge },
  );

export interface KnownLogin {
  accountId: string;
  alias: string;
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
  const server = await db.serverOfAlias(alias);
  const [known] = await server<KnownLogin[]>`
    select account.account_id as "accountId", account.alias, account.status as "accountStatus",
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
