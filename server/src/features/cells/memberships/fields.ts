import {
  changesRights,
  choice,
  date,
  defaulted,
  describe,
  example,
  optional,
  selfEditable,
  timestamps,
} from "../../../jsonapi/definition/attributes.ts";
import type { RowInput } from "../../../jsonapi/definition/input.ts";
import { authorship, toOne } from "../../../jsonapi/definition/relationships.ts";
import { cellRoles, isLeading } from "./roles.ts";
import { membershipStatuses } from "./statuses.ts";

const leftReasons = ["moved-cell", "multiplied", "left-church", "cell-closed", "other"] as const;

export const membershipFields = {
  attributes: {
    ...timestamps,
    "cell-role": changesRights(
      {
        gainedBy: "select cell_memberships.person_id where cell_memberships.person_id is not null",
        values: cellRoles.filter(isLeading),
      },
      example("participant", choice(cellRoles)),
    ),
    "status": changesRights(
      { values: ["left"] },
      selfEditable(defaulted(choice(membershipStatuses))),
    ),
    "joined-on": describe(defaulted(date()), { description: "Defaults to today." }),
    "left-on": describe(selfEditable(optional(date())), {
      description: "The last day. Defaults to today when the membership ends.",
    }),
    "left-reason": describe(selfEditable(optional(choice(leftReasons))), {
      description: "Defaults to `other` when the membership ends.",
    }),
  },
  relationships: {
    ...authorship,
    cell: toOne("cells", { column: "cell_id", required: true, onlyCreated: true }),
    person: toOne("people", {
      column: "person_id",
      required: true,
      onlyCreated: true,
      outlives: true,
    }),
  },
};

export type MembershipFields = typeof membershipFields;
export type MembershipValues = RowInput<MembershipFields>["attributes"];
