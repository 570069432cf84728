import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createMultiplication } from "./create-multiplication.ts";
import { multiplicationFields } from "./fields.ts";
import { multiplicationStatuses } from "./statuses.ts";
import { updateMultiplication } from "./update-multiplication.ts";
import { inTree } from "../tree.ts";
import { isClosed } from "../may.ts";
import { at, caller, inAccount, onRow } from "../../../jsonapi/definition/row-conditions.ts";

const mayApprove = at("cell-multiplications:approve");

/** The leaders of the new cell get rights. */
const mayAppoint = onRow`case when (select cell_type from cells cell
    where cell.account_id = cell_multiplications.account_id and cell.id = cell_multiplications.parent_cell_id) = 'supervision'
  then ${inAccount("role-assignments:write")} else ${at("role-assignments:write")} end`;

const isParentClosed = onRow`exists (select from cells cell where cell.account_id = cell_multiplications.account_id
  and cell.id = cell_multiplications.parent_cell_id and cell.closed_at is not null)`;

/** The proposer, and those who decide about it, change a proposal until it is decided. */
const mayRevise = onRow`cell_multiplications.status = 'proposed' and (cell_multiplications.created_by = ${caller} or ${mayApprove})`;

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
      actsOn: { "parent-cell": { multiply: { refusedIf: { "cell-closed": isClosed } } } },
      run: createMultiplication,
    },
    update: {
      allow: can("cell-multiplications:write", "cell-multiplications:approve"),
      refuses: ["cell-closed", "invalid-transition"],
      changesIf: {
        "new-cell": mayRevise,
        "note": mayRevise,
        "members": mayRevise,
        "leaders": mayRevise,
        "status": onRow`${mayApprove}`,
      },
      run: updateMultiplication,
    },
  },
  actions: {
    approve: {
      sets: { status: "approved" },
      allowedIf: onRow`${mayApprove} and ${mayAppoint}`,
      refusedIf: { "cell-closed": isParentClosed },
    },
    reject: { sets: { status: "rejected" }, allowedIf: onRow`${mayApprove}` },
  },
  place: "parent-cell",
  reach: { cell: column("parent_cell_id") },
});
