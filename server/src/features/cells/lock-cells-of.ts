import type { WriteContext } from "../../jsonapi/definition/resource.ts";

/** Locks the cells that show people: those they are in, and those below the supervisions that they lead. */
export async function lockCellsOf(
  { actor, db }: WriteContext,
  personIds: readonly string[],
): Promise<void> {
  const { accountId } = actor;
  await db`
    select from cells where account_id = ${accountId} and id in (
      select below.cell_id from active_cell_memberships member
      join cell_ancestors below on below.account_id = member.account_id and below.ancestor_id = member.cell_id
        and (below.distance = 0 or member.is_leading)
      where member.account_id = ${accountId} and member.person_id = any(${[...personIds]}::uuid[]))
    order by id for no key update`;
}
