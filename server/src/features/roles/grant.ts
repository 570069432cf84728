import { insertion } from "../../store/sql.ts";
import { type Actor, isFullAdministrator } from "../../access/actor.ts";
import type { Permission } from "../../access/permissions.ts";
import { holds } from "../../access/policy.ts";
import { presetRoles } from "../../access/preset-roles.ts";
import { fail, invalid } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import {
  type ResourceInput,
  type WriteContext,
  type Written,
} from "../../jsonapi/definition/resource.ts";
import { AUTHOR, deleteRow, insertRow, updateRow } from "../../jsonapi/sql/write.ts";
import type { Tx } from "../../store/db.ts";

/** Callers grant only permissions that they hold: when they assign a role, create one, or extend one. */
function assertHolds(actor: Actor, permissions: readonly string[], pointer: string): void {
  if (isFullAdministrator(actor)) return;
  const missing = permissions.filter((permission) => !holds(actor, permission as Permission));
  if (missing.length > 0)
    throw fail("forbidden", `This person does not hold ${missing.join(", ")}.`, { pointer });
}

const permissionsPointer = "/data/attributes/permissions";

/** Callers grant only permissions that they hold. */
function assertGrantable({ actor }: WriteContext, { attributes }: ResourceInput): void {
  const permissions = (attributes.get("permissions") ?? []) as string[];
  assertHolds(actor, permissions, permissionsPointer);
}

/** POST /v1/roles */
export async function createRole(context: WriteContext, input: ResourceInput): Promise<Written> {
  assertGrantable(context, input);
  return insertRow(context, context.of, input);
}

/** PATCH /v1/roles/:id */
export async function updateRole(
  context: WriteContext,
  id: string,
  input: ResourceInput,
): Promise<Written> {
  const role = await lockRole(context, id);
  refusePreset(role);
  assertHolds(context.actor, role?.permissions ?? [], "/data");
  assertGrantable(context, input);
  return updateRow(context, context.of, id, input);
}

/** DELETE /v1/roles/:id */
export async function deleteRole(context: WriteContext, id: string): Promise<void> {
  const role = await lockRole(context, id);
  refusePreset(role);
  assertHolds(context.actor, role?.permissions ?? [], "/data");
  await deleteRow(context, context.of, id);
}

interface Role {
  isPreset: boolean;
  permissions: readonly string[];
}

/**
 * Locks the role, so that it cannot gain permissions between check and assignment. The caller's rights are confirmed
 * after the lock.
 */
async function lockRole(
  { actor, catalogue, confirmation, db }: WriteContext,
  id: string | null,
): Promise<Role | undefined> {
  const [role] = await db<{ code: string | null; permissions: string[] }[]>`
    select code, permissions from roles
    where account_id = ${actor.accountId} and id = ${id} for no key update`;
  await confirmation.now(db);
  if (!role) return undefined;
  const { code, permissions } = role;
  return code === null
    ? { isPreset: false, permissions }
    : { isPreset: true, permissions: catalogue.declared.presets.get(code) ?? [] };
}

function refusePreset(role: Role | undefined): void {
  if (role?.isPreset)
    throw fail("conflict", "A preset role belongs to the service and stays as it is.");
}

/** POST /v1/role-assignments */
export async function createRoleAssignment(
  context: WriteContext,
  input: ResourceInput,
): Promise<Written> {
  const role = await lockRole(context, input.toOne.get("role") ?? null);
  assertHolds(context.actor, role?.permissions ?? [], "/data/relationships/role");
  refuseEmptySpan(input.attributes);
  if (input.attributes.get("scope-type") === "course")
    await requireCourses(context, (input.attributes.get("scope-ids") ?? []) as string[]);
  return insertRow(context, context.of, input, { granted_by: AUTHOR });
}

/** The assignment would never be valid. */
function refuseEmptySpan(attributes: ResourceInput["attributes"]): void {
  const [from, until] = [attributes.get("valid-from"), attributes.get("valid-until")];
  if (typeof from !== "string" || typeof until !== "string") return;
  if (Date.parse(until) <= Date.parse(from))
    throw invalid("/data/attributes/valid-until", "Must be after valid-from.");
}

/** An id of an unknown course is a mistake, because the role would have no effect. */
async function requireCourses({ actor, db }: WriteContext, ids: readonly string[]): Promise<void> {
  const known = await db`
    select id from courses where account_id = ${actor.accountId} and id = any(${ids as string[]}::uuid[])`;
  if (known.length < ids.length)
    throw invalid("/data/attributes/scope-ids", "Must contain only courses of this account.");
}

/** DELETE /v1/role-assignments/:id. Callers remove only roles that they could assign. */
export async function deleteRoleAssignment(context: WriteContext, id: string): Promise<void> {
  const { actor, db } = context;
  const [assignment] = await db<{ role_id: string }[]>`
    select role_id from role_assignments where account_id = ${actor.accountId} and id = ${id}`;
  const role = await lockRole(context, assignment?.role_id ?? null);
  assertHolds(actor, role?.permissions ?? [], "/data");
  await deleteRow(context, context.of, id);
}

/** The preset roles of every account. */
export async function addPresetRoles(tx: Tx, accountId: string): Promise<void> {
  const rows = presetRoles.map(({ code, name, description }) => ({
    account_id: accountId,
    id: newId(),
    code,
    name,
    description,
  }));
  await tx`insert into roles ${insertion(...rows)} on conflict do nothing`;
}
