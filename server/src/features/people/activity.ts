import { foldEmail, type PersonKey, revokeTokens } from "../../access/logins.ts";
import { fail } from "../../base/errors.ts";
import type { NewEvent } from "../../events/capture.ts";
import type { Queryable, Tx } from "../../store/db.ts";
import { protectLastFullAdministrator } from "./full-administrators.ts";

export interface FoundPerson extends PersonKey {
  fullName: string;
  email: string;
  isActive: boolean;
}

/** By the address they log in with, whatever its case. */
export async function findPerson(
  db: Queryable,
  accountId: string,
  email: string,
): Promise<FoundPerson> {
  const [person] = await db<FoundPerson[]>`
    select account_id as "accountId", id as "personId", full_name as "fullName", email,
      is_active as "isActive"
    from people where account_id = ${accountId} and lower(email) = ${foldEmail(email)}`;
  if (!person)
    throw fail("not-found", `This church has nobody with the address ${JSON.stringify(email)}.`);
  return person;
}

/**
 * Lets somebody out or back in, on the operator's word. Who is let out loses every access token at once. `tell` tells
 * the events.
 */
export async function setActive(
  tx: Tx,
  person: FoundPerson,
  active: boolean,
  tell: (what: Pick<NewEvent, "type" | "changedFields">) => Promise<void>,
): Promise<boolean> {
  const { accountId, personId } = person;
  if (!active) await protectLastFullAdministrator(tx, accountId, personId);
  const { count } = await tx`
    update people set is_active = ${active}, deactivated_at = case when ${active} then null else now() end,
      version = version + 1, modified_at = now()
    where account_id = ${accountId} and id = ${personId} and is_active <> ${active}`;
  if (!active) await revokeTokens(tx, person);
  if (count === 0) return false;

  await tell({ type: "person.updated", changedFields: ["is-active"] });
  await tell({ type: active ? "person.reactivated" : "person.deactivated" });
  return true;
}
