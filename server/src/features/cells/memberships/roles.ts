import { holds } from "../../../access/policy.ts";
import { fail } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { givingTo } from "../../../jsonapi/sql/rights.ts";
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
 * supervises its whole tree, so the right must cover the account. Callers whose right ends cannot take a leading role, which has no
 * end, but can give it.
 */
export async function assertMayAppoint(
  context: WriteContext,
  cell: AppointingCell,
  { appointed = [], pointer = "/data/attributes/cell-role" }: Appointment = {},
): Promise<void> {
  if (!(await mayAppoint(context, cell, appointed)))
    throw fail("forbidden", "This person may not appoint or dismiss leaders of this cell.", {
      pointer,
    });
}

interface Appointment {
  /** The people who begin to lead. */
  appointed?: readonly string[];
  pointer?: string;
}

interface AppointingCell {
  id: string;
  cellType: string;
}

export const mayAppoint = async (
  context: WriteContext,
  { cellType, id }: AppointingCell,
  appointed: readonly string[] = [],
): Promise<boolean> => {
  const giver = givingTo(context, appointed);
  return cellType === "supervision"
    ? holds(giver.actor, "role-assignments:write")
    : mayAt(giver, "role-assignments:write", id);
};
