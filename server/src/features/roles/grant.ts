import { insertion } from "../../store/sql.ts";
import { type Actor, isFullAdministrator } from "../../access/actor.ts";
import type { Permission } from "../../access/permissions.ts";
import { can, holds, reachOf } from "../../access/policy.ts";
import { presetRoles } from "./preset-roles.ts";
import type { ScopeKind, ScopeType } from "../../access/scopes.ts";
import { ApiError, fail, invalid, problem } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { RoleFields, AssignmentFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../jsonapi/definition/input.ts";
import { targetOf, type WriteContext, type Written } from "../../jsonapi/definition/resource.ts";
import { assertReadable, existing } from "../../jsonapi/sql/read.ts";
import { reachesRow } from "../../jsonapi/sql/reach.ts";
import { AUTHOR, deleteRow, insertRow, updateRow } from "../../jsonapi/sql/write.ts";
import type { Tx } from "../../store/db.ts";

/** Callers grant only permissions that they hold: when they assign a role, create one, or extend one. */
function assertHolds(actor: Actor, permissions: readonly Permission[], pointer: string): void {
  if (isFullAdministrator(actor)) return;
  const missing = permissions.filter((permission) => !holds(actor, permission));
  if (missing.length > 0)
    throw fail("forbidden", `This person does not hold ${missing.join(", ")}.`, { pointer });
}

const permissionsPointer = "/data/attributes/permissions";

/** Callers grant only permissions that they hold. */
function assertGrantable(
  { actor }: WriteContext,
  { attributes: { permissions = [] } }: UpdateInput<RoleFields>,
): void {
  assertHolds(actor, permissions, permissionsPointer);
}

/** POST /v1/roles */
export async function createRole(
  context: WriteContext<RoleFields>,
  input: CreateInput<RoleFields>,
): Promise<Written> {
  assertGrantable(context, input);
  return insertRow(context, context.resource, input);
}

/** PATCH /v1/roles/:id */
export async function updateRole(
  context: WriteContext<RoleFields>,
  id: string,
  input: UpdateInput<RoleFields>,
): Promise<Written> {
  const role = await lockRole(context, id);
  assertNotPreset(role);
  assertHolds(context.actor, role?.permissions ?? [], "/data");
  assertGrantable(context, input);
  return updateRow(context, context.resource, id, input);
}

/** DELETE /v1/roles/:id */
export async function deleteRole(context: WriteContext, id: string): Promise<void> {
  const role = await lockRole(context, id);
  assertNotPreset(role);
  assertHolds(context.actor, role?.permissions ?? [], "/data");
  await deleteRow(context, context.resource, id);
}

interface Role {
  isPreset: boolean;
  permissions: readonly Permission[];
}

/**
 * Locks the role, so that it cannot gain permissions between check and assignment. The caller's rights are confirmed
 * after the lock.
 */
async function lockRole(
  { actor, catalogue, confirmation, db }: WriteContext,
  id: string | null,
): Promise<Role | undefined> {
  const [role] = await db<{ code: string | null; permissions: Permission[] }[]>`
    select code, permissions from roles
    where account_id = ${actor.accountId} and id = ${id} for no key update`;
  await confirmation.now(db);
  if (!role) return undefined;
  const { code, permissions } = role;
  return code === null
    ? { isPreset: false, permissions }
    : { isPreset: true, permissions: catalogue.declared.presets.get(code) ?? [] };
}

function assertNotPreset(role: Role | undefined): void {
  if (role?.isPreset)
    throw fail("conflict", "A preset role belongs to the service and stays as it is.");
}

/** POST /v1/role-assignments */
export async function createRoleAssignment(
  context: WriteContext<AssignmentFields>,
  input: CreateInput<AssignmentFields>,
): Promise<Written> {
  const role = await lockRole(context, input.toOne.role);
  assertSpan(input);
  const { "scope-ids": ids = [], "scope-type": type } = input.attributes;
  const scope: GrantedScope = { type, ids };
  await assertGrants(context, "role-assignments:write", role, scope);
  await requireScope(context, scope);
  return insertRow(context, context.resource, input, { granted_by: AUTHOR });
}

/** The assignment would never be valid. */
function assertSpan({ attributes }: CreateInput<AssignmentFields>): void {
  const { "valid-from": from, "valid-until": until } = attributes;
  if (!from || !until) return;
  if (Date.parse(until) <= Date.parse(from))
    throw invalid("/data/attributes/valid-until", "Must be after valid-from.");
}

interface GrantedScope {
  type: ScopeType;
  ids: readonly string[];
}

/** The kind of a scope that names resources. */
const kindOf = ({ catalogue }: WriteContext, type: ScopeType): ScopeKind | undefined =>
  type === "account" || type === "self" ? undefined : catalogue.declared.scopes.get(type);

const scopeTypePointer = "/data/attributes/scope-type";
const scopeIdsPointer = "/data/attributes/scope-ids";

/** An id of an unknown resource is a mistake, because the role would have no effect. */
async function requireScope(context: WriteContext, { ids, type }: GrantedScope): Promise<void> {
  const kind = kindOf(context, type);
  if (!kind) {
    if (ids.length > 0) throw invalid(scopeIdsPointer, `The scope \`${type}\` takes no ids.`);
    return;
  }
  const target = targetOf(context.catalogue, { target: kind.type });
  const found = await existing(context, target, ids);
  const unknown = ids.flatMap((id, position) =>
    found.has(id) ? [] : [invalidId(`${scopeIdsPointer}/${position}`, target.type)],
  );
  if (unknown.length > 0) throw new ApiError(unknown);
}

const invalidId = (pointer: string, type: string) =>
  problem("invalid-attribute", `Must be the id of one of the ${type} of this account.`, {
    pointer,
  });

/**
 * Callers grant only inside their own scope, and only roles whose permissions they hold over all of that scope. The right to
 * grant is not passed on within a scope: a role with a permission of roles or role assignments needs that permission for the
 * whole account.
 */
async function assertGrants(
  context: WriteContext,
  right: Permission,
  role: Role | undefined,
  scope: GrantedScope,
): Promise<void> {
  const { actor } = context;
  if (isFullAdministrator(actor)) return;
  if (!(await covers(context, right, scope)))
    throw fail("forbidden", `This person does not hold ${right} in all of that scope.`, {
      pointer: scopeTypePointer,
    });
  for (const permission of role?.permissions ?? []) {
    const held = /^(roles|role-assignments):/.test(permission)
      ? holds(actor, permission)
      : await covers(context, permission, scope);
    if (!held)
      throw fail("forbidden", `This person does not hold ${permission} in all of that scope.`, {
        pointer: "/data/relationships/role",
      });
  }
}

/** Whether the caller holds the permission over all of a scope. */
async function covers(
  context: WriteContext,
  permission: Permission,
  { ids, type }: GrantedScope,
): Promise<boolean> {
  const { actor, catalogue } = context;
  const kind = kindOf(context, type);
  if (!kind || ids.length === 0) return holds(actor, permission);
  const target = targetOf(catalogue, { target: kind.type });
  // A grant for the named resources does not cover those below them.
  const covering: readonly string[] = kind.follows ? [type] : [...catalogue.declared.scopes.keys()];
  const reach = reachOf(actor, can(permission), target.reach ?? {});
  if (reach === "everything") return true;
  const scopes = reach.filter((one) => covering.includes(one.scope));
  for (const id of ids) {
    const [reached] = await reachesRow(context, target, id, [scopes]);
    if (!reached) return false;
  }
  return true;
}

/** DELETE /v1/role-assignments/:id. Callers remove only roles that they could assign. */
export async function deleteRoleAssignment(context: WriteContext, id: string): Promise<void> {
  const { actor, db, resource } = context;
  await assertReadable(context, resource, id);
  const [assignment] = await db<{ role_id: string; scope_type: ScopeType; scope_ids: string[] }[]>`
    select role_id, scope_type, scope_ids from role_assignments
    where account_id = ${actor.accountId} and id = ${id}`;
  const role = await lockRole(context, assignment?.role_id ?? null);
  if (assignment) {
    const scope = { type: assignment.scope_type, ids: assignment.scope_ids };
    await assertGrants(context, "role-assignments:delete", role, scope);
  }
  await deleteRow(context, resource, id);
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
