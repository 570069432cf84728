import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { date, integer, optional, readOnly } from "../../../jsonapi/definition/attributes.ts";
import { linkOnly, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { listSummaries } from "./list-summaries.ts";
import { inTree } from "../tree.ts";

const count = () => readOnly(integer({ minimum: 0 }));
const percent = () => readOnly(optional(integer({ minimum: 0, maximum: 100 })));

export const cellReportSummaries = resource({
  type: "cell-report-summaries",
  description: "The meetings and reports of a cell in one week.",
  table: "cell_report_summaries",
  unversioned: true,
  attributes: {
    "week": readOnly(date()),
    "expected": count(),
    "submitted": count(),
    "held": count(),
    "present": count(),
    "visitors": count(),
    "members": readOnly(optional(integer({ minimum: 0 }))),
    "rate": percent(),
    "attendance-rate": percent(),
  },
  relationships: { cell: linkOnly(toOne("cells", { column: "cell_id" })) },
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "tree": inTree("cell_report_summaries.cell_id"),
    "from": { match: "from", column: "last_day" },
    "to": { match: "to", column: "week" },
  },
  // Pages have numbers. A cursor would need a column that is never null and an id.
  sorts: { week: { column: "week", nullable: true } },
  defaultSort: "-week",
  operations: { list: { allow: can("cell-meetings:read"), run: listSummaries } },
  reach: { cell: column("cell_id") },
});
