import { can } from "../../access/policy.ts";
import { scopeTypes } from "../../access/actor.ts";
import type { Rights } from "../../access/preset-roles.ts";
import {
  boolean,
  choice,
  computed,
  defaulted,
  describe,
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

/** A named bundle of permissions. */
export const roles = ({ permissions, presets }: Rights) =>
  resource({
    type: "roles",
    description:
      "A named bundle of permissions; presets come with the service, others are the church's own.",
    table: "roles",
    attributes: {
      ...times,
      "name": named(80),
      "code": readOnly(optional(text({ maxLength: 40 }))),
      "permissions": describe(
        defaulted(
          list(choice([...permissions].sort()), {
            maxItems: 200,
            uniqueItems: true,
          }),
        ),
        {
          expression: `coalesce('${JSON.stringify(Object.fromEntries(presets))}'::jsonb -> roles.code, roles.permissions)`,
        },
      ),
      "is-preset": computed(boolean(), "(roles.code is not null)"),
      "description": optional(text({ maxLength: 10_000 })),
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
      update: { allow: can("roles:write"), run: updateRole },
      delete: { allow: can("roles:delete"), run: deleteRole },
    },
    constraints: {
      roles_name_key: {
        pointer: "/data/attributes/name",
        detail: "This church has a role of this name.",
        code: "already-exists",
      },
      role_assignments_role_fkey: {
        pointer: "/data",
        detail: "The role is assigned to somebody.",
        code: "still-referenced",
      },
    },
  });

/** A role somebody holds, and where it counts. */
export const roleAssignments = resource({
  type: "role-assignments",
  description: "A role somebody holds, and where it counts.",
  table: "role_assignments",
  attributes: {
    ...times,
    "scope-type": choice(scopeTypes),
    "scope-ids": describe(
      defaulted({
        ...list(
          text({
            maxLength: 36,
            pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
            description: "an id as the service made it",
            examples: ["019b7e4c-4a50-7c1e-9d53-6a2f1c8e7b30"],
          }),
          { maxItems: 200, uniqueItems: true },
        ),
        storage: "uuids",
      }),
      { description: "What the role counts for. Empty means nothing, never everything." },
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
    create: { allow: can("role-assignments:write"), run: createRoleAssignment },
    delete: { allow: can("role-assignments:delete"), run: deleteRoleAssignment },
  },
  scopes: { self: "person_id" },
  constraints: {
    role_assignments_scope_ids_fit: {
      pointer: "/data/attributes/scope-ids",
      detail: "A role for the whole account or for oneself takes no ids.",
    },
  },
  captures: { created: "role-assignment.created", deleted: "role-assignment.deleted" },
});
