import { lockPeople } from "../../access/locks.ts";
import { foldEmail } from "../../access/logins.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";

/** Finds the person whose e-mail address this is, and keeps the record until the transaction ends. */
export async function lockPersonOf(
  { actor, db }: Pick<WriteContext, "actor" | "db">,
  email: string,
): Promise<{ id: string; isActive: boolean } | undefined> {
  const { accountId } = actor;
  const find = () => db<{ id: string; isActive: boolean }[]>`
    select id, is_active as "isActive" from people
    where account_id = ${accountId} and lower(email) = ${foldEmail(email)}`;
  const [found] = await find();
  if (!found) return undefined;
  await lockPeople(db, accountId, [found.id]);
  // The record may have changed while this transaction waited.
  const [locked] = await find();
  return locked?.id === found.id ? locked : undefined;
}
