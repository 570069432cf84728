import { fail } from "../../base/errors.ts";
import type { Queryable, Tx } from "../../store/db.ts";

/** What only the operator decides about a church. */
export interface Standing {
  status: "active" | "inactive";
  "integration-approved": boolean;
}

export interface AccountRow extends Standing {
  id: string;
  alias: string;
  "church-name": string;
}

export async function findAccount(db: Queryable, alias: string): Promise<AccountRow> {
  const [church] = await db<AccountRow[]>`
    select id, alias, church_name as "church-name", status,
      integration_approved as "integration-approved"
    from accounts where alias = ${alias}`;
  if (!church)
    throw fail("not-found", `There is no church with the alias ${JSON.stringify(alias)}.`);
  return church;
}

/** By alias, so many at the most: an operator of ten thousand churches asks the database. */
export async function listChurches(db: Queryable): Promise<AccountRow[]> {
  return db<AccountRow[]>`
    select id, alias, church_name as "church-name", status,
      integration_approved as "integration-approved"
    from accounts order by alias limit 1000`;
}

/**
 * Approves a church for integrations, or closes its account; takes back either. It counts from the next request on:
 * callers are judged by the account as it is then. `tell` tells the event.
 */
export async function setStanding(
  tx: Tx,
  alias: string,
  wanted: Partial<Standing>,
  tell: (church: AccountRow, changedFields: readonly string[]) => Promise<void>,
): Promise<AccountRow> {
  await tx`select from accounts where alias = ${alias} for no key update`;
  const before = await findAccount(tx, alias);
  const after = { ...before, ...wanted };
  const changedFields = (["status", "integration-approved"] as const).filter(
    (name) => before[name] !== after[name],
  );
  if (changedFields.length === 0) return after;
  await tx`
    update accounts set status = ${after.status}, integration_approved = ${after["integration-approved"]},
      version = version + 1, modified_at = now()
    where id = ${after.id}`;
  await tell(after, changedFields);
  return after;
}
