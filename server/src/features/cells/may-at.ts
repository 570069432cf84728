import type { Permission } from "../../access/permissions.ts";
import { can } from "../../access/policy.ts";
import { fail } from "../../base/errors.ts";
import { targetOf, type WriteContext } from "../../jsonapi/definition/resource.ts";
import { mayReach } from "../../jsonapi/sql/reach.ts";

/** Whether the caller holds a permission at a cell. */
export const mayAt = (
  context: WriteContext,
  permission: Permission,
  cellId: string,
): Promise<boolean> =>
  mayReach(context, can(permission), targetOf(context.catalogue, { target: "cells" }), cellId);

/** 403 at a member of the document unless the caller holds the permission at the cell. */
export async function assertMayAt(
  context: WriteContext,
  permission: Permission,
  cellId: string,
  pointer: string,
): Promise<void> {
  if (await mayAt(context, permission, cellId)) return;
  throw fail("forbidden", `This person lacks ${permission} at the cell.`, { pointer });
}
