import type { ScopeKinds } from "../../access/scopes.ts";
import {
  boolean,
  choice,
  computed,
  describe,
  list,
  object,
  text,
} from "../../jsonapi/definition/attributes.ts";
import type { Extension } from "../../jsonapi/definition/extension.ts";
import { linkOnly, toMany } from "../../jsonapi/definition/relationships.ts";
import { knownScopes } from "./scopes.ts";

const assignments = { table: "role_assignments", from: "person_id" };

const rolesHeld = "roles_of(people.account_id, people.id)";

/** Roles on the records of people. */
export const rolesOfPeople = (scopes: ScopeKinds): Extension => ({
  attributes: {
    "resource-scope": describe(
      computed(
        list(
          object({
            "role": text({ maxLength: 80 }),
            "scope-type": choice(knownScopes(scopes)),
            "ids": list(text({ maxLength: 36 }), { maxItems: 200 }),
            "is-derived": boolean(),
          }),
          { maxItems: 200 },
        ),
        rolesHeld,
      ),
      { readableWith: "role-assignments:read" },
    ),
  },
  relationships: {
    "roles": linkOnly(toMany("roles", { ...assignments, to: "role_id" })),
    "role-assignments": linkOnly(toMany("role-assignments", { ...assignments, to: "id" })),
  },
  filters: {
    role: {
      needs: "role-assignments:read",
      among: "roles",
      match: "related",
      ...assignments,
      to: "role_id",
    },
  },
});
