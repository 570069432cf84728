import { fail } from "../../base/errors.ts";
import { forgetAnswersAbout } from "../../jsonapi/request/idempotency.ts";
import { discardFiles } from "../../jsonapi/sql/files.ts";
import { deleteRow } from "../../jsonapi/sql/write.ts";
import { forgetPerson, lockForgotten } from "./forget-person.ts";
import { assertAnotherFullAdministrator } from "./full-administrators.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";

/** DELETE /v1/people/:id is permanent. Foreign keys remove dependent rows. */
export async function deletePerson(context: WriteContext, id: string): Promise<void> {
  const { accountId, personId } = context.actor;
  if (id === personId) throw fail("deleting-oneself", "You cannot delete yourself.");
  const forgotten = await lockForgotten(context, id);
  // The row has the error of an absent or an anonymized person.
  if (!forgotten || forgotten.isAnonymized) return deleteRow(context, context.resource, id);
  await assertAnotherFullAdministrator(context.db, accountId, id);
  const { ids, passSeats, photoId } = forgotten;
  await forgetPerson(context, forgotten, "deleted");
  await deleteRow(context, context.resource, id);
  await passSeats();
  if (photoId) await discardFiles(context.db, accountId, [photoId]);
  for (const each of ids) await forgetAnswersAbout(context.db, accountId, each);
}
