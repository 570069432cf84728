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

/**
 * Nobody grants what they do not hold: not by giving somebody a role, not by making one, and not by adding to one that
 * somebody has.
 */
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
 * Locked, so that a role cannot grow between being judged and being given. Whoever was taken a role while they waited for
 * it neither gives it on nor takes it back.
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
    : { isPreset: true, permissions: catalogue.rights.presets.get(code) ?? [] };
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

/** It would count at no time, and nobody would know. */
function refuseEmptySpan(attributes: ResourceInput["attributes"]): void {
  const [from, until] = [attributes.get("valid-from"), attributes.get("valid-until")];
  if (typeof from !== "string" || typeof until !== "string") return;
  if (Date.parse(until) <= Date.parse(from))
    throw invalid("/data/attributes/valid-until", "Must be after valid-from.");
}

/** An id that is none of this church's courses is a slip: the role would count for nothing, and nobody would know. */
async function requireCourses({ actor, db }: WriteContext, ids: readonly string[]): Promise<void> {
  const known = await db`
    select id from courses where account_id = ${actor.accountId} and id = any(${ids as string[]}::uuid[])`;
  if (known.length < ids.length)
    throw invalid("/data/attributes/scope-ids", "One of them is no course of this church.");
}

/** DELETE /v1/role-assignments/:id. What one could not give one cannot take. */
export async function deleteRoleAssignment(context: WriteContext, id: string): Promise<void> {
  const { actor, db } = context;
  const [assignment] = await db<{ role_id: string }[]>`
    select role_id from role_assignments where account_id = ${actor.accountId} and id = ${id}`;
  const role = await lockRole(context, assignment?.role_id ?? null);
  assertHolds(actor, role?.permissions ?? [], "/data");
  await deleteRow(context, context.of, id);
}

/** The roles every church starts with. */
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
