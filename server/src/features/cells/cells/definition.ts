import { notAllowedHere } from "../../../base/errors.ts";
import { can } from "../../../access/policy.ts";
import { column, readOnly as readOnlyPath, via } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { onRow } from "../../../jsonapi/definition/row-conditions.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { deleteCell } from "./delete-cell.ts";
import { createCell } from "./create-cell.ts";
import {
  cellFields,
  cellStatuses,
  cellTypes,
  lastMeeting,
  membersCount,
  status,
} from "./fields.ts";
import { updateCell } from "./update-cell.ts";
import { inTree } from "../tree.ts";
import { customValuesSize } from "../../../jsonapi/definition/custom-fields.ts";

export const cells = resource({
  type: "cells",
  description: "A small group, or a supervision of several.",
  table: "cells",

  ...cellFields,

  filters: {
    "q": { match: "search", text: { table: "cells", from: "id", column: "search_words" } },
    "name": { match: "contains", column: "name_folded" },
    "status": { match: "one-of", column: status, values: cellStatuses },
    "is-active": { match: "boolean", column: `(${status} in ('active', 'in-recess'))` },
    "cell-type": { match: "one-of", column: "cell_type", values: cellTypes },
    "level": { match: "number", column: "level", minimum: 0, maximum: 5 },
    "parent": { match: "id", column: "parent_id", orNone: true },
    "tree": inTree("cells.id"),
    "leader": {
      match: "related",
      table: "cell_memberships",
      from: "cell_id",
      to: "person_id",
      where: "x.status = 'active' and is_leading_role(x.cell_role)",
    },
    "weekday": { match: "number", column: "weekday", minimum: 0, maximum: 6 },
    "category": { match: "equals-text", column: "category", by: "fold" },
    "city": { match: "equals-text", column: "(cells.address ->> 'city')", by: "fold" },
    "neighborhood": {
      match: "equals-text",
      column: "(cells.address ->> 'neighborhood')",
      by: "fold",
    },
    "is-public": { match: "boolean", column: "is_public" },
    "near": {
      match: "near",
      latitude: "(cells.address ->> 'latitude')::float8",
      longitude: "(cells.address ->> 'longitude')::float8",
      kilometersMax: 500,
    },
    "without-leader": {
      match: "exists",
      table: "cell_memberships",
      from: "cell_id",
      where: "x.status = 'active' and x.cell_role = 'leader'",
      negated: true,
    },
    "report-overdue": {
      match: "exists",
      table: "cell_meetings",
      from: "cell_id",
      where:
        "x.status = 'scheduled' and report_status(x.account_id, x.status, x.date, x.ends_at, x.submitted_at) = 'overdue'",
    },
  },
  sorts: {
    "name": { column: "name_folded" },
    "weekday": { column: "weekday", nullable: true },
    "members-count": { column: membersCount, nullable: true },
    "last-meeting-on": { column: lastMeeting, nullable: true },
    ...timeSorts,
  },
  defaultSort: "name",

  operations: {
    list: can("cells:read"),
    read: can("cells:read"),
    create: { allow: can("cells:write"), run: createCell },
    update: { allow: can("cells:write", "cell-texts:write"), run: updateCell },
    delete: {
      allow: can("cells:delete"),
      refuses: ["cell-has-children"],
      refusedIf: {
        "cell-has-children": onRow`exists (select from cells child
          where child.account_id = cells.account_id and child.parent_id = cells.id)`,
      },
      run: deleteCell,
    },
  },
  place: "parent",
  reach: {
    cell: column("id"),
    self: readOnlyPath(
      via("cell_memberships", {
        from: "cell_id",
        to: "person_id",
        where: "x.status = 'active'",
        through: "cell-memberships",
      }),
    ),
    public: { where: "cells.is_public" },
  },
  reduced: {
    members: [
      "name",
      "description",
      "category",
      "gender-category",
      "age-min",
      "age-max",
      "weekday",
      "starts-at",
      "ends-at",
      "frequency",
      "is-online",
      "join-policy",
      "status",
    ],
    filters: ["is-active", "is-public"],
    fullWith: "cells:read",
  },
  customProperties: true,
  captures: { created: "cell.created", updated: "cell.updated", deleted: "cell.deleted" },
  constraints: {
    cells_level_fits_type: {
      pointer: "/data/attributes/level",
      breaks: notAllowedHere("A `cell` has level 0, and a `supervision` has level 1 to 5."),
    },
    cells_ages_in_order: {
      pointer: "/data/attributes/age-max",
      breaks: { rule: "not-below", other: "/data/attributes/age-min" },
    },
    cells_ends_after_start: {
      pointer: "/data/attributes/ends-at",
      breaks: { rule: "after", other: "/data/attributes/starts-at" },
    },
    cells_recess_ends_after_start: {
      pointer: "/data/attributes/recess-to",
      breaks: { rule: "after", other: "/data/attributes/recess-from" },
    },
    ...customValuesSize("cells"),
    cells_parent_fkey: {
      pointer: "/data",
      code: "cell-has-children",
      detail: "The cell has child cells.",
    },
  },
});
