import type { Merging, Passed } from "../../jsonapi/definition/merge.ts";

/** A row that waits for its run means the kept person. An undo cannot restore a person who was merged. */
export async function mergeRows({ accountId, db, keptId, removedIds }: Merging): Promise<Passed> {
  await db`
    update import_rows set person_id = ${keptId}, written_version = null, before = null, made = null
    where account_id = ${accountId} and person_id = any(${[...removedIds]}::uuid[])`;
  return {};
}
