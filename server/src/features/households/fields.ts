import {
  boolean,
  choice,
  defaulted,
  describe,
  example,
  optional,
  timestamps,
} from "../../jsonapi/definition/attributes.ts";
import { address } from "../../jsonapi/definition/contact.ts";
import { customValues } from "../../jsonapi/definition/custom-fields.ts";
import { phoneDisplayOf, phoneNumber } from "../../jsonapi/definition/phones.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { authorship, linkOnly, toMany, toOne } from "../../jsonapi/definition/relationships.ts";

export const householdRoles = ["head", "spouse", "child", "dependent", "other"] as const;

export const householdFields = {
  attributes: {
    ...timestamps,
    "name": example("Family Souza", named(200)),
    "phone": example("+351210000012", optional(phoneNumber())),
    "phone-display": phoneDisplayOf("households.phone"),
    "address": example(
      { street: "Rua das Flores", number: "12", city: "Lisboa", country: "PT" },
      optional(address()),
    ),
    "custom-properties": customValues(),
  },
  relationships: {
    ...authorship,
    "primary-contact": toOne("people", { column: "primary_contact_id" }),
    "members": linkOnly(
      toMany("people", { table: "household_memberships", from: "household_id", to: "person_id" }),
    ),
    "memberships": linkOnly(
      toMany("household-memberships", {
        table: "household_memberships",
        from: "household_id",
        to: "id",
      }),
    ),
  },
};

export type HouseholdFields = typeof householdFields;

export const householdMembershipFields = {
  attributes: {
    ...timestamps,
    "household-role": example("child", defaulted(choice(householdRoles))),
    "is-primary": describe(defaulted(boolean()), {
      description:
        "Whether this is the person's `household`. A person has at most one. The first household of a person is primary unless the request says otherwise.",
    }),
    "may-pick-up": describe(optional(choice(["yes", "no", "restricted"])), {
      description: "Whether the person may pick up the children of the household.",
    }),
  },
  relationships: {
    ...authorship,
    household: toOne("households", { column: "household_id", required: true, onlyCreated: true }),
    person: toOne("people", { column: "person_id", required: true, onlyCreated: true }),
  },
};

export type HouseholdMembershipFields = typeof householdMembershipFields;
