import { removeLogin } from "../../access/logins.ts";
import { fail } from "../../base/errors.ts";
import { deleteHistoryOf } from "../../events/delete-history.ts";
import { forgetAnswersAbout } from "../../jsonapi/request/idempotency.ts";
import { deleteRow } from "../../jsonapi/sql/write.ts";
import { cascadedIds } from "./cascade.ts";
import { removeReferences } from "./remove-references.ts";
import { protectLastFullAdministrator } from "./full-administrators.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";

/** DELETE /v1/people/:id, permanent. What hangs on the person goes by the database's own rules. */
export async function deletePerson(context: WriteContext, id: string): Promise<void> {
  const { accountId, personId } = context.actor;
  if (id === personId) throw fail("deleting-oneself", "Nobody deletes themselves.");
  // Before anything of theirs is locked: until the transaction ends nobody changes the account, nor writes a value of the
  // church's own fields, which may name the person. Whoever is doing so just now is waited for.
  await context.db`select from accounts where id = ${accountId} for no key update`;
  await protectLastFullAdministrator(context.db, accountId, id);
  await context.confirmation.now(context.db);
  await removeLogin(context.db, { accountId, personId: id });
  // Whoever changes the person just now is waited for: what they tell of it is history that is forgotten, too.
  await context.db`
    select from people where account_id = ${accountId} and id = ${id} for update`;
  await deleteHistoryOf(context.db, accountId, [id, ...(await cascadedIds(context, id))]);
  await removeReferences(context, id);
  await deleteRow(context, context.of, id);
  await forgetAnswersAbout(context.db, accountId, id);
}
