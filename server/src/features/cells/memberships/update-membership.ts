import { lockPeople } from "../../../access/locks.ts";
import { notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, updateRow } from "../../../jsonapi/sql/write.ts";
import type { MembershipFields } from "./fields.ts";
import { assertMayAppoint, type CellRole, isLeading } from "./roles.ts";
import { assertNoParticipantElsewhere } from "./sole-participant.ts";
import { completeDates } from "./dates.ts";
import { type MembershipStatus, membershipTransitions } from "./statuses.ts";

interface Membership {
  cellId: string;
  /** Null after the deletion of the person. */
  personId: string | null;
  cellRole: CellRole;
  status: MembershipStatus;
  cellType: string;
}

/** PATCH /v1/cell-memberships/:id */
export async function updateMembership(
  context: WriteContext<MembershipFields>,
  id: string,
  input: UpdateInput<MembershipFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const { actor, db, resource } = context;
  // A change to participant locks the person.
  await lockPeople(
    db,
    actor.accountId,
    db`select person_id from cell_memberships where account_id = ${actor.accountId} and id = ${id}`,
  );
  const [before] = await db<Membership[]>`
    select m.cell_id as "cellId", m.person_id as "personId", m.cell_role as "cellRole", m.status,
      (select cell_type from cells where account_id = m.account_id and id = m.cell_id) as "cellType"
    from cell_memberships m where m.account_id = ${actor.accountId} and m.id = ${id} for no key update of m`;
  if (!before) throw notFound();
  const { cellId: cell, personId } = before;

  const { "cell-role": role = before.cellRole, status = before.status } = input.attributes;
  const ends = checkTransition(membershipTransitions, before.status, status);
  const changesRole = role !== before.cellRole;
  if ((changesRole || ends) && (isLeading(role) || isLeading(before.cellRole)))
    await assertMayAppoint(
      context,
      { id: cell, cellType: before.cellType },
      { appointed: personId && isLeading(role) && !ends ? [personId] : [] },
    );

  const { attributes } = await completeDates(context, input.attributes, { status, ends });
  if (personId && changesRole && status === "active" && role === "participant")
    await assertNoParticipantElsewhere(context, { cellId: cell, personId });
  const event = ends ? "cell-membership.ended" : undefined;
  return updateRow(context, resource, id, { ...input, attributes }, {}, { event });
}
