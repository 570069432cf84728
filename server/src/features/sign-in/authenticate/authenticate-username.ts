import { challenge } from "../../../access/identify.ts";
import { foldEmail } from "../../../access/logins.ts";
import { ApiError, problem } from "../../../base/errors.ts";
import type { Db } from "../../../store/db.ts";
import { onEach } from "../../../store/on-each.ts";
import { serversOfLogin } from "./servers-of-login.ts";
import { chargeLookup, throttleKeys } from "../throttle.ts";

export interface UsernameAnswer {
  accounts: { alias: string; name: string }[];
}

/**
 * POST /authenticate-username lists the accounts in which an e-mail address can log in.
 *
 * The interface requires 401 if there is none, which reveals whether an address is known. The throttle therefore limits
 * look-ups per client address and per e-mail, and both cases run the same statements.
 */
export async function authenticateUsername(
  db: Db,
  username: string,
  { address, throttleKey }: { address: string; throttleKey: Uint8Array },
): Promise<UsernameAnswer> {
  const email = foldEmail(username);
  await chargeLookup(db, throttleKeys(throttleKey, "lookup", [email], address));

  const lists = await onEach(
    await serversOfLogin(db, email),
    (server) => server<{ alias: string; name: string }[]>`
      select account.alias, account.church_name as name
      from logins login join account_facts account on account.account_id = login.account_id
      where login.email = ${email}
      order by account.church_name, account.alias
      limit 200`,
  );
  const accounts = lists.flat();
  if (lists.length > 1)
    accounts.sort((a, b) => a.name.localeCompare(b.name) || a.alias.localeCompare(b.alias));
  if (accounts.length === 0)
    throw new ApiError(
      [problem("login-failed", "No account has a log-in with this e-mail address.")],
      {
        ...challenge,
      },
    );
  return { accounts: accounts.map(({ alias, name }) => ({ alias, name })) };
}
