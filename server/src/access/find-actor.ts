import { NIL_ID } from "../base/ids.ts";
import type { Queryable } from "../store/db.ts";
import type { Actor, AdministrativeStatus } from "./actor.ts";
import type { StoredAssignment } from "./find-caller.ts";
import { assignmentsOf } from "./identify.ts";
import type { PersonKey } from "./logins.ts";
import type { Rights } from "./rights.ts";

interface StoredActor {
  accountVersion: number;
  country: string | null;
  administrativeStatus: AdministrativeStatus;
  assignments: readonly StoredAssignment[] | null;
}

/**
 * The person for whom a job works, with the rights of this moment. Undefined if the person or the account is not active any
 * more.
 */
export async function findActor(
  db: Queryable,
  { accountId, personId }: PersonKey,
  rights: Rights,
): Promise<Actor | undefined> {
  const [stored] = await db<StoredActor[]>`
    select account.version as "accountVersion", account.settings ->> 'country' as country,
      person.administrative_status as "administrativeStatus",
      case when person.administrative_status <> 'full-administrator'
        then assignments_of(${accountId}, person.id) end as assignments
    from people person join accounts account on account.id = ${accountId} and account.status = 'active'
    where person.account_id = ${accountId} and person.id = ${personId} and person.is_active`;
  return (
    stored && {
      accountId,
      accountVersion: stored.accountVersion,
      country: stored.country,
      personId,
      tokenId: NIL_ID,
      administrativeStatus: stored.administrativeStatus,
      assignments: assignmentsOf(stored, rights),
    }
  );
}
