import type { MoveRows } from "../../jsonapi/definition/merge.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";

/**
 * Passes the notes that a removed person wrote or follows up to the kept person. The column becomes null if the note is
 * confidential and the kept person cannot read it. A note counts as moved only for the person it is about.
 */
export const passToReader: MoveRows = async (
  { accountId, actorId, db, keptId, removedIds },
  { column, table },
) => {
  await db`
    update ${db(table)} set ${revisedBy({ personId: actorId })},
      ${db(column)} = case when visibility <> 'confidential' or exists (
        select from note_readers reader
        where reader.account_id = notes.account_id and reader.note_id = notes.id and reader.person_id = ${keptId}
      ) then ${keptId}::uuid end
    where account_id = ${accountId} and ${db(column)} = any(${[...removedIds]}::uuid[])`;
  return {};
};
