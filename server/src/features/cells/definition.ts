import { can } from "../../access/policy.ts";
import { column } from "../../access/reach.ts";
import { choice, readOnly, text, timestamp } from "../../jsonapi/definition/attributes.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { authorship, linkOnly, toMany, toOne } from "../../jsonapi/definition/relationships.ts";

/** Cells are small groups. This version reads them, and a later version writes them. */

const times = { "created-at": readOnly(timestamp()), "modified-at": readOnly(timestamp()) };
const timeSorts = {
  "created-at": { column: "created_at" },
  "modified-at": { column: "modified_at" },
};

const cellRoles = [
  "leader",
  "co-leader",
  "trainee",
  "host",
  "secretary",
  "participant",
  "visitor",
] as const;

export const cells = resource({
  type: "cells",
  description: "A small group.",
  table: "cells",
  attributes: { ...times, name: readOnly(text({ maxLength: 200 })) },
  relationships: {
    ...authorship,
    parent: linkOnly(toOne("cells", { column: "parent_id" })),
    children: linkOnly(toMany("cells", { table: "cells", from: "parent_id", to: "id" })),
    memberships: linkOnly(
      toMany("cell-memberships", { table: "cell_memberships", from: "cell_id", to: "id" }),
    ),
  },
  filters: {},
  sorts: { ...timeSorts, name: { column: "name_folded" } },
  defaultSort: "name",
  operations: { list: can("cells:read"), read: can("cells:read") },
  reach: { cell: column("id") },
});

export const cellMemberships = resource({
  type: "cell-memberships",
  description: "The membership of a person in a cell.",
  table: "cell_memberships",
  attributes: {
    ...times,
    "cell-role": readOnly(choice(cellRoles)),
    "status": readOnly(choice(["active", "left"])),
  },
  relationships: {
    ...authorship,
    cell: linkOnly(toOne("cells", { column: "cell_id" })),
    person: linkOnly(toOne("people", { column: "person_id", required: true })),
  },
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "person": { match: "id", column: "person_id" },
    "cell-role": { match: "one-of", column: "cell_role", values: cellRoles },
    "status": { match: "one-of", column: "status", values: ["active", "left"] },
  },
  sorts: timeSorts,
  defaultSort: "id",
  operations: { list: can("cell-memberships:read"), read: can("cell-memberships:read") },
  reach: { self: column("person_id"), cell: column("cell_id") },
  captures: { created: "cell-membership.created" },
});
