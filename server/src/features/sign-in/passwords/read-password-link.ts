import { accountInactive } from "../../../access/identify.ts";
import { passwordTokenKey } from "../../../access/tokens.ts";
import type { Db } from "../../../store/db.ts";
import type { LoginOrigin } from "../authenticate/authenticate.ts";
import { chargeTry, heard, takeBackTry, throttleKeys } from "../throttle.ts";
import { findOwner, tokenInvalid } from "./password-tokens.ts";

/** The log-in whose password the token of a link sets. */
export interface PasswordLink {
  account: { alias: string; name: string };
  username: string;
  "password-length-min": number;
}

/**
 * POST /session/password-link reads the token of an invitation or a reset without using it, so that the page that sets the password
 * can name the church. A link could name any. Wrong tokens count like wrong passwords.
 */
export async function readPasswordLink(
  db: Db,
  token: string,
  { address, throttleKey }: Pick<LoginOrigin, "address" | "throttleKey">,
): Promise<PasswordLink> {
  const keys = throttleKeys(throttleKey, "password-reset-confirmation", [token], address);
  await chargeTry(db, keys);
  const key = passwordTokenKey(token);
  const owner = key && (await heard(db, keys, () => findOwner(db.serverOf(key.accountId), key)));
  if (!owner) throw tokenInvalid({ pointer: "/token" });
  await takeBackTry(db, keys);
  if (owner.accountStatus !== "active") throw accountInactive();
  const { alias, churchName, email, lengthMin } = owner;
  return {
    "account": { alias, name: churchName },
    "username": email,
    "password-length-min": lengthMin,
  };
}
