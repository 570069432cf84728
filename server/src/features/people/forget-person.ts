import { lockAccount, lockPeople } from "../../access/locks.ts";
import { removeLogin } from "../../access/logins.ts";
import { deleteHistoryOf } from "../../events/delete-history.ts";
import type { Forgetting, WriteContext } from "../../jsonapi/definition/resource.ts";
import { cascadedIds } from "./cascade.ts";
import { lockPlacesOf } from "./lock-places.ts";
import { removeReferences } from "./remove-references.ts";

/** A person who is deleted or anonymized, and locked. */
export interface Forgotten {
  id: string;
  /** The person, and those who were merged into the person. */
  ids: readonly string[];
  photoId: string | null;
  isAnonymized: boolean;
  /** Passes on the seats in classes that become free. */
  passSeats: () => Promise<void>;
}

/**
 * Locks a person and the places that show the person. Until the transaction ends, nothing can change the account or write custom
 * fields, which may reference the person. Undefined if there is no such person.
 */
export async function lockForgotten(
  context: WriteContext,
  id: string,
): Promise<Forgotten | undefined> {
  const { actor, db } = context;
  const { accountId } = actor;
  await lockAccount(db, accountId);
  const passSeats = await lockPlacesOf(context, [id]);
  // Wait for concurrent changes of the person, because their events must be deleted too.
  await lockPeople(db, accountId, [id], "update");
  const [person] = await db<
    { mergedIds: string[]; photoId: string | null; isAnonymized: boolean }[]
  >`
    select merged_ids as "mergedIds", photo_id as "photoId", is_anonymized as "isAnonymized" from people
    where account_id = ${accountId} and id = ${id}`;
  return person && { ...person, id, ids: [id, ...person.mergedIds], passSeats };
}

/** Removes the log-in, the history of events, the references of other records, and the identity in rows that stay. */
export async function forgetPerson(
  context: WriteContext,
  { id, ids }: Pick<Forgotten, "id" | "ids">,
  forgetting: Forgetting,
): Promise<void> {
  const { actor, catalogue, db } = context;
  const { accountId } = actor;
  await removeLogin(db, { accountId, personId: id });
  await deleteHistoryOf(db, accountId, [...ids, ...(await cascadedIds(context, id))]);
  await removeReferences(context, id);
  for (const forget of catalogue.forgets) await forget(context, id, forgetting);
}
