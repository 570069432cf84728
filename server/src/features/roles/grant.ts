import { lasting } from "../../access/actor.ts";
import { permissionsOf } from "../../access/identify.ts";
import type { Permission } from "../../access/permissions.ts";
import type { ScopeType } from "../../access/scopes.ts";
import { ApiError, fail, invalid, notAllowedHere, problem } from "../../base/errors.ts";
import { newId } from "../../base/ids.ts";
import type { CreateInput, UpdateInput } from "../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../jsonapi/definition/targets.ts";
import { assertReadable, existing } from "../../jsonapi/sql/read.ts";
import { AUTHOR, deleteRow, insertRow, updateRow } from "../../jsonapi/sql/write.ts";
import type { Tx } from "../../store/db.ts";
import { insertion } from "../../store/sql.ts";
import {
  type HeldScope,
  inAccount,
  kindOf,
  lackedOver,
  lackedToGrant,
  type RightsContext,
  ungrantable,
} from "./comparison.ts";
import type { AssignmentFields, RoleFields } from "./fields.ts";
import { presetRoles } from "./preset-roles.ts";

/** Callers grant only permissions that they hold: when they assign a role, create one, or extend one. */
async function assertHolds(
  context: RightsContext,
  permissions: readonly Permission[],
  pointer: string,
): Promise<void> {
  const missing = await lackedOver(context, permissions, inAccount);
  if (missing.length > 0) throw forbidden(missing.join(", "), pointer);
}

const permissionsPointer = "/data/attributes/permissions";

/** POST /v1/roles */
export async function createRole(
  context: WriteContext<RoleFields>,
  input: CreateInput<RoleFields>,
): Promise<Written> {
  await assertHolds(context, input.attributes.permissions ?? [], permissionsPointer);
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
  await assertHolds(context, role?.permissions ?? [], "/data");
  const { permissions = [] } = input.attributes;
  await assertHolds(context, permissions, permissionsPointer);
  // The people who hold the role get its new permissions for as long as they hold it.
  if (role?.heldUntil !== undefined)
    await assertHolds(
      { ...context, actor: lasting(context.actor, role.heldUntil) },
      permissions,
      permissionsPointer,
    );
  return updateRow(context, context.resource, id, input);
}

/** DELETE /v1/roles/:id */
export async function deleteRole(context: WriteContext, id: string): Promise<void> {
  const role = await lockRole(context, id);
  assertNotPreset(role);
  await assertHolds(context, role?.permissions ?? [], "/data");
  await deleteRow(context, context.resource, id);
}

interface Role {
  isPreset: boolean;
  permissions: readonly Permission[];
  /** The time until which people hold it. Null without an end, undefined if no person holds it. */
  heldUntil: string | null | undefined;
}

/** Locks the role, so that it cannot gain permissions between check and assignment. */
async function lockRole(
  { actor, catalogue, db }: WriteContext,
  id: string | null,
): Promise<Role | undefined> {
  const { accountId } = actor;
  const [role] = await db<{ code: string | null; permissions: Permission[] }[]>`
    select code, permissions from roles where account_id = ${accountId} and id = ${id} for no key update`;
  if (!role) return undefined;
  const [assigned] = await db<{ isHeld: boolean; until: string | null }[]>`
    select count(*) > 0 as "isHeld", case when bool_and(valid_until is not null) then max(valid_until) end as until
    from role_assignments where account_id = ${accountId} and role_id = ${id}`;
  const { code, permissions: own } = role;
  return {
    isPreset: code !== null,
    permissions: permissionsOf({ code, own }, catalogue.declared.presets) as readonly Permission[],
    heldUntil: assigned?.isHeld ? assigned.until : undefined,
  };
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
  const scope: HeldScope = { type, ids };
  const { "valid-until": until = null } = input.attributes;
  await assertGrants(context, "role-assignments:write", role, { scope, until });
  await requireScope(context, scope);
  return insertRow(context, context.resource, input, { granted_by: AUTHOR });
}

/** The assignment would never be valid. */
function assertSpan({ attributes }: CreateInput<AssignmentFields>): void {
  const { "valid-from": from, "valid-until": until } = attributes;
  if (!from || !until) return;
  if (Date.parse(until) <= Date.parse(from))
    throw invalid(untilPointer, { rule: "after", other: "/data/attributes/valid-from" });
}

const scopeTypePointer = "/data/attributes/scope-type";
const untilPointer = "/data/attributes/valid-until";
const scopeIdsPointer = "/data/attributes/scope-ids";

/** An id of an unknown resource is a mistake, because the role would have no effect. */
async function requireScope(context: WriteContext, { ids, type }: HeldScope): Promise<void> {
  const kind = kindOf(context, type);
  if (!kind) {
    if (ids.length > 0)
      throw invalid(scopeIdsPointer, notAllowedHere(`The scope \`${type}\` takes no ids.`));
    return;
  }
  const target = definitionOf(context.catalogue, kind.type);
  const found = await existing(context, target, ids);
  const unknown = ids.flatMap((id, position) =>
    found.has(id) ? [] : [invalidId(`${scopeIdsPointer}/${position}`, target.type)],
  );
  if (unknown.length > 0) throw new ApiError(unknown);
}

const invalidId = (pointer: string, type: string) =>
  problem(
    "invalid-attribute",
    { rule: "not-found", hint: `It must be the id of one of the ${type}.` },
    { pointer },
  );

interface Granted {
  scope: HeldScope;
  until: string | null;
}

/**
 * Callers grant only inside their own scope, and only roles whose permissions they hold over all of that scope. The right to
 * grant is not passed on within a scope: a role with a permission of roles or role assignments needs that permission for the
 * whole account. A grant does not outlast the rights from which it follows.
 */
async function assertGrants(
  context: WriteContext,
  right: Permission,
  role: Role | undefined,
  { scope, until }: Granted,
): Promise<void> {
  const permissions = role?.permissions ?? [];
  const [ungranted] = await lackedOver(context, [right], scope);
  if (ungranted) throw forbidden(`${ungranted} in all of that scope`, scopeTypePointer);
  const [missing] = await ungrantable(context, permissions, scope);
  if (missing) throw forbidden(`${missing} in all of that scope`, "/data/relationships/role");
  const later = { ...context, actor: lasting(context.actor, until) };
  const [ended] = await lackedToGrant(later, right, { permissions, scope });
  if (ended) throw forbidden(`${ended} for that long`, untilPointer);
}

const forbidden = (lacked: string, pointer: string) =>
  fail("forbidden", `This person does not hold ${lacked}.`, { pointer });

/** DELETE /v1/role-assignments/:id. Callers remove only roles that they could assign. */
export async function deleteRoleAssignment(context: WriteContext, id: string): Promise<void> {
  const { actor, db, resource } = context;
  await assertReadable(context, resource, id);
  const [assignment] = await db<
    { roleId: string; type: ScopeType; ids: string[]; until: string | null }[]
  >`
    select role_id as "roleId", scope_type as type, scope_ids as ids, valid_until as until from role_assignments
    where account_id = ${actor.accountId} and id = ${id}`;
  const role = await lockRole(context, assignment?.roleId ?? null);
  if (assignment) {
    const { ids, type, until } = assignment;
    await assertGrants(context, "role-assignments:delete", role, { scope: { type, ids }, until });
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
