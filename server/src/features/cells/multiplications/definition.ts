import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource, timeSorts } from "../../../jsonapi/definition/resource.ts";
import { createMultiplication } from "./create-multiplication.ts";
import { multiplicationFields } from "./fields.ts";
import { multiplicationStatuses } from "./statuses.ts";
import { updateMultiplication } from "./update-multiplication.ts";
import { inTree } from "../tree.ts";

export const cellMultiplications = resource({
  type: "cell-multiplications",
  description: "The multiplication of a cell into two: proposed by its leaders, then approved.",
  table: "cell_multiplications",
  ...multiplicationFields,
  filters: {
    "parent-cell": { match: "id", column: "parent_cell_id" },
    "status": { match: "one-of", column: "status", values: multiplicationStatuses },
    "tree": inTree("cell_multiplications.parent_cell_id"),
  },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("cell-multiplications:read"),
    read: can("cell-multiplications:read"),
    create: {
      allow: can("cell-multiplications:write"),
      refuses: ["cell-closed"],
      run: createMultiplication,
    },
    update: {
      allow: can("cell-multiplications:write", "cell-multiplications:approve"),
      refuses: ["cell-closed", "invalid-transition"],
      run: updateMultiplication,
    },
  },
  place: "parent-cell",
  reach: { cell: column("parent_cell_id") },
});
