import { removeLogin } from "../../access/logins.ts";
import { fail } from "../../base/errors.ts";
import { deleteHistoryOf } from "../../events/delete-history.ts";
import { forgetAnswersAbout } from "../../jsonapi/request/idempotency.ts";
import { discardFiles } from "../../jsonapi/sql/files.ts";
import { deleteRow } from "../../jsonapi/sql/write.ts";
import { cascadedIds } from "./cascade.ts";
import { lockPlacesOf } from "./lock-places.ts";
import { removeReferences } from "./remove-references.ts";
import { assertAnotherFullAdministrator } from "./full-administrators.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";

/** DELETE /v1/people/:id is permanent. Foreign keys remove dependent rows. */
export async function deletePerson(context: WriteContext, id: string): Promise<void> {
  const { actor, catalogue } = context;
  const { accountId, personId } = actor;
  if (id === personId) throw fail("deleting-oneself", "You cannot delete yourself.");
  // Until the transaction ends, nothing can change the account or write custom fields, which may reference the person.
  await assertAnotherFullAdministrator(context.db, accountId, id);
  const passSeats = await lockPlacesOf(context, [id]);
  // Wait for concurrent changes of the person, because their events must be deleted too.
  const [person] = await context.db<{ mergedIds: string[]; photoId: string | null }[]>`
    select merged_ids as "mergedIds", photo_id as "photoId" from people where account_id = ${accountId} and id = ${id} for update`;
  await removeLogin(context.db, { accountId, personId: id });
  const ids = [id, ...(person?.mergedIds ?? [])];
  await deleteHistoryOf(context.db, accountId, [...ids, ...(await cascadedIds(context, id))]);
  await removeReferences(context, id);
  for (const forget of catalogue.forgets) await forget(context, id, "deleted");
  await deleteRow(context, context.resource, id);
  await passSeats();
  if (person?.photoId) await discardFiles(context.db, accountId, [person.photoId]);
  for (const each of ids) await forgetAnswersAbout(context.db, accountId, each);
}
