import { challenge } from "../../access/identify.ts";
import { foldEmail } from "../../access/logins.ts";
import { ApiError, problem } from "../../base/errors.ts";
import type { Db } from "../../store/db.ts";
import { chargeLookup, throttleKeys } from "./throttle.ts";

export interface UsernameAnswer {
  accounts: { alias: string; name: string }[];
}

/**
 * POST /authenticate-username: in which churches an e-mail address is a login, for whoever belongs to several.
 *
 * The interface wants 401 when there is none, which tells whether an address is known. What remains is to make asking
 * slow: few look-ups an hour for an address that asks and for an e-mail asked for, counted whether or not they find
 * something, and the same two statements in either case.
 */
export async function authenticateUsername(
  db: Db,
  username: string,
  { address, throttleKey }: { address: string; throttleKey: Uint8Array },
): Promise<UsernameAnswer> {
  const email = foldEmail(username);
  await chargeLookup(db, throttleKeys(throttleKey, "lookup", [email], address));

  const accounts = await db<{ alias: string; name: string }[]>`
    select account.alias, account.church_name as name
    from logins login join accounts account on account.id = login.account_id
    where login.email = ${email}
    order by account.church_name, account.alias
    limit 200`;
  if (accounts.length === 0)
    throw new ApiError([problem("login-failed", "No church knows this e-mail address.")], {
      ...challenge,
    });
  return { accounts: accounts.map(({ alias, name }) => ({ alias, name })) };
}
