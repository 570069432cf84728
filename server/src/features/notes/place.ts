import { holds, reachOf, writesAbout } from "../../access/policy.ts";
import type { PathScope } from "../../access/reach.ts";
import type { ReadContext } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";

interface Subject {
  type: string;
  id: string;
}

/**
 * The place of a new note: the cell or the class through which its author may write about the subject, a cell before a class. It is null
 * for an author of the whole account, whose notes every reader of the subject reads. An author who reaches the subject through none
 * of them, as the creator of a prospect or by a membership that has just ended, writes at one of the places of their own right.
 */
export async function placeOf(
  { actor, catalogue, db }: ReadContext,
  { id, type }: Subject,
): Promise<string | null> {
  if (holds(actor, "notes:write")) return null;
  if (type === "cells") return id;
  const { reach: paths = {} } = definitionOf(catalogue, type);
  const reach = reachOf(actor, writesAbout("notes:write"), paths);
  const given = (scope: PathScope): string[] =>
    reach === "everything"
      ? []
      : [...new Set(reach.flatMap((one) => (one.scope === scope ? one.ids : [])))];
  const own = scopes.flatMap(given);
  const { accountId } = actor;
  const [through] = await db<{ placeId: string }[]>`
    select place_id as "placeId" from (
      select 1 as rank, cell_id as place_id from active_cell_memberships
      where account_id = ${accountId} and person_id = ${id}
      union all
      select 2, cell_id from recent_cell_memberships where account_id = ${accountId} and person_id = ${id}
      union all
      select 3, class_id from enrolled_people where account_id = ${accountId} and person_id = ${id}
    ) place
    where place_id = any(${own}::uuid[])
      or exists (select from cell_tree tree where tree.account_id = ${accountId} and tree.cell_id = place_id
        and tree.ancestor_id = any(${given("cell-tree")}::uuid[]))
      or exists (select from courses_of_classes class where class.account_id = ${accountId}
        and class.class_id = place_id and class.course_id = any(${given("course")}::uuid[]))
    order by rank, place_id limit 1`;
  return through?.placeId ?? own[0] ?? actor.personId;
}

/** In this order. The id of another resource than a cell or a class opens the note to its author and the account alone. */
const scopes = ["cell", "cell-tree", "course-class", "course"] as const;
