import type { Tx } from "../store/db.ts";
import type { PersonKey } from "./logins.ts";

/**
 * To be called before a person is deleted, and before anything of theirs is locked. No foreign key leads out of
 * `accounts`, which is found before the church is known.
 *
 * The account's row is written in any case: until the transaction ends nobody changes the account, nor writes a value of
 * the church's own fields, which may name the person. Whoever is doing so just now is waited for.
 *
 * It lives with access, because people/ needs it and features do not import each other.
 */
export async function forgetAuthor(tx: Tx, { accountId, personId }: PersonKey): Promise<void> {
  await tx`
    update accounts set created_by = nullif(created_by, ${personId}::uuid),
      modified_by = nullif(modified_by, ${personId}::uuid)
    where id = ${accountId}`;
}
