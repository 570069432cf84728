import { beginBatch } from "../../../events/capture.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { forType } from "../../../jsonapi/definition/targets.ts";
import { captureRows, insertRow } from "../../../jsonapi/sql/write.ts";
import { cells } from "../cells/definition.ts";
import type { CellValues } from "../cells/fields.ts";
import { beginMemberships, type CellMember, endMemberships } from "../memberships/begin-and-end.ts";
import { assertMayAppoint, isLeading } from "../memberships/roles.ts";
import { lockOpenCell } from "../memberships/locks.ts";
import { planMeetings } from "../meetings/plan-meetings.ts";
import type { NewCell } from "./fields.ts";
import { addToTree, lockTree } from "../tree.ts";

interface Proposal {
  newCell: NewCell;
  /** Attributes of the parent cell. The new cell takes those that the proposal does not set. */
  inherited: CellValues;
  parentId: string | null;
  leaders: string[];
  members: string[];
}

/** Carries out a multiplication. Returns the id of the new cell, which has the same parent in the tree as the old one. */
export async function multiply(
  context: WriteContext,
  id: string,
  parentCellId: string,
): Promise<string> {
  const { actor, db } = context;
  const { accountId } = actor;
  await lockTree(db, accountId);
  const parentCell = await lockOpenCell(context, parentCellId, "parent-cell");
  const pointer = "/data/attributes/status";
  await assertMayAppoint(context, parentCell, { pointer });
  const peopleOf = (table: string) => db`
    array(select person_id from ${db(table)} where account_id = m.account_id and multiplication_id = m.id)`;
  const [proposal] = await db<Proposal[]>`
    select m.new_cell as "newCell", parent.parent_id as "parentId", jsonb_build_object('cell-type', parent.cell_type,
      'level', parent.level, 'description', parent.description, 'category', parent.category,
      'gender-category', parent.gender_category, 'weekday', parent.weekday, 'starts-at', parent.starts_at,
      'ends-at', parent.ends_at, 'frequency', parent.frequency, 'address', parent.address,
      'is-online', parent.is_online, 'online-url', parent.online_url) as inherited,
      ${peopleOf("cell_multiplication_leaders")} as leaders, ${peopleOf("cell_multiplication_members")} as members
    from cell_multiplications m
    join cells parent on parent.account_id = m.account_id and parent.id = m.parent_cell_id
    where m.account_id = ${accountId} and m.id = ${id}`;
  if (!proposal) throw new Error("The multiplication was locked before it disappeared.");
  const { leaders, members, parentId } = proposal;

  beginBatch(db);
  const newCellId = await addCell(context, proposal, parentCellId);
  await addToTree(db, accountId, { cellId: newCellId, parentId });
  const ended = await endMemberships(context, parentCellId, "multiplied", {
    personIds: [...members, ...leaders],
  });
  const begun = ended.map((one) => inNewCell(one, leaders));
  // The caller can be among the new leaders.
  const appointed = begun.flatMap((one) => (isLeading(one.cellRole) ? one.personId : []));
  await assertMayAppoint(context, parentCell, { appointed, pointer });
  await beginMemberships(context, newCellId, begun);
  await planMeetings(db, accountId, [newCellId]);
  await captureRows(context, "cells", "cell.multiplied", [parentCellId]);
  return newCellId;
}

/** Leaders of the parent cell who join the new one and do not lead it become its co-leaders. */
function inNewCell({ cellRole, personId }: CellMember, leaders: readonly string[]): CellMember {
  if (leaders.includes(personId)) return { personId, cellRole: "leader" };
  return { personId, cellRole: isLeading(cellRole) ? "co-leader" : cellRole };
}

async function addCell(
  context: WriteContext,
  { inherited, newCell, parentId }: Proposal,
  parentCellId: string,
): Promise<string> {
  const attributes = { ...inherited, ...newCell };
  const { "ends-at": ends, "starts-at": starts } = attributes;
  // An inherited time that does not fit a sent one is left out. The proposal has been checked to fit itself.
  const isOutOfOrder = typeof starts === "number" && typeof ends === "number" && ends <= starts;
  const unfit = newCell["ends-at"] === undefined ? { "ends-at": null } : { "starts-at": null };
  const own = forType(context, cells);
  const { id } = await insertRow(own, own.resource, {
    attributes: isOutOfOrder ? { ...attributes, ...unfit } : attributes,
    toOne: { "parent": parentId, "multiplied-from": parentCellId },
    toMany: {},
  });
  return id;
}
