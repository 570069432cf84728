import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { lockTree } from "../tree.ts";

/** DELETE /v1/cells/:id. Foreign keys delete what belongs to the cell, and refuse the deletion of a parent. */
export async function deleteCell(context: WriteContext, id: string): Promise<void> {
  await lockTree(context.db, context.actor.accountId);
  await deleteRow(context, context.resource, id);
}
