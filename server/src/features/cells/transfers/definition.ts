import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { at, onRow, question } from "../../../jsonapi/definition/row-conditions.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createTransfer } from "./create-transfer.ts";
import { transferFields } from "./fields.ts";
import { asksWhetherMay, asksWhetherOver, takeTransferBack } from "./take-back.ts";

export const cellTransfers = resource({
  type: "cell-transfers",
  description: "The move of people from one cell to another. All of its effects happen together.",
  table: "cell_transfers",
  ...transferFields,
  filters: {
    "cell": {
      match: "within",
      sql: "(cell_transfers.from_cell_id = any($ids) or cell_transfers.to_cell_id = any($ids))",
    },
    "from-cell": { match: "id", column: "from_cell_id" },
    "to-cell": { match: "id", column: "to_cell_id" },
  },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("cell-memberships:read"),
    read: can("cell-memberships:read"),
    create: {
      allow: can("cell-memberships:write"),
      refuses: ["cell-closed", "participant-elsewhere"],
      description:
        "Ends 1 to 100 active memberships of one cell, and begins memberships in `to-cell` with the same roles. Requires `cell-memberships:write` at both cells.",
      actsOn: { "from-cell": { transfer: { allowedIf: onRow`${at("cell-memberships:write")}` } } },
      run: createTransfer,
    },
    delete: {
      allow: can("cell-memberships:write"),
      refuses: ["conflict", "participant-elsewhere"],
      allowedIf: onRow`${question("may-take-back", ["cell-memberships:write"], asksWhetherMay)}`,
      refusedIf: {
        conflict: onRow`${question("is-over", ["cell-memberships:write"], asksWhetherOver)}`,
      },
      run: takeTransferBack,
    },
  },
  place: "to-cell",
  reach: { cell: [column("to_cell_id"), column("from_cell_id")] },
});
