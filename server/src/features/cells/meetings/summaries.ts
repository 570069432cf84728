import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import {
  date,
  describe,
  integer,
  optional,
  readOnly,
} from "../../../jsonapi/definition/attributes.ts";
import { linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { listSummaries, listTotals } from "./list-summaries.ts";
import { inTree } from "../tree.ts";

const count = () => readOnly(integer({ minimum: 0 }));
const percent = () => readOnly(optional(integer({ minimum: 0, maximum: 100 })));

const numbers = {
  "week": readOnly(date()),
  "expected": count(),
  "submitted": count(),
  "held": count(),
  "present": count(),
  "visitors": count(),
  "members": readOnly(optional(integer({ minimum: 0 }))),
  "rate": percent(),
  "attendance-rate": describe(percent(), {
    description: "The percentage of the members of the days of the held meetings who were present.",
  }),
};

const range = {
  "from": { match: "from", column: "last_day" },
  "to": { match: "to", column: "week" },
} as const;

// Pages have numbers. A cursor would need a column that is never null and an id.
const sorts = { week: { column: "week", nullable: true } } as const;

export const cellReportSummaries = resource({
  type: "cell-report-summaries",
  description: "The meetings and reports of a cell in one week.",
  table: "cell_report_summaries",
  unversioned: true,
  attributes: numbers,
  relationships: { cell: linkOnly(toOne("cells", { column: "cell_id", required: true })) },
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "tree": inTree("cell_report_summaries.cell_id"),
    ...range,
  },
  sorts,
  defaultSort: "-week",
  operations: { list: { allow: can("cell-meetings:read"), run: listSummaries } },
  reach: { cell: column("cell_id") },
});

export const cellReportTotals = resource({
  type: "cell-report-totals",
  description:
    "The meetings and reports of all cells in one week, or of those below one supervision.",
  table: "cell_report_totals",
  unversioned: true,
  attributes: numbers,
  relationships: { supervision: linkOnly(toOne("cells", { column: "supervision_id" })) },
  filters: {
    "tree": inTree("cell_report_totals.cell_id"),
    // It groups the rows, and every row matches it.
    "group": {
      match: "one-of",
      column: "(text 'supervision')",
      values: ["supervision"],
      single: true,
    },
    ...range,
  },
  sorts,
  defaultSort: "-week",
  operations: { list: { allow: can("cell-meetings:read"), run: listTotals } },
  reach: { cell: column("cell_id") },
});
