import { onlyReduced, readOnly, via } from "../../access/reach.ts";
import {
  computed,
  date,
  describe,
  integer,
  object,
  optional,
} from "../../jsonapi/definition/attributes.ts";
import type { Extension } from "../../jsonapi/definition/extension.ts";
import { linkOnly, toMany } from "../../jsonapi/definition/relationships.ts";

const memberships = { table: "cell_memberships", from: "person_id" };
const active = "x.status = 'active'";

const withoutCell = `not exists (select from active_cell_memberships m
  where m.account_id = x.account_id and m.person_id = x.person_id)`;

/** Cells on the records of people. */
export const cellsOfPeople: Extension = {
  attributes: {
    "attendance-summary": describe(
      computed(
        object({
          "last-attended-at": optional(date()),
          "rate-90d": optional(integer({ minimum: 0, maximum: 100 })),
          "absent-streak": integer({ minimum: 0 }),
        }),
        "attendance_summary(people.account_id, people.id)",
      ),
      {
        onRequest: true,
        description:
          "Attendance of cell meetings: the last date, the percentage of the last 90 days, and the consecutive absences.",
      },
    ),
  },
  relationships: {
    "cell-memberships": linkOnly(toMany("cell-memberships", { ...memberships, to: "id" })),
    "cells": linkOnly(
      toMany("cells", { ...memberships, to: "cell_id", where: { status: "active" } }),
    ),
    "leads": linkOnly(
      toMany("cells", {
        ...memberships,
        to: "cell_id",
        where: { status: "active", cell_role: ["leader", "co-leader"] },
      }),
    ),
  },
  filters: {
    "cell": {
      needs: "cell-memberships:read",
      among: "cells",
      match: "related",
      ...memberships,
      to: "cell_id",
      where: active,
    },
    "cell-tree": {
      needs: "cell-memberships:read",
      among: "cells",
      match: "within",
      sql: `people.id in (select m.person_id from cell_ancestors a
        join cell_memberships m on m.account_id = a.account_id and m.cell_id = a.cell_id and m.status = 'active'
        where a.account_id = $account and a.ancestor_id = any($ids))`,
    },
    // Everyone who can read a person can read their `attendance-summary`.
    "absent-streak-min": {
      match: "at-least",
      column: `(select known.absent_streak from person_absences known
        where known.account_id = people.account_id and known.person_id = people.id)`,
      minimum: 1,
      maximum: 1_000,
    },
    "without-cell": {
      needs: "cell-memberships:read",
      match: "exists",
      ...memberships,
      where: active,
      negated: true,
    },
  },
  sorts: {
    "last-attended-at": {
      column: `(select max(attended.date) from cell_attendances attended
        where attended.account_id = people.account_id and attended.person_id = people.id
          and was_present(attended.status))`,
      nullable: true,
      member: "attendance-summary",
    },
  },
  reach: {
    cell: [
      via("cell_memberships", { from: "person_id", to: "cell_id", where: active }),
      onlyReduced(via("recent_cell_memberships", { from: "person_id", to: "cell_id" })),
      // A leader can ask the leaders of the cells above.
      onlyReduced(readOnly(via("cell_supervisors", { from: "person_id", to: "cell_id" }))),
    ],
    // Until a prospect joins a cell, the person who created the record keeps reaching it.
    creator: via("prospects", {
      from: "person_id",
      to: "created_by",
      where: withoutCell,
      former: { ids: "array[gone.created_by]", where: "gone.membership_status = 'prospect'" },
    }),
  },
  reduced: {
    members: ["attendance-summary", "cell-memberships", "cells", "leads"],
    filters: ["cell", "cell-tree", "absent-streak-min", "without-cell"],
  },
};
