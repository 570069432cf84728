import { forgetAuthor } from "../access/account-authors.ts";
import { removeLogin } from "../access/logins.ts";
import { fail } from "../errors.ts";
import { forgetHistoryOf } from "../events/forget.ts";
import { forgetPersonValues } from "../jsonapi/custom-values.ts";
import { forgetAnswersAbout } from "../jsonapi/idempotency.ts";
import { deleteRow, type WriteContext } from "../jsonapi/write.ts";
import { keepAFullAdministrator } from "./full-administrators.ts";

/** DELETE /v1/people/:id, permanent. What hangs on the person goes by the database's own rules. */
export async function deletePerson(context: WriteContext, id: string): Promise<void> {
  const { accountId, personId } = context.actor;
  if (id === personId) throw fail("deleting-oneself", "Nobody deletes themselves.");
  await forgetAuthor(context.db, { accountId, personId: id });
  await keepAFullAdministrator(context.db, accountId, id);
  await context.confirmation.now(context.db);
  await removeLogin(context.db, { accountId, personId: id });
  await forgetHistoryOf(context.db, accountId, id);
  await deleteRow(context, context.of, id);
  await forgetPersonValues(context, id);
  await forgetAnswersAbout(context.db, accountId, id);
}
