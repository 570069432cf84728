import { foldEmail, type PersonKey, revokeTokens } from "../../access/logins.ts";
import { fail } from "../../base/errors.ts";
import type { NewEvent } from "../../events/capture.ts";
import type { Queryable, Tx } from "../../store/db.ts";
import { assertAnotherFullAdministrator } from "./full-administrators.ts";
import { revised } from "../../store/sql.ts";

export interface FoundPerson extends PersonKey {
  fullName: string;
  email: string;
  isActive: boolean;
}

/** Finds a person by log-in address, ignoring case. */
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
    throw fail("not-found", `No person of this account has the address ${JSON.stringify(email)}.`);
  return person;
}

/** Deactivates or reactivates a person. Deactivation revokes all access tokens at once. `captureEvent` captures the events. */
export async function setActive(
  tx: Tx,
  person: FoundPerson,
  active: boolean,
  captureEvent: (what: Pick<NewEvent, "type" | "changedFields">) => Promise<void>,
): Promise<boolean> {
  const { accountId, personId } = person;
  if (!active) await assertAnotherFullAdministrator(tx, accountId, personId);
  const { count } = await tx`
    update people set is_active = ${active}, deactivated_at = case when ${active} then null else now() end,
      ${revised()}
    where account_id = ${accountId} and id = ${personId} and is_active <> ${active}`;
  if (!active) await revokeTokens(tx, person);
  if (count === 0) return false;

  await captureEvent({ type: "person.updated", changedFields: ["is-active"] });
  await captureEvent({ type: active ? "person.reactivated" : "person.deactivated" });
  return true;
}
