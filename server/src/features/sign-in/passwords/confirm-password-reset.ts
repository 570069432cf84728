import { lockPeople } from "../../../access/locks.ts";
import { accountInactive, requireAllowed } from "../../../access/identify.ts";
import { revokeTokens, setPassword } from "../../../access/logins.ts";
import { hashPassword } from "../../../access/passwords.ts";
import { passwordTokenKey } from "../../../access/tokens.ts";
import { refusalFor } from "../../../access/new-passwords.ts";
import { invalid } from "../../../base/errors.ts";
import type { Catalogue } from "../../../jsonapi/definition/resource.ts";
import { type Db, inTransaction, type Tx } from "../../../store/db.ts";
import type { LoginOrigin } from "../authenticate/authenticate.ts";
import type { PasswordResetConfirmation } from "../input.ts";
import {
  endInvitations,
  findToken,
  originsOf,
  takeToken,
  tokenInvalid,
  type TokenOrigins,
} from "./password-tokens.ts";
import { actorNow, refusalToInvite } from "../invitations/taking-the-place.ts";
import { addEntry } from "../audit.ts";
import { sendPasswordLetter } from "../mails/notices.ts";
import { chargeTry, heard, refundTry, takeBackTry, throttleKeys } from "../throttle.ts";

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
  origin: LoginOrigin & { catalogue: Catalogue; sendsMail: boolean },
): Promise<void> {
  const { address, catalogue, integrationId, sendsMail, throttleKey } = origin;
  const keys = throttleKeys(throttleKey, "password-reset-confirmation", [token], address);
  await chargeTry(db, keys);
  const key = passwordTokenKey(token);
  const known =
    key && (await heard(db, keys, () => findToken(db.serverOf(key.accountId), key, integrationId)));
  if (!known) throw tokenInvalid();
  if (known.accountStatus !== "active" || integrationId !== undefined) {
    await refundTry(db, keys);
    if (known.accountStatus !== "active") throw accountInactive();
    requireAllowed(known);
  }

  const { accountId } = key;
  const { personId } = known;
  const refusal = await heard(db, keys, () =>
    refusalFor(db.ofAccount(accountId), { accountId, personId }, newPassword),
  );
  if (refusal) {
    await takeBackTry(db, keys);
    throw invalid("/data/attributes/new-password", refusal);
  }
  const passwordHash = await heard(db, keys, () => hashPassword(newPassword));
  await inTransaction(db, accountId, async (tx) => {
    // The person's row is locked first, as everywhere.
    await lockPeople(tx, accountId, [personId]);
    const origins = await originsOf(tx, key);
    if (await isRefused(tx, catalogue, personId, origins)) throw tokenInvalid();
    if (!(await takeToken(tx, key))) throw tokenInvalid();
    const person = { accountId, personId };
    const isFirst = await setPassword(tx, person, passwordHash, makersOf(personId, origins));
    if (sendsMail && !isFirst) await sendPasswordLetter(tx, person);
    await endInvitations(tx, { accountId, personIds: [personId] });
    await revokeTokens(tx, { accountId, personId });
    await refundTry(tx, keys);
    addEntry(tx, { accountId, personId }, "password-changed", origin);
  });
}

/** Whether the caller who made the invitation could not make it now. */
async function isRefused(
  tx: Tx,
  catalogue: Catalogue,
  personId: string,
  origins: TokenOrigins | undefined,
): Promise<boolean> {
  // A reset has no inviter, and the operator outranks every person.
  if (!origins?.delivery || origins.inviterId === null) return false;
  const { accountId, delivery, inviterId } = origins;
  const actor = await actorNow(tx, { accountId, personId: inviterId }, catalogue);
  const refusal = await refusalToInvite({ actor, catalogue, db: tx }, personId, delivery);
  return refusal !== undefined;
}

/**
 * The other people who could have used the token: the caller who made the invitation, and the caller who set the address of a
 * mail.
 */
function makersOf(personId: string, origins: TokenOrigins | undefined): string[] {
  if (!origins) return [];
  const { delivery, inviterId, setterId } = origins;
  return [inviterId, delivery === "link" ? null : setterId].filter(
    (one) => one !== null && one !== personId,
  ) as string[];
}
