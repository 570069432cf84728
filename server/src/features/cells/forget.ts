import type { Forgetting, WriteContext } from "../../jsonapi/definition/resource.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";
import { membershipsOf, writeUnited } from "./merge.ts";
import { uniteOverlapping } from "./memberships/unite.ts";

/**
 * Memberships and attendances stay when their person is forgotten, so that the numbers of past weeks do not change. A deletion
 * leaves both without the person. An attendance then names the membership of its day, because only that tells a member from
 * a visitor.
 */
export async function forgetMember(
  context: WriteContext,
  personId: string,
  forgetting: Forgetting,
): Promise<void> {
  const { actor, db } = context;
  const { accountId } = actor;
  // A meeting that was reported for today, or for tomorrow in another time zone, keeps its member.
  await db`
    update cell_memberships membership set status = 'left', left_reason = 'other',
      left_on = greatest(joined_on, today_in(account_id), (
        select max(meeting.date) + 1 from cell_meetings meeting
        where meeting.account_id = membership.account_id and meeting.cell_id = membership.cell_id
          and meeting.status = 'held' and meeting.date >= today_in(${accountId}))),
      ${revisedBy(actor, "membership")}
    where account_id = ${accountId} and person_id = ${personId} and status = 'active'`;
  await db`
    update cell_attendances attendance set note = null, ${revisedBy(actor, "attendance")}
    where account_id = ${accountId} and person_id = ${personId} and note is not null`;
  if (forgetting === "deleted") await leaveBehind(context, personId);
}

async function leaveBehind({ actor, db }: WriteContext, personId: string): Promise<void> {
  const { accountId } = actor;
  await db`
    select from cell_memberships where account_id = ${accountId} and person_id = ${personId} order by id for update`;
  const memberships = await membershipsOf(db, accountId, { keptId: personId, removedIds: [] });
  // Visitors count as no members, so their days must not become days of a member.
  const united = uniteOverlapping(memberships.filter(({ cellRole }) => cellRole !== "visitor"));
  const shared = united.filter(({ parts }) => parts.length > 1);
  const dropped = shared.flatMap(({ id, parts }) =>
    parts.flatMap((part) => (part.id === id ? [] : part.id)),
  );
  await db`
    delete from cell_memberships where account_id = ${accountId} and id = any(${dropped}::uuid[])`;
  await writeUnited(db, actor, shared);
  await db`
    update cell_attendances attendance set membership_id = membership.id
    from cell_memberships membership
    where attendance.account_id = ${accountId} and attendance.person_id = ${personId}
      and membership.account_id = attendance.account_id and membership.cell_id = attendance.cell_id
      and membership.person_id = ${personId} and was_membership(membership, attendance.date)`;
  await db`
    update cell_memberships set person_id = null where account_id = ${accountId} and person_id = ${personId}`;
}
