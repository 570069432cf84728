import type { Merging, Passed, PersonColumn } from "../../jsonapi/definition/merge.ts";
import { keepBest, moved } from "../../jsonapi/sql/merge.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";

const moveMemberships = moved("cell-memberships");
const moveRequests = moved("cell-join-requests");
const moveAttendances = moved("cell-attendances");

/** Keeps the active membership with the highest role in each cell, from the earliest day on which one began. */
export async function mergeMemberships(merging: Merging, place: PersonColumn): Promise<Passed> {
  const { accountId, actorId, db, keptId, removedIds } = merging;
  const active = db`person_id = any(${[keptId, ...removedIds]}::uuid[]) and status = 'active'`;
  await db`
    update cell_memberships set joined_on = earliest.joined_on, ${revisedBy({ personId: actorId })}
    from (select cell_id as cell, min(joined_on) as joined_on from cell_memberships
      where account_id = ${accountId} and ${active} group by 1) earliest
    where account_id = ${accountId} and ${active} and cell_id = earliest.cell
      and cell_memberships.joined_on > earliest.joined_on`;
  const conflicts = await keepBest(merging, {
    type: "cell-memberships",
    table: "cell_memberships",
    within: "cell_id",
    best: `array_position(array['leader', 'co-leader', 'trainee', 'host', 'secretary', 'participant', 'visitor'], cell_role)`,
    where: "status = 'active'",
    rule: "same-cell",
  });
  return { ...(await moveMemberships(merging, place)), conflicts };
}

/** Keeps the earliest pending request for each cell. */
export async function mergeJoinRequests(merging: Merging, place: PersonColumn): Promise<Passed> {
  const conflicts = await keepBest(merging, {
    type: "cell-join-requests",
    table: "cell_join_requests",
    within: "cell_id",
    best: "created_at",
    where: "status = 'pending'",
    rule: "same-cell",
  });
  return { ...(await moveRequests(merging, place)), conflicts };
}

/** Keeps the attendance with the most presence of each meeting. */
export async function mergeAttendances(merging: Merging, place: PersonColumn): Promise<Passed> {
  const conflicts = await keepBest(merging, {
    type: "cell-attendances",
    table: "cell_attendances",
    within: "meeting_id",
    best: "array_position(array['present', 'online', 'excused', 'absent'], status)",
    rule: "same-meeting",
  });
  return { ...(await moveAttendances(merging, place)), conflicts };
}
