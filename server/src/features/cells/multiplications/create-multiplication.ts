import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { insertRow } from "../../../jsonapi/sql/write.ts";
import { holdOpenCell } from "../memberships/rules.ts";
import type { MultiplicationFields } from "./fields.ts";
import { checkMembers, checkNewCell } from "./rules.ts";

/** POST /v1/cell-multiplications proposes a multiplication. */
export async function createMultiplication(
  context: WriteContext<MultiplicationFields>,
  input: CreateInput<MultiplicationFields>,
): Promise<Written> {
  const cellId = input.toOne["parent-cell"];
  await holdOpenCell(context, cellId, "parent-cell");
  checkNewCell(input.attributes["new-cell"]);
  for (const name of ["members", "leaders"] as const)
    await checkMembers(context, cellId, name, input.toMany[name]);
  return insertRow(context, context.of, input);
}
