import type { ResourceInput, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { planMeetings } from "../meetings/plan.ts";
import { addToTree, lockTree } from "../tree.ts";
import { type CellType, checkPosition } from "./position.ts";
import { withPublicDefaults } from "./public-settings.ts";

/** POST /v1/cells */
export async function createCell(context: WriteContext, input: ResourceInput): Promise<Written> {
  const { actor, db, of } = context;
  const attributes = withPublicDefaults(input.attributes);
  const cellType = (attributes.get("cell-type") ?? "cell") as CellType;
  const level = (attributes.get("level") ?? (cellType === "supervision" ? 1 : 0)) as number;
  attributes.set("level", level);
  const parentId = input.toOne.get("parent") ?? null;
  await lockTree(db, actor.accountId);
  await checkPosition(context, input, { cellType, level, parentId });
  const written = await insertRow(context, of, { ...input, attributes });
  await addToTree(db, actor.accountId, { cellId: written.id, parentId });
  await planMeetings(db, actor.accountId, [written.id]);
  return written;
}
