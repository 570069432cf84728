import { onlyNames, onlyReduced, readOnly, via } from "../../access/reach.ts";
import type { Extension } from "../../jsonapi/definition/extension.ts";
import { computedToOne, linkOnly, toMany } from "../../jsonapi/definition/relationships.ts";

const memberships = { table: "household_memberships", from: "person_id", to: "household_id" };

const companions = (where: string) =>
  via("household_companions", {
    from: "companion_id",
    to: "person_id",
    where,
    through: "household-memberships",
  });

/** Households on the records of people. */
export const householdsOfPeople: Extension = {
  relationships: {
    household: computedToOne(
      "households",
      `(select m.household_id from household_memberships m
        where m.account_id = people.account_id and m.person_id = people.id and m.is_primary)`,
    ),
    households: linkOnly(toMany("households", memberships)),
  },
  filters: {
    household: {
      needs: "households:read",
      among: "households",
      match: "related",
      ...memberships,
    },
    "without-household": {
      needs: "households:read",
      match: "exists",
      table: memberships.table,
      from: memberships.from,
      negated: true,
    },
  },
  reach: {
    // Everyone sees the people of their own household.
    self: [
      onlyReduced(readOnly(companions("x.may_pick_up is distinct from 'restricted'"))),
      onlyNames(companions("x.may_pick_up = 'restricted'")),
    ],
  },
  reduced: { filters: ["household"] },
};
