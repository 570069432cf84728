import { date, defaulted, describe, timestamps } from "../../../jsonapi/definition/attributes.ts";
import { authorship, linkOnly, toMany, toOne } from "../../../jsonapi/definition/relationships.ts";

export const transferFields = {
  attributes: {
    ...timestamps,
    "transferred-on": describe(defaulted(date()), {
      description:
        "The end of the memberships and the beginning of the new ones. Defaults to today.",
    }),
  },
  relationships: {
    ...authorship,
    "memberships": toMany("cell-memberships", {
      table: "cell_transfer_memberships",
      from: "transfer_id",
      to: "membership_id",
      required: true,
    }),
    "from-cell": linkOnly(toOne("cells", { column: "from_cell_id", cascades: true })),
    "to-cell": toOne("cells", { column: "to_cell_id", required: true, onlyCreated: true }),
  },
};

export type TransferFields = typeof transferFields;
