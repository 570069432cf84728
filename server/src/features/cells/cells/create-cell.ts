import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { planMeetings } from "../meetings/plan-meetings.ts";
import { addToTree, lockTree } from "../tree.ts";
import type { CellFields } from "./fields.ts";
import { checkPosition } from "./position.ts";
import { withPublicDefaults } from "./public-settings.ts";

/** POST /v1/cells */
export async function createCell(
  context: WriteContext<CellFields>,
  input: CreateInput<CellFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { "cell-type": cellType = "cell" } = input.attributes;
  const { level = cellType === "supervision" ? 1 : 0 } = input.attributes;
  const { parent: parentId = null } = input.toOne;
  await lockTree(db, actor.accountId);
  await checkPosition(context, input, { cellType, level, parentId });
  const written = await insertRow(context, resource, {
    ...input,
    attributes: { ...withPublicDefaults(input.attributes), level },
  });
  await addToTree(db, actor.accountId, { cellId: written.id, parentId });
  await planMeetings(db, actor.accountId, [written.id]);
  return written;
}
