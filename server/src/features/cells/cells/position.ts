import { ApiError, notAllowedHere, problem } from "../../../base/errors.ts";
import type { RowInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import type { CellFields } from "./fields.ts";

export type CellType = "cell" | "supervision";

/** The place of a cell in the tree. */
export interface Position {
  cellType: CellType;
  level: number;
  parentId: string | null;
}

/**
 * Rejects a position that breaks a rule of the tree. Because levels rise from child to parent, the tree has no cycle.
 * The tree must be locked.
 */
export async function checkPosition(
  context: WriteContext<CellFields>,
  { toOne }: Pick<RowInput<CellFields>, "toOne">,
  { cellType, level, parentId }: Position,
  cellId?: string,
): Promise<void> {
  const refuse = (member: "parent" | "level", hint: string) => {
    const isParent = member === "parent";
    return new ApiError([
      problem(isParent ? "invalid-relationship" : "invalid-attribute", notAllowedHere(hint), {
        pointer: isParent ? "/data/relationships/parent/data" : "/data/attributes/level",
      }),
    ]);
  };
  if ((cellType === "cell") !== (level === 0))
    throw refuse("level", "A `cell` has level 0, and a `supervision` has level 1 to 5.");

  const { actor, db, resource } = context;
  const [found] = await db<{ above: number | null; below: number | null }[]>`
    select (select level from cells where account_id = ${actor.accountId} and id = ${parentId}::uuid) as above,
      (select max(level) from cells where account_id = ${actor.accountId} and parent_id = ${cellId ?? null}::uuid) as below`;
  const { above = null, below = null } = found ?? {};
  if (parentId !== null && above === null) throw absentTarget(resource, "parent");
  if (above !== null && above <= level)
    throw refuse(
      toOne.parent !== undefined ? "parent" : "level",
      `The level of the parent (${above}) must be higher than the level of the cell (${level}).`,
    );
  if (below !== null && below >= level)
    throw refuse("level", `The level must be higher than that of the child cells (${below}).`);
}
