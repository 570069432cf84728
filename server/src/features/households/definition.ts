import { can } from "../../access/policy.ts";
import { limits } from "../../base/limits.ts";
import { onRow } from "../../jsonapi/definition/row-conditions.ts";
import { onlyReduced, readOnly as readable, via } from "../../access/reach.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../jsonapi/definition/sorts.ts";
import {
  createMembership,
  deleteMembership,
  updateMembership,
  alreadyMember,
} from "./memberships.ts";
import { createHousehold, deleteHousehold, updateHousehold } from "./write-household.ts";
import { householdRoles, householdFields, householdMembershipFields } from "./fields.ts";
import { customValuesSize } from "../../jsonapi/definition/custom-fields.ts";

const memberships = (where: string) =>
  via("household_memberships", {
    from: "household_id",
    to: "person_id",
    where,
    through: "household-memberships",
  });

export const households = resource({
  type: "households",
  description: "A family or another group of people who live together.",
  table: "households",
  ...householdFields,
  filters: {
    "q": {
      match: "search",
      text: { table: "households", from: "id", column: "words" },
      initials: "name_folded",
    },
    "person": {
      needs: "people:read",
      among: "people",
      match: "related",
      table: "household_memberships",
      from: "household_id",
      to: "person_id",
    },
    "city": { match: "equals-text", column: "city", by: "fold" },
    "without-members": {
      match: "exists",
      table: "household_memberships",
      from: "household_id",
      negated: true,
    },
  },
  sorts: { ...timeSorts, name: { column: "name_folded" } },
  defaultSort: "name",
  operations: {
    list: can("households:read"),
    read: can("households:read"),
    create: {
      allow: can("households:write"),
      description: "The primary contact becomes the first member, as `head`.",
      refuses: ["limit-reached"],
      run: createHousehold,
    },
    update: { allow: can("households:write"), run: updateHousehold },
    delete: { allow: can("households:delete"), run: deleteHousehold },
  },
  reach: {
    self: [
      readable(memberships("x.may_pick_up is distinct from 'restricted'")),
      onlyReduced(readable(memberships("x.may_pick_up = 'restricted'"))),
    ],
  },
  // A restricted member sees who belongs to the household, and neither its address nor its number.
  reduced: {
    fullWith: "households:read",
    members: ["name", "created-at", "modified-at", "primary-contact", "members", "memberships"],
    filters: ["person"],
  },
  customProperties: true,
  captures: {
    created: "household.created",
    updated: "household.updated",
    deleted: "household.deleted",
  },
  constraints: customValuesSize("households"),
});

const isFull = onRow`(select count(*) from household_memberships member
  where member.account_id = households.account_id and member.household_id = households.id) >= ${String(limits.membersPerHouseholdMax)}`;

export const householdMemberships = resource({
  type: "household-memberships",
  description: "A person in a household, and the role there.",
  table: "household_memberships",
  ...householdMembershipFields,
  filters: {
    "household": { match: "id", column: "household_id" },
    "person": { match: "id", column: "person_id" },
    "household-role": { match: "one-of", column: "household_role", values: householdRoles },
    "is-primary": { match: "boolean", column: "is_primary" },
  },
  sorts: timeSorts,
  defaultSort: "id",
  operations: {
    list: can("households:read"),
    read: can("households:read"),
    create: {
      allow: can("households:write"),
      refuses: ["limit-reached"],
      actsOn: { household: { "add-member": { refusedIf: { "limit-reached": isFull } } } },
      run: createMembership,
    },
    update: { allow: can("households:write"), run: updateMembership },
    delete: { allow: can("households:write"), run: deleteMembership },
  },
  reach: {
    self: readable(
      via("household_companions", {
        from: "membership_id",
        to: "person_id",
        through: "household-memberships",
        former: {
          ids: `array(select other.person_id from household_memberships other
            where other.account_id = gone.account_id and other.household_id = gone.household_id)`,
        },
      }),
    ),
  },
  constraints: {
    household_memberships_person_key: alreadyMember,
    household_memberships_primary_key: {
      pointer: "/data/attributes/is-primary",
      code: "conflict",
      detail: "The person has another primary household.",
    },
  },
});
