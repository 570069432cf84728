import type { Actor } from "../../access/actor.ts";
import type {
  Appointment,
  MergedPeople,
  Merging,
  Passed,
  PersonColumn,
} from "../../jsonapi/definition/merge.ts";
import type { WriteContext } from "../../jsonapi/definition/resource.ts";
import { dropRivals, keepBest, moved } from "../../jsonapi/sql/merge.ts";
import { revisedBy } from "../../jsonapi/sql/write.ts";
import type { Tx } from "../../store/db.ts";
import { higherRole, isLeading, mayAppoint } from "./memberships/roles.ts";
import {
  type StoredMembership,
  type UnitedMembership,
  uniteMemberships,
} from "./memberships/unite.ts";

const moveMemberships = moved("cell-memberships");
const moveRequests = moved("cell-join-requests");
const moveAttendances = moved("cell-attendances");

/** Memberships of a cell that overlap in time become one. */
export async function mergeMemberships(merging: Merging, place: PersonColumn): Promise<Passed> {
  const { accountId, actorId, db } = merging;
  const united = uniteMemberships(await membershipsOf(db, accountId, merging), merging.keptId);
  const shared = united.filter(({ parts }) => parts.length > 1);
  const conflicts = await dropRivals(
    merging,
    { type: "cell-memberships", table: "cell_memberships", rule: "same-cell" },
    shared.flatMap(({ id: kept, parts }) =>
      parts.flatMap(({ id: dropped }) => (dropped === kept ? [] : { kept, dropped })),
    ),
  );
  await writeUnited(db, { accountId, personId: actorId }, shared);
  return { ...(await moveMemberships(merging, place)), conflicts };
}

/** Stores memberships that became one in the row that stays. */
export async function writeUnited(
  db: Tx,
  { accountId, personId }: Pick<Actor, "accountId" | "personId">,
  united: readonly UnitedMembership[],
): Promise<void> {
  for (const { cellRole, id, joinedOn, leftOn, leftReason } of united)
    await db`
      update cell_memberships set cell_role = ${cellRole}, joined_on = ${joinedOn}, left_on = ${leftOn},
        left_reason = ${leftReason}, ${revisedBy({ personId })}
      where account_id = ${accountId} and id = ${id}`;
}

export const membershipsOf = (
  db: Tx,
  accountId: string,
  { keptId, removedIds }: MergedPeople,
): Promise<readonly StoredMembership[]> => db<StoredMembership[]>`
  select id, cell_id as "cellId", person_id as "personId", cell_role as "cellRole", status = 'active' as "isActive",
    joined_on::text as "joinedOn", left_on::text as "leftOn", left_reason as "leftReason"
  from cell_memberships
  where account_id = ${accountId} and person_id = any(${[keptId, ...removedIds]}::uuid[])
  order by id`;

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

/** The cells that the kept person begins to lead, or to lead in a higher role. */
export async function leadershipGained(
  context: WriteContext,
  people: MergedPeople,
): Promise<Appointment[]> {
  const { actor, db } = context;
  const before = await membershipsOf(db, actor.accountId, people);
  const { keptId, removedIds } = people;
  const led = (one: StoredMembership) => one.isActive && isLeading(one.cellRole);
  const gained: Appointment[] = [];
  for (const { cellId, cellRole, parts } of uniteMemberships(before, keptId).filter(led)) {
    const own = before.find((one) => one.cellId === cellId && one.personId === keptId && led(one));
    if (own && higherRole(own.cellRole, cellRole) === own.cellRole) continue;
    const others = parts.filter(({ personId }) => personId !== keptId);
    const from = others.find((one) => one.cellRole === cellRole) ?? others[0];
    const [cell] = await db<{ id: string; cellType: string }[]>`
      select id, cell_type as "cellType" from cells where account_id = ${actor.accountId} and id = ${cellId}`;
    gained.push({
      personId: from?.personId ?? removedIds[0] ?? "",
      mayGive: cell !== undefined && (await mayAppoint(context, cell)),
    });
  }
  return gained;
}
