import type {
  Appointment,
  MergedPeople,
  Merging,
  Passed,
  PersonColumn,
} from "../../jsonapi/definition/merge.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { keepBest, moved } from "../../jsonapi/sql/merge.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";
import { mayAppoint } from "./memberships/roles.ts";

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

/** The cells of removed people that the kept person does not lead in as high a role. */
export async function leadershipGained(
  context: WriteContext,
  { keptId, removedIds }: MergedPeople,
): Promise<Appointment[]> {
  const { actor, db } = context;
  const led = await db<{ personId: string; id: string; cellType: string }[]>`
    select led.person_id as "personId", led.cell_id as id, led.cell_type as "cellType" from cell_leaders led
    where led.account_id = ${actor.accountId} and led.person_id = any(${[...removedIds]}::uuid[])
      and not exists (select from cell_leaders own
        where own.account_id = led.account_id and own.cell_id = led.cell_id and own.person_id = ${keptId}
          and own.cell_role in ('leader', led.cell_role))`;
  const gained: Appointment[] = [];
  for (const cell of led)
    gained.push({ personId: cell.personId, mayGive: await mayAppoint(context, cell) });
  return gained;
}
