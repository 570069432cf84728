import { limits } from "../../base/limits.ts";
import type { Merging, Passed } from "../../jsonapi/definition/merge.ts";

/** The kept person gets the tags of the removed people, up to the limit of a record. */
export async function mergeTags({ accountId, db, keptId, removedIds }: Merging): Promise<Passed> {
  const left = await db<{ tagId: string }[]>`
    with further as (
      select tag_id, row_number() over (order by tag_id) as place from person_tags
      where account_id = ${accountId} and person_id = any(${[...removedIds]}::uuid[])
        and tag_id not in (select tag_id from person_tags where account_id = ${accountId} and person_id = ${keptId})
      group by tag_id
    ), own as (
      select count(*) as count from person_tags where account_id = ${accountId} and person_id = ${keptId}
    ), added as (
      insert into person_tags (account_id, person_id, tag_id)
      select ${accountId}::uuid, ${keptId}::uuid, tag_id from further, own
      where own.count + place <= ${limits.tagsPerRecordMax}
    )
    select tag_id as "tagId" from further, own where own.count + place > ${limits.tagsPerRecordMax}`;
  return {
    conflicts: left.map(({ tagId }) => ({
      "resource-type": "people",
      "field": "tags",
      "rule": "limit",
      "kept": null,
      "dropped": tagId,
    })),
  };
}
