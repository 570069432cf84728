import { fail } from "../../base/errors.ts";
import type { Db, Tx } from "../../store/db.ts";
import { raw, revised } from "../../store/sql.ts";

/** Attributes of an account that only the operator changes. */
export interface OperatorAttributes {
  status: "active" | "inactive";
  "integration-approved": boolean;
}

export interface AccountRow extends OperatorAttributes {
  id: string;
  alias: string;
  "church-name": string;
}

const columns = raw(
  `id, alias, church_name as "church-name", status, integration_approved as "integration-approved"`,
);

export async function findAccount(db: Db, alias: string): Promise<AccountRow> {
  const server = await db.serverOfAlias(alias);
  const [account] = await server<
    AccountRow[]
  >`select ${columns} from accounts where alias = ${alias}`;
  if (!account) throw fail("not-found", `No account has the alias ${JSON.stringify(alias)}.`);
  return account;
}

export async function lockAccount(
  tx: Tx,
  id: string,
  strength: "update" | "no key update",
): Promise<AccountRow> {
  const [account] = await tx<AccountRow[]>`
    select ${columns} from accounts where id = ${id} for ${raw(strength)}`;
  if (!account) throw fail("not-found", "The account no longer exists.");
  return account;
}

/** Changes the approval or the status of an account. It applies from the next request. `captureEvent` captures the event. */
export async function setStanding(
  tx: Tx,
  id: string,
  wanted: Partial<OperatorAttributes>,
  captureEvent: (changedFields: readonly string[]) => Promise<void>,
): Promise<AccountRow> {
  const before = await lockAccount(tx, id, "no key update");
  const after = { ...before, ...wanted };
  const changedFields = (["status", "integration-approved"] as const).filter(
    (name) => before[name] !== after[name],
  );
  if (changedFields.length === 0) return after;
  await tx`
    update accounts set status = ${after.status}, integration_approved = ${after["integration-approved"]},
      ${revised()}
    where id = ${id}`;
  await captureEvent(changedFields);
  return after;
}
