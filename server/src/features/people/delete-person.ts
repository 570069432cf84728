import { removeLogin } from "../../access/logins.ts";
import { fail } from "../../base/errors.ts";
import { forgetHistoryOf } from "../../events/forget.ts";
import { forgetAnswersAbout } from "../../jsonapi/request/idempotency.ts";
import { deleteRow } from "../../jsonapi/sql/write.ts";
import { fallingWith } from "./falling-with.ts";
import { forgetPerson } from "./forget-person.ts";
import { keepAFullAdministrator } from "./full-administrators.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";

/** DELETE /v1/people/:id, permanent. What hangs on the person goes by the database's own rules. */
export async function deletePerson(context: WriteContext, id: string): Promise<void> {
  const { accountId, personId } = context.actor;
  if (id === personId) throw fail("deleting-oneself", "Nobody deletes themselves.");
  // Before anything of theirs is locked: until the transaction ends nobody changes the account, nor writes a value of the
  // church's own fields, which may name the person. Whoever is doing so just now is waited for.
  await context.db`select from accounts where id = ${accountId} for no key update`;
  await keepAFullAdministrator(context.db, accountId, id);
  await context.confirmation.now(context.db);
  await removeLogin(context.db, { accountId, personId: id });
  // Whoever changes the person just now is waited for: what they tell of it is history that is forgotten, too.
  await context.db`
    select from people where account_id = ${accountId} and id = ${id} for update`;
  await forgetHistoryOf(context.db, accountId, [id, ...(await fallingWith(context, id))]);
  await forgetPerson(context, id);
  await deleteRow(context, context.of, id);
  await forgetAnswersAbout(context.db, accountId, id);
}
