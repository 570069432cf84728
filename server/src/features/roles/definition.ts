import { notAllowedHere } from "../../base/errors.ts";
import { can } from "../../access/policy.ts";
import { column, via } from "../../access/reach.ts";
import type { Rights } from "../../access/rights.ts";
import type { ScopeKinds } from "../../access/scopes.ts";
import { alreadyExists } from "../../jsonapi/definition/constraint-words.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { at, onRow, permissions } from "../../jsonapi/definition/row-conditions.ts";
import { timeSorts } from "../../jsonapi/definition/sorts.ts";
import {
  createRole,
  createRoleAssignment,
  deleteRole,
  deleteRoleAssignment,
  updateRole,
} from "./grant.ts";
import { roleFields, assignmentFields } from "./fields.ts";
import { knownScopes } from "./scopes.ts";

const isPreset = onRow`roles.code is not null`;

/** The permissions of a preset role are not stored. */
const holdsAll = onRow`(${isPreset} or roles.permissions <@ to_jsonb(${permissions}))`;

const isAssigned = onRow`exists (select from role_assignments held
  where held.account_id = roles.account_id and held.role_id = roles.id)`;

/** Assignments are placed where the resources are that their scope names. */
const grantedIn = (scope: string) =>
  via("role_assignment_places", {
    from: "id",
    to: "place_id",
    where: `x.place_type = '${scope}'`,
    former: {
      ids: `gone.scope_ids || array(select class.course_id from courses_of_classes class
        where class.account_id = gone.account_id and class.class_id = any(gone.scope_ids))`,
      dangling: true,
    },
  });

export const roles = (rights: Rights) =>
  resource({
    type: "roles",
    description:
      "A named set of permissions. The service provides presets, and an account adds its own roles.",
    table: "roles",
    ...roleFields(rights),
    filters: { name: { match: "equals-text", column: "name", by: "fold" } },
    sorts: { ...timeSorts, name: { column: "name_folded" } },
    defaultSort: "name",
    operations: {
      list: can("roles:read"),
      read: can("roles:read"),
      create: { allow: can("roles:write"), run: createRole },
      update: {
        allow: can("roles:write"),
        refuses: ["conflict"],
        allowedIf: onRow`${at("roles:write")} and ${holdsAll}`,
        refusedIf: { conflict: isPreset },
        run: updateRole,
      },
      delete: {
        allow: can("roles:delete"),
        refuses: ["conflict"],
        allowedIf: onRow`${at("roles:delete")} and ${holdsAll}`,
        refusedIf: { "conflict": isPreset, "still-referenced": isAssigned },
        run: deleteRole,
      },
    },
    constraints: {
      roles_name_key: alreadyExists(
        "/data/attributes/name",
        "Another role of this account has this name.",
      ),
      role_assignments_role_fkey: {
        pointer: "/data",
        detail: "The role is assigned to a person.",
        code: "still-referenced",
      },
    },
  });

export const roleAssignments = ({ scopes }: { scopes: ScopeKinds }) =>
  resource({
    type: "role-assignments",
    description: "A role that a person holds, and its scope.",
    table: "role_assignments",
    ...assignmentFields(scopes),
    filters: {
      "person": { match: "id", column: "person_id" },
      "role": { match: "id", column: "role_id" },
      "scope-type": { match: "one-of", column: "scope_type", values: knownScopes(scopes) },
    },
    sorts: timeSorts,
    defaultSort: "id",
    operations: {
      list: can("role-assignments:read"),
      read: can("role-assignments:read"),
      create: {
        allow: can("role-assignments:write"),
        anyScope: ["role-assignments:write"],
        description: "Callers grant only permissions that they hold, and only in their own scope.",
        run: createRoleAssignment,
      },
      delete: { allow: can("role-assignments:delete"), run: deleteRoleAssignment },
    },
    reach: {
      "self": column("person_id"),
      ...Object.fromEntries(
        [...scopes].filter(([, { follows }]) => !follows).map(([name]) => [name, grantedIn(name)]),
      ),
    },
    constraints: {
      role_assignments_scope_ids_fit: {
        pointer: "/data/attributes/scope-ids",
        breaks: notAllowedHere("A role with scope `account` or `self` takes no ids."),
      },
    },
    captures: { created: "role-assignment.created", deleted: "role-assignment.deleted" },
  });
