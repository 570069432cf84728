import { notFound } from "../../../base/errors.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, type Updated, updateRow } from "../../../jsonapi/sql/write.ts";
import { assertMayAppoint } from "../memberships/roles.ts";
import { planMeetings } from "../meetings/plan-meetings.ts";
import { lockTree, moveInTree } from "../tree.ts";
import type { CellFields } from "./fields.ts";
import { checkPosition, type Position } from "./position.ts";
import { withPublicDefaults } from "./public-settings.ts";

/** The planned meetings of a cell depend on these attributes. */
const schedule = [
  "weekday",
  "starts-at",
  "ends-at",
  "frequency",
  "is-online",
  "cell-type",
  "opened-at",
  "recess-from",
  "recess-to",
];

/** PATCH /v1/cells/:id */
export async function updateCell(
  context: WriteContext<CellFields>,
  id: string,
  input: UpdateInput<CellFields>,
): Promise<Written> {
  const updated = await changeCell(context, id, input);
  if (!schedule.some((name) => updated.changed.includes(name))) return updated;
  const planned = await planMeetings(context.db, context.actor.accountId, [id]);
  // The row that the update returned links to the meetings from before the plan changed.
  return planned > 0 ? { id } : updated;
}

async function changeCell(
  context: WriteContext<CellFields>,
  id: string,
  input: UpdateInput<CellFields>,
): Promise<Updated> {
  const attributes = withPublicDefaults(input.attributes);
  const isMove =
    input.toOne.parent !== undefined ||
    attributes.level !== undefined ||
    attributes["cell-type"] !== undefined;
  if (!isMove) return updateRow(context, context.resource, id, { ...input, attributes });

  await assertMayChange(context, context.resource, id);
  const { accountId } = context.actor;
  await lockTree(context.db, accountId);
  const [before] = await context.db<Position[]>`
    select cell_type as "cellType", level, parent_id as "parentId" from cells
    where account_id = ${accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();
  const after: Position = {
    cellType: attributes["cell-type"] ?? before.cellType,
    level: attributes.level ?? before.level,
    parentId: input.toOne.parent === undefined ? before.parentId : input.toOne.parent,
  };
  await checkPosition(context, input, after, id);
  if (after.cellType !== before.cellType) await assertMayChangeType(context, id);
  // Before the update, which returns the supervisors.
  if (after.parentId !== before.parentId)
    await moveInTree(context.db, accountId, { cellId: id, parentId: after.parentId });
  return updateRow(context, context.resource, id, { ...input, attributes });
}

/** The leaders of the cell become supervisors, or are no longer. */
async function assertMayChangeType(context: WriteContext, id: string): Promise<void> {
  const { actor, db } = context;
  const leading = await db<{ personId: string }[]>`
    select person_id as "personId" from active_cell_memberships
    where account_id = ${actor.accountId} and cell_id = ${id} and is_leading`;
  const appointed = leading.map(({ personId }) => personId);
  if (appointed.length > 0)
    await assertMayAppoint(
      context,
      { id, cellType: "supervision" },
      { appointed, pointer: "/data/attributes/cell-type" },
    );
}
