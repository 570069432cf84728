import { can } from "../../access/policy.ts";
import { column, via } from "../../access/reach.ts";
import { assignableScopes, scopeTypes } from "../../access/actor.ts";
import type { Rights } from "../../access/preset-roles.ts";
import {
  boolean,
  choice,
  computed,
  defaulted,
  describe,
  example,
  list,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { named } from "../../jsonapi/definition/names.ts";
import {
  createRole,
  createRoleAssignment,
  deleteRole,
  deleteRoleAssignment,
  updateRole,
} from "./grant.ts";
import {
  author,
  authorship,
  linkOnly,
  toMany,
  toOne,
} from "../../jsonapi/definition/relationships.ts";

const times = { "created-at": readOnly(timestamp()), "modified-at": readOnly(timestamp()) };
const timeSorts = {
  "created-at": { column: "created_at" },
  "modified-at": { column: "modified_at" },
};

/** Assignments are placed where the resources are that their scope names. */
const grantedIn = (scope: string) =>
  via("role_assignment_places", { from: "id", to: "place_id", where: `x.place_type = '${scope}'` });

export const roles = ({ permissions, presets }: Rights) =>
  resource({
    type: "roles",
    description:
      "A named set of permissions. The service provides presets, and an account adds its own roles.",
    table: "roles",
    attributes: {
      ...times,
      "name": example("Greeters", named(80)),
      "code": readOnly(optional(text({ maxLength: 40 }))),
      "permissions": describe(
        defaulted(
          list(choice([...permissions].sort()), {
            maxItems: 200,
            uniqueItems: true,
          }),
        ),
        {
          example: ["people:read"],
          expression: `coalesce('${JSON.stringify(Object.fromEntries(presets))}'::jsonb -> roles.code, roles.permissions)`,
        },
      ),
      "is-preset": computed(boolean(), "(roles.code is not null)"),
      "description": example(
        "Welcome visitors at the door.",
        optional(text({ maxLength: 10_000 })),
      ),
    },
    relationships: {
      ...authorship,
      assignments: linkOnly(
        toMany("role-assignments", { table: "role_assignments", from: "role_id", to: "id" }),
      ),
    },
    filters: { name: { match: "equals-text", column: "name", by: "fold" } },
    sorts: { ...timeSorts, name: { column: "name_folded" } },
    defaultSort: "name",
    operations: {
      list: can("roles:read"),
      read: can("roles:read"),
      create: { allow: can("roles:write"), run: createRole },
      update: { allow: can("roles:write"), refuses: ["conflict"], run: updateRole },
      delete: { allow: can("roles:delete"), refuses: ["conflict"], run: deleteRole },
    },
    constraints: {
      roles_name_key: {
        pointer: "/data/attributes/name",
        detail: "Another role of this account has this name.",
        code: "already-exists",
      },
      role_assignments_role_fkey: {
        pointer: "/data",
        detail: "The role is assigned to a person.",
        code: "still-referenced",
      },
    },
  });

export const roleAssignments = resource({
  type: "role-assignments",
  description: "A role that a person holds, and its scope.",
  table: "role_assignments",
  attributes: {
    ...times,
    "scope-type": example("account", choice(assignableScopes)),
    "scope-ids": describe(
      defaulted({
        ...list(
          text({
            maxLength: 36,
            pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
            description: "an id that the service made",
            examples: ["019b7e4c-4a50-7c1e-9d53-6a2f1c8e7b30"],
          }),
          { maxItems: 200, uniqueItems: true },
        ),
        storage: "uuids",
      }),
      { description: "The ids that the role applies to. An empty list applies to nothing." },
    ),
    "valid-from": optional(timestamp()),
    "valid-until": optional(timestamp()),
  },
  relationships: {
    ...authorship,
    "role": toOne("roles", { column: "role_id", required: true }),
    "person": toOne("people", { column: "person_id", required: true }),
    "granted-by": author("granted_by"),
  },
  filters: {
    "person": { match: "id", column: "person_id" },
    "role": { match: "id", column: "role_id" },
    "scope-type": { match: "one-of", column: "scope_type", values: scopeTypes },
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
    "cell": grantedIn("cell"),
    "course": grantedIn("course"),
    "course-class": grantedIn("course-class"),
  },
  constraints: {
    role_assignments_scope_ids_fit: {
      pointer: "/data/attributes/scope-ids",
      detail: "A role with scope `account` or `self` takes no ids.",
    },
  },
  captures: { created: "role-assignment.created", deleted: "role-assignment.deleted" },
});
