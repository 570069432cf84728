import { lockPeople } from "../../access/locks.ts";
import { accountInactive, requireAllowed } from "../../access/identify.ts";
import { revokeTokens, setPassword } from "../../access/logins.ts";
import { hashPassword } from "../../access/passwords.ts";
import { passwordTokenKey } from "../../access/tokens.ts";
import { fail } from "../../base/errors.ts";
import { type Db, inTransaction } from "../../store/db.ts";
import type { LoginOrigin } from "./authenticate.ts";
import type { PasswordResetConfirmation } from "./input.ts";
import { endInvitations, findToken, takeToken } from "./password-tokens.ts";
import { chargeTry, heard, refundTry, throttleKeys } from "./throttle.ts";

/**
 * POST /v1/password-reset-confirmations sets a password with the token of an invitation or of a reset, creates the log-in if
 * there is none, and revokes all access tokens of the person.
 *
 * Wrong tokens count like wrong passwords. The password is hashed only for a right token, and before the transaction. A token
 * works once: the second of two requests finds it taken.
 */
export async function confirmPasswordReset(
  db: Db,
  { newPassword, token }: PasswordResetConfirmation,
  { address, throttleKey, integrationId }: LoginOrigin,
): Promise<void> {
  const keys = throttleKeys(throttleKey, "password-reset-confirmation", [token], address);
  await chargeTry(db, keys);
  const key = passwordTokenKey(token);
  const known = key && (await heard(db, keys, () => findToken(db, key, integrationId)));
  if (!known) throw tokenInvalid();
  if (known.accountStatus !== "active" || integrationId !== undefined) {
    await refundTry(db, keys);
    if (known.accountStatus !== "active") throw accountInactive();
    requireAllowed(known);
  }

  const { accountId } = key;
  const { personId } = known;
  const passwordHash = await heard(db, keys, () => hashPassword(newPassword));
  await inTransaction(db, accountId, async (tx) => {
    // The person's row is locked first, as everywhere.
    await lockPeople(tx, accountId, [personId]);
    if (!(await takeToken(tx, key))) throw tokenInvalid();
    await setPassword(tx, { accountId, personId }, passwordHash);
    await endInvitations(tx, { accountId, personId });
    await revokeTokens(tx, { accountId, personId });
    await refundTry(tx, keys);
  });
}

const tokenInvalid = () =>
  fail("token-invalid", "The token is unknown, used, expired or replaced by a newer one.", {
    pointer: "/data/attributes/token",
  });
