import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { lockOpenCell } from "../memberships/locks.ts";
import type { MultiplicationFields } from "./fields.ts";
import { assertMembers, assertNewCell } from "./proposal.ts";

/** POST /v1/cell-multiplications proposes a multiplication. */
export async function createMultiplication(
  context: WriteContext<MultiplicationFields>,
  input: CreateInput<MultiplicationFields>,
): Promise<Written> {
  const cellId = input.toOne["parent-cell"];
  await lockOpenCell(context, cellId, "parent-cell");
  assertNewCell(input.attributes["new-cell"]);
  for (const name of ["members", "leaders"] as const)
    await assertMembers(context, cellId, name, input.toMany[name]);
  return insertRow(context, context.resource, input);
}
