import { lockPeople } from "../../../access/locks.ts";
import { newId } from "../../../base/ids.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { endPasswordLinks } from "../../../jsonapi/sql/rights.ts";
import { captureRows, revisedBy } from "../../../jsonapi/sql/write.ts";
import { type CellRole, cellRoles, isLeading } from "./roles.ts";

/** Memberships that end and begin because of a closing, a transfer or a multiplication. */

/** A person and their role in a cell. */
export interface CellMember {
  personId: string;
  cellRole: CellRole;
}

/** Locks the members of a cell that is locked, before their memberships end. */
export const lockMembers = ({ actor, db }: WriteContext, cellId: string): Promise<unknown> =>
  lockPeople(
    db,
    actor.accountId,
    db`select person_id from active_cell_memberships
      where account_id = ${actor.accountId} and cell_id = ${cellId}`,
  );

/** Ends the active memberships of a cell, or those of some people in it, and captures the events. */
export async function endMemberships(
  context: WriteContext,
  cellId: string,
  reason: "cell-closed" | "moved-cell" | "multiplied",
  { on, personIds }: { personIds?: readonly string[]; on?: string } = {},
): Promise<readonly CellMember[]> {
  const { actor, confirmation, db } = context;
  const which = personIds ? db`and person_id = any(${[...personIds]}::uuid[])` : db``;
  const ending = await db<{ id: string }[]>`
    select id from cell_memberships
    where account_id = ${actor.accountId} and cell_id = ${cellId} and status = 'active' ${which}
    order by id for no key update`;
  // The people who lead lose their rights, and those who begin to lead gain some.
  await confirmation.now(db);
  const ended = await db<(CellMember & { id: string })[]>`
    update cell_memberships set status = 'left', left_on = greatest(joined_on, coalesce(${on ?? null}::date, today_in(account_id))),
      left_reason = ${reason}, ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = any(${idsOf(ending)}::uuid[])
    returning id, person_id as "personId", cell_role as "cellRole"`;
  await captureRows(context, "cell-memberships", "cell-membership.ended", idsOf(ended));
  return ended;
}

/** Begins memberships in a cell. Skips people who are active members of it, or raises their role to the given one. */
export async function beginMemberships(
  context: WriteContext,
  cellId: string,
  members: readonly CellMember[],
  { on, raisesRoles = false }: { on?: string; raisesRoles?: boolean } = {},
): Promise<void> {
  const { actor, db } = context;
  const order = [...cellRoles];
  const columns = [
    members.map(() => newId()),
    members.map(({ personId }) => personId),
    members.map(({ cellRole }) => cellRole),
  ] as const;
  const raised = db`update set cell_role = excluded.cell_role, ${revisedBy(actor, "present")}
    where array_position(${order}::text[], excluded.cell_role) < array_position(${order}::text[], present.cell_role)`;
  const written = await db<{ id: string; isNew: boolean }[]>`
    insert into cell_memberships as present (account_id, id, created_by, modified_by, cell_id, person_id, cell_role, joined_on)
    select ${actor.accountId}, member.id, ${actor.personId}, ${actor.personId}, ${cellId}, member.person, member.role,
      coalesce(${on ?? null}::date, today_in(${actor.accountId}))
    from unnest(${columns[0]}::uuid[], ${columns[1]}::uuid[], ${columns[2]}::text[]) as member (id, person, role)
    order by member.person
    on conflict (account_id, person_id, cell_id) where status = 'active' do ${raisesRoles ? raised : db`nothing`}
    returning id, present.version = 1 as "isNew"`;
  const leading = members.filter(({ cellRole }) => isLeading(cellRole));
  await endPasswordLinks(
    context,
    leading.map(({ personId }) => personId),
  );
  const type = "cell-memberships";
  const begun = idsOf(written.filter(({ isNew }) => isNew));
  const raisedIds = idsOf(written.filter(({ isNew }) => !isNew));
  await captureRows(context, type, "cell-membership.created", begun);
  await captureRows(context, type, "cell-membership.updated", raisedIds, ["cell-role"]);
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort();
