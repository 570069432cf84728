import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { onRow } from "../../../jsonapi/definition/row-conditions.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { isClosed } from "../may.ts";
import { closeCell } from "./close-cell.ts";
import { closingFields, reopeningFields } from "./fields.ts";
import { reopenCell } from "./reopen-cell.ts";

const hasOpenChildren = onRow`exists (select from cells child
  where child.account_id = cells.account_id and child.parent_id = cells.id and child.closed_at is null)`;

const filters = { cell: { match: "id", column: "cell_id" } } as const;

export const cellClosings = resource({
  type: "cell-closings",
  description: "The closing of a cell. All of its effects happen together.",
  table: "cell_closings",
  ...closingFields,
  filters,
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("cells:read"),
    read: can("cells:read"),
    create: {
      allow: can("cells:write"),
      refuses: ["cell-closed", "cell-has-children"],
      description:
        "Ends all memberships. With `moved-to`, the members move there. Also cancels upcoming meetings and declines pending requests. Requires `cell-memberships:write` at `moved-to`.",
      actsOn: {
        cell: {
          close: { refusedIf: { "cell-closed": isClosed, "cell-has-children": hasOpenChildren } },
        },
      },
      run: closeCell,
    },
  },
  place: "cell",
  reach: { cell: column("cell_id") },
});

export const cellReopenings = resource({
  type: "cell-reopenings",
  description: "The reopening of a closed cell. The cell has no members.",
  table: "cell_reopenings",
  ...reopeningFields,
  filters,
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("cells:read"),
    read: can("cells:read"),
    create: {
      allow: can("cells:write"),
      refuses: ["invalid-transition"],
      actsOn: { cell: { reopen: { refusedIf: { "invalid-transition": onRow`not ${isClosed}` } } } },
      run: reopenCell,
    },
  },
  place: "cell",
  reach: { cell: column("cell_id") },
});
