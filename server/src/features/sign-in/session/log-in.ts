import { accountInactive } from "../../../access/identify.ts";
import { foldEmail } from "../../../access/logins.ts";
import { browserTokenKey, newBrowserToken } from "../../../access/tokens.ts";
import { ApiError, fail } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { Db } from "../../../store/db.ts";
import { onEach } from "../../../store/on-each.ts";
import {
  isRight,
  issueToken,
  loginFailed,
  noteFailures,
  type LoginOrigin,
  type TriedLogin,
  tryLogin,
} from "../authenticate/authenticate.ts";
import { serversOfLogin } from "../authenticate/servers-of-login.ts";
import { deviceCookie } from "./known-device.ts";
import { refundTry, takeBackTry } from "../throttle.ts";

export interface SessionLogin {
  username: string;
  password: string;
  /** Undefined if the person has not said which. */
  account: string | undefined;
  remember: boolean;
}

/**
 * Exchanges a password for the token of a browser session. Without an account, every account of the e-mail address is tried,
 * and counted like a log-in of its own. Only a right password reveals accounts.
 */
export async function startSession(
  db: Db,
  { remember, ...login }: SessionLogin,
  origin: LoginOrigin,
): Promise<{ token: string; device: string }> {
  const tried = await tryAccounts(db, login, origin);
  const right = tried.filter(isRight);
  // The password was no guess, so it does not count against the person's other accounts either.
  for (const { keys } of tried.filter((one) => !isRight(one))) await takeBackTry(db, keys);
  const active = right.filter(({ known }) => known.accountStatus === "active");
  const [chosen] = active;
  for (const one of right) if (one !== chosen || active.length > 1) await refundTry(db, one.keys);
  if (chosen === undefined) throw accountInactive();
  if (active.length > 1)
    throw fail("choose-account", "The password is right in several accounts.", undefined, {
      accounts: active.map(({ known: { alias, churchName } }) => ({ alias, name: churchName })),
    });

  const { token, hash } = newBrowserToken(chosen.known.accountId);
  await issueToken(db, chosen, origin, {
    hash,
    kind: "browser",
    isRemembered: remember,
    device: origin.device,
    milliseconds: remember ? limits.sessionRememberedMs : limits.sessionIdleMs,
  });
  const who = [chosen.known.alias, foldEmail(login.username)];
  return { token, device: deviceCookie(origin.knownDevice, origin.throttleKey, who) };
}

/** Returns the tries of at least one right password, or throws the error of a log-in. */
async function tryAccounts(
  db: Db,
  { account, ...login }: Omit<SessionLogin, "remember">,
  origin: LoginOrigin,
): Promise<TriedLogin[]> {
  const known = account === undefined ? await aliasesOf(db, login.username) : [account];
  const tried: TriedLogin[] = [];
  let throttled: ApiError | undefined;
  // An unknown address costs as much as a wrong password.
  for (const alias of known.length > 0 ? known : [""]) {
    try {
      tried.push(await tryLogin(db, { ...login, account: alias }, origin));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      throttled = error;
    }
  }
  if (!tried.some(isRight)) {
    noteFailures(db, tried, origin);
    throw throttled ?? loginFailed();
  }
  return tried;
}

async function aliasesOf(db: Db, username: string): Promise<string[]> {
  const email = foldEmail(username);
  const lists = await onEach(
    await serversOfLogin(db, email),
    (server) => server<{ alias: string }[]>`
      select account.alias
      from logins login join account_facts account on account.account_id = login.account_id
      where login.email = ${email}
      order by account.alias
      limit ${limits.accountsPerLoginMax}`,
  );
  const aliases = lists.flat().map(({ alias }) => alias);
  return aliases.sort().slice(0, limits.accountsPerLoginMax);
}

/** Ends the session of a token. Tokens of other kinds stay valid. */
export async function endSession(db: Db, token: string | undefined): Promise<void> {
  const key = token === undefined ? undefined : browserTokenKey(token);
  if (key === undefined) return;
  const { accountId, hash } = key;
  await db.ofAccount(accountId)`
    delete from access_tokens where account_id = ${accountId} and token_hash = ${hash}`;
}
