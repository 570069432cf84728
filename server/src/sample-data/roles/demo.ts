import { newId } from "../../base/ids.ts";
import type { DemoAccount } from "../demo-account.ts";
import { addPresetRoles } from "../../features/roles/grant.ts";

/** A secretary of the account and a coordinator of one course. */
export async function addDemo(account: DemoAccount): Promise<void> {
  const { accountId, tx } = account;
  await addPresetRoles(tx, accountId);
  // The examples of the reference name this id.
  await tx`
    update roles set id = ${account.newId("roles", "secretary")}
    where account_id = ${accountId} and code = 'secretary'`;
  const course = account.idOf("courses", "Leading a Cell");
  const held = [
    ["Hannah Whitfield", "secretary", "account", []],
    ["Miguel Ângelo Carvalho", "course-coordinator", "course", [course]],
  ] as const;
  for (const [name, code, scopeType, scopeIds] of held)
    await tx`
      insert into role_assignments (account_id, id, person_id, role_id, scope_type, scope_ids)
      select ${accountId}, ${newId()}, ${account.idOf("people", name)}, id, ${scopeType}, ${[...scopeIds]}::uuid[]
      from roles where account_id = ${accountId} and code = ${code}`;
}
