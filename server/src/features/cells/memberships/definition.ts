import { notAllowedHere } from "../../../base/errors.ts";
import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createMembership, alreadyMember } from "./create-membership.ts";
import { membershipFields } from "./fields.ts";
import { cellRoles } from "./roles.ts";
import { isClosed } from "../may.ts";
import { mayChangeRole, mayEnd } from "./may.ts";
import { membershipStatuses } from "./statuses.ts";
import { updateMembership } from "./update-membership.ts";
import { inTree } from "../tree.ts";

export const cellMemberships = resource({
  type: "cell-memberships",
  description: "The membership of a person in a cell. Past memberships are kept.",
  table: "cell_memberships",
  ...membershipFields,
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "tree": inTree("cell_memberships.cell_id"),
    "person": { match: "id", column: "person_id" },
    "cell-role": { match: "one-of", column: "cell_role", values: cellRoles },
    "status": { match: "one-of", column: "status", values: membershipStatuses },
    "joined-since": { match: "from", column: "joined_on" },
  },
  sorts: {
    ...timeSorts,
    "joined-on": { column: "joined_on" },
  },
  defaultSort: "id",
  operations: {
    list: can("cell-memberships:read"),
    read: can("cell-memberships:read"),
    create: {
      allow: can("cell-memberships:write"),
      refuses: ["participant-elsewhere", "cell-closed", "already-exists"],
      actsOn: { cell: { "add-member": { refusedIf: { "cell-closed": isClosed } } } },
      run: createMembership,
    },
    update: {
      allow: can("cell-memberships:write"),
      refuses: ["participant-elsewhere", "invalid-transition"],
      changesIf: { "cell-role": mayChangeRole, "status": mayChangeRole },
      run: updateMembership,
    },
    delete: can("cell-memberships:delete"),
  },
  actions: { end: { sets: { status: "left" }, allowedIf: mayEnd } },
  place: "cell",
  reach: { cell: column("cell_id"), self: column("person_id") },
  captures: { created: "cell-membership.created", updated: "cell-membership.updated" },
  constraints: {
    cell_memberships_active_key: alreadyMember,
    cell_memberships_active_has_not_left: {
      pointer: "/data/attributes/left-on",
      breaks: notAllowedHere("An active membership has neither `left-on` nor `left-reason`."),
    },
    cell_memberships_left_after_joining: {
      pointer: "/data/attributes/left-on",
      breaks: { rule: "not-below", other: "/data/attributes/joined-on" },
    },
  },
});
