import type { Rights } from "../../access/rights.ts";
import type { ScopeKinds } from "../../access/scopes.ts";
import {
  formatted,
  boolean,
  choice,
  computed,
  defaulted,
  describe,
  example,
  list,
  optional,
  readOnly,
  lines,
  text,
  timestamp,
  timestamps,
} from "../../jsonapi/definition/attributes.ts";
import { named } from "../../jsonapi/definition/names.ts";
import {
  author,
  authorship,
  linkOnly,
  toMany,
  toOne,
} from "../../jsonapi/definition/relationships.ts";
import { assignableScopes } from "./scopes.ts";

export const roleFields = ({ permissions, presets }: Rights) => ({
  attributes: {
    ...timestamps,
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
        changesRights: {
          gainedBy:
            "select x.person_id from role_assignments x where x.account_id = roles.account_id and x.role_id = roles.id",
        },
        expression: `coalesce('${JSON.stringify(Object.fromEntries(presets))}'::jsonb -> roles.code, roles.permissions)`,
      },
    ),
    "is-preset": computed(boolean(), "(roles.code is not null)"),
    "description": example("Welcome visitors at the door.", optional(lines({ maxLength: 10_000 }))),
  },
  relationships: {
    ...authorship,
    assignments: linkOnly(
      toMany("role-assignments", { table: "role_assignments", from: "role_id", to: "id" }),
    ),
  },
});

export type RoleFields = ReturnType<typeof roleFields>;

export const assignmentFields = (scopes: ScopeKinds) => ({
  attributes: {
    ...timestamps,
    "scope-type": example("account", choice(assignableScopes(scopes))),
    "scope-ids": describe(
      defaulted({
        ...list(
          text({
            maxLength: 36,
            pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
            ...formatted("uuid"),
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
    "role": toOne("roles", {
      column: "role_id",
      required: true,
      changesRights: { gainedBy: "select role_assignments.person_id" },
    }),
    "person": toOne("people", { column: "person_id", required: true }),
    "granted-by": author("granted_by"),
  },
});

export type AssignmentFields = ReturnType<typeof assignmentFields>;
