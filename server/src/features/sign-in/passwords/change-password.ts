import { lockPeople } from "../../../access/locks.ts";
import type { Actor } from "../../../access/actor.ts";
import { revokeTokens, setPassword } from "../../../access/logins.ts";
import { hashPassword, passwordMistake, verifyPassword } from "../../../access/passwords.ts";
import { refusalFor } from "../../../access/new-passwords.ts";
import { fail, invalid } from "../../../base/errors.ts";
import { type Db, inTransaction, type Tx } from "../../../store/db.ts";
import { addEntry } from "../audit.ts";
import type { LoginOrigin } from "../authenticate/authenticate.ts";
import type { PasswordChange } from "../input.ts";
import { sendPasswordLetter } from "../mails/notices.ts";
import { chargeTry, heard, refundTry, throttleKeys } from "../throttle.ts";

/** Runs the change unless a request with the same Idempotency-Key already did. */
export type Within<Result> = (tx: Tx, run: () => Promise<Result>) => Promise<Result>;

/**
 * POST /v1/password-changes changes the caller's own password and revokes all other tokens.
 *
 * The current password is required and throttled like a log-in, so that a stolen token cannot take over the log-in. A
 * wrong password is 422 and not 401, because the token is still valid.
 */
export async function changePassword<Result>(
  db: Db,
  actor: Actor,
  { currentPassword, newPassword }: PasswordChange,
  origin: Pick<LoginOrigin, "address" | "requestId" | "throttleKey"> & { sendsMail: boolean },
  within: Within<Result>,
  changed: Result,
): Promise<Result> {
  const { accountId, personId } = actor;
  const { address, requestId, sendsMail, throttleKey } = origin;
  const refusal = await refusalFor(db.ofAccount(accountId), actor, newPassword);
  if (refusal) throw invalid("/data/attributes/new-password", refusal);
  const keys = throttleKeys(throttleKey, "password-change", [accountId, personId], address);
  await chargeTry(db, keys);

  const [credential] = await db.ofAccount(accountId)<{ password_hash: string }[]>`
    select password_hash from person_credentials
    where account_id = ${accountId} and person_id = ${personId}`;
  // An invalid password is wrong without hashing.
  const possible = passwordMistake(currentPassword) === undefined;
  const newHash = await heard(db, keys, async () => {
    const right = possible && (await verifyPassword(currentPassword, credential?.password_hash));
    return right ? hashPassword(newPassword) : undefined;
  });

  return inTransaction(db, accountId, async (tx) => {
    let isChange = false;
    const result = await within(tx, async () => {
      // The second of two concurrent changes no longer has the current password.
      await lockPeople(tx, accountId, [personId]);
      const [unchanged] = await tx`
        select from person_credentials
        where account_id = ${accountId} and person_id = ${personId}
          and password_hash = ${credential?.password_hash ?? null}
        for no key update`;
      if (!unchanged || newHash === undefined) throw wrongPassword();
      await setPassword(tx, { accountId, personId }, newHash, "kept");
      await revokeTokens(tx, { accountId, personId }, actor.tokenId);
      if (sendsMail) await sendPasswordLetter(tx, actor);
      isChange = true;
      return changed;
    });
    await refundTry(tx, keys);
    const { integrationId } = actor;
    if (isChange) addEntry(tx, actor, "password-changed", { address, integrationId, requestId });
    return result;
  });
}

const wrongPassword = () =>
  fail("wrong-password", "This is not the current password.", {
    pointer: "/data/attributes/current-password",
  });
