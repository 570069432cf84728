import {
  choice,
  defaulted,
  describe,
  example,
  object,
  optional,
  readOnly,
  lines,
  text,
  timestamp,
  timestamps,
  minuteOfDay,
} from "../../../jsonapi/definition/attributes.ts";
import { address, webAddress } from "../../../jsonapi/definition/contact.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import {
  author,
  authorship,
  linkOnly,
  toMany,
  toOne,
} from "../../../jsonapi/definition/relationships.ts";
import type { RowInput } from "../../../jsonapi/definition/input.ts";
import { frequencies, genderCategories, weekday } from "../cells/attributes.ts";
import { multiplicationStatuses } from "./statuses.ts";

const peopleIn = (table: string) =>
  toMany("people", { table, from: "multiplication_id", to: "person_id", required: true });

export const multiplicationFields = {
  attributes: {
    ...timestamps,
    "new-cell": describe(
      example(
        { "name": "Vila Mariana II", "weekday": 4, "starts-at": 1_200 },
        object({
          "name": named(200),
          "description": optional(lines({ maxLength: 10_000 })),
          "category": optional(text({ maxLength: 80 })),
          "gender-category": defaulted(choice(genderCategories)),
          "weekday": optional(weekday()),
          "starts-at": optional(minuteOfDay()),
          "ends-at": optional(minuteOfDay()),
          "frequency": defaulted(choice(frequencies)),
          "address": optional(address()),
          "online-url": optional(webAddress()),
        }),
      ),
      { description: "Members that are left out default to the values of the parent cell." },
    ),
    "note": optional(lines({ maxLength: 2_000 })),
    "status": describe(defaulted(choice([...multiplicationStatuses, "approved"])), {
      onlyChanged: true,
      alsoWritableWith: ["cell-multiplications:approve"],
      description:
        "Set it to `approved` to carry out the multiplication, which returns `done`, or to `rejected`.",
    }),
    "decline-reason": describe(optional(text({ maxLength: 500 })), {
      onlyChanged: true,
      alsoWritableWith: ["cell-multiplications:approve"],
    }),
    "decided-at": readOnly(optional(timestamp())),
  },
  relationships: {
    ...authorship,
    "parent-cell": toOne("cells", {
      column: "parent_cell_id",
      required: true,
      onlyCreated: true,
    }),
    "members": peopleIn("cell_multiplication_members"),
    "leaders": peopleIn("cell_multiplication_leaders"),
    "resulting-cell": linkOnly(toOne("cells", { column: "resulting_cell_id" })),
    "decided-by": author("decided_by"),
  },
};

export type MultiplicationFields = typeof multiplicationFields;

/** The attributes that a proposal gives the new cell. */
export type NewCell = NonNullable<RowInput<MultiplicationFields>["attributes"]["new-cell"]>;
