import type { ResourceInput, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { holdOpenCell } from "../memberships/rules.ts";
import { checkMembers, checkNewCell } from "./rules.ts";

/** POST /v1/cell-multiplications proposes a multiplication. */
export async function createMultiplication(
  context: WriteContext,
  input: ResourceInput,
): Promise<Written> {
  const cellId = input.toOne.get("parent-cell") ?? "";
  await holdOpenCell(context, cellId, "parent-cell");
  checkNewCell(input.attributes.get("new-cell"));
  for (const name of ["members", "leaders"] as const)
    await checkMembers(context, cellId, name, input.toMany.get(name));
  return insertRow(context, context.of, input);
}
