import { holds } from "../../../access/policy.ts";
import { fail } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { mayAt } from "../may-at.ts";

/** The highest first. */
export const cellRoles = [
  "leader",
  "co-leader",
  "trainee",
  "host",
  "secretary",
  "participant",
  "visitor",
] as const;

export type CellRole = (typeof cellRoles)[number];

/** These roles give rights in the cell. */
export const isLeading = (role: CellRole): boolean => role === "leader" || role === "co-leader";

/** The higher of two roles. */
export const higherRole = (one: CellRole, other: CellRole): CellRole =>
  cellRoles.indexOf(one) < cellRoles.indexOf(other) ? one : other;

/**
 * Giving, changing and ending a leading role requires the right to assign roles there. The leader of a supervision
 * supervises its whole tree, so the right must cover the account.
 */
export async function assertMayAppoint(
  context: WriteContext,
  cell: AppointingCell,
  pointer = "/data/attributes/cell-role",
): Promise<void> {
  if (!(await mayAppoint(context, cell)))
    throw fail("forbidden", "This person may not appoint or dismiss leaders of this cell.", {
      pointer,
    });
}

interface AppointingCell {
  id: string;
  cellType: string;
}

export const mayAppoint = async (
  context: WriteContext,
  { cellType, id }: AppointingCell,
): Promise<boolean> =>
  cellType === "supervision"
    ? holds(context.actor, "role-assignments:write")
    : mayAt(context, "role-assignments:write", id);
