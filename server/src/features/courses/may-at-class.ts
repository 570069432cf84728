import type { Permission } from "../../access/permissions.ts";
import { can } from "../../access/policy.ts";
import { fail } from "../../base/errors.ts";
import { targetOf, type WriteContext } from "../../jsonapi/definition/resource.ts";
import { mayReach } from "../../jsonapi/sql/reach.ts";

/** Whether the caller holds a permission at a class. */
export const mayAtClass = (
  context: WriteContext,
  permission: Permission,
  classId: string,
): Promise<boolean> =>
  mayReach(
    context,
    can(permission),
    targetOf(context.catalogue, { target: "course-classes" }),
    classId,
  );

/** 403 at a member of the document unless the caller holds the permission at the class. */
export async function assertMayAtClass(
  context: WriteContext,
  permission: Permission,
  classId: string,
  pointer: string,
): Promise<void> {
  if (await mayAtClass(context, permission, classId)) return;
  throw fail("forbidden", `This person lacks ${permission} at the class.`, { pointer });
}
