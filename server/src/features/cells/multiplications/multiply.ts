import { beginBatch } from "../../../events/capture.ts";
import { targetOf, type WriteContext } from "../../../jsonapi/definition/resource.ts";
import { captureRows, insertRow } from "../../../jsonapi/sql/write.ts";
import { beginMemberships, type Ended, endMemberships } from "../memberships/moves.ts";
import { isLeading } from "../memberships/roles.ts";
import { holdOpenCell } from "../memberships/rules.ts";
import { planMeetings } from "../meetings/plan.ts";
import { addToTree, lockTree } from "../tree.ts";

interface Proposal {
  newCell: Record<string, unknown>;
  /** The row of the parent cell. */
  parent: Record<string, unknown>;
  leaders: string[];
  members: string[];
}

/** Carries out a multiplication. Returns the id of the new cell, which is beside the old one under the same parent. */
export async function multiply(
  context: WriteContext,
  id: string,
  parentCellId: string,
): Promise<string> {
  const { actor, confirmation, db } = context;
  const { accountId } = actor;
  // The leaders of the new cell get rights.
  await confirmation.now(db);
  await lockTree(db, accountId);
  await holdOpenCell(context, parentCellId, "parent-cell");
  const peopleOf = (table: string) => db`
    array(select person_id from ${db(table)} where account_id = m.account_id and multiplication_id = m.id)`;
  const [proposal] = await db<Proposal[]>`
    select m.new_cell as "newCell", to_jsonb(parent) as parent, ${peopleOf("cell_multiplication_leaders")} as leaders,
      ${peopleOf("cell_multiplication_members")} as members
    from cell_multiplications m
    join cells parent on parent.account_id = m.account_id and parent.id = m.parent_cell_id
    where m.account_id = ${accountId} and m.id = ${id}`;
  if (!proposal) throw new Error("The multiplication was locked before it disappeared.");
  const { leaders, members, parent } = proposal;

  beginBatch(db);
  const parentId = parent["parent_id"] as string | null;
  const newCellId = await addCell(context, proposal, { parentCellId, parentId });
  await addToTree(db, accountId, { cellId: newCellId, parentId });
  const ended = await endMemberships(context, parentCellId, "multiplied", [...members, ...leaders]);
  const begun = ended.map((one) => inNewCell(one, leaders));
  await beginMemberships(context, newCellId, begun);
  await planMeetings(db, accountId, [newCellId]);
  await captureRows(context, "cells", "cell.multiplied", [parentCellId]);
  return newCellId;
}

/** Leaders of the old cell who do not lead the new one help there. */
function inNewCell({ cellRole, personId }: Ended, leaders: readonly string[]): Ended {
  if (leaders.includes(personId)) return { personId, cellRole: "leader" };
  return { personId, cellRole: isLeading(cellRole) ? "co-leader" : cellRole };
}

/** The new cell has these attributes of its parent cell where the proposal says nothing. */
const inherited = [
  "cell-type",
  "level",
  "description",
  "category",
  "gender-category",
  "weekday",
  "starts-at",
  "ends-at",
  "frequency",
  "address",
  "is-online",
  "online-url",
];

async function addCell(
  context: WriteContext,
  { newCell, parent }: Proposal,
  { parentCellId, parentId }: { parentCellId: string; parentId: string | null },
): Promise<string> {
  const attributes = new Map<string, unknown>(
    inherited.map((name) => [name, parent[name.replaceAll("-", "_")] ?? null]),
  );
  for (const [name, value] of Object.entries(newCell)) attributes.set(name, value);
  const [starts, ends] = [attributes.get("starts-at"), attributes.get("ends-at")] as number[];
  // An inherited time that does not fit a sent one is left out. The proposal has been checked to fit itself.
  if (typeof starts === "number" && typeof ends === "number" && ends <= starts)
    attributes.set(Object.hasOwn(newCell, "ends-at") ? "starts-at" : "ends-at", null);
  const of = targetOf(context.catalogue, { target: "cells" });
  const { id } = await insertRow({ ...context, of }, of, {
    attributes,
    toOne: new Map([
      ["parent", parentId],
      ["multiplied-from", parentCellId],
    ]),
    toMany: new Map(),
  });
  return id;
}
