import { notAllowedHere } from "../../../base/errors.ts";
import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { timeSorts } from "../../../jsonapi/definition/sorts.ts";
import { createJoinRequest } from "./create-join-request.ts";
import { joinRequestFields, requestSources } from "./fields.ts";
import { requestStatuses } from "./statuses.ts";
import { updateJoinRequest } from "./update-join-request.ts";
import { inTree } from "../tree.ts";
import { at, caller, onRow } from "../../../jsonapi/definition/row-conditions.ts";

const mayApprove = at("cell-join-requests:approve");

const isRequester = onRow`${caller} in (cell_join_requests.person_id, cell_join_requests.created_by)`;

export const cellJoinRequests = resource({
  type: "cell-join-requests",
  description: "A request to join a cell, of a person or of somebody with contact data only.",
  table: "cell_join_requests",
  ...joinRequestFields,
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "tree": inTree("cell_join_requests.cell_id"),
    "person": { match: "id", column: "person_id" },
    "status": { match: "one-of", column: "status", values: requestStatuses },
    "source": { match: "one-of", column: "source", values: requestSources },
  },
  sorts: timeSorts,
  defaultSort: "-created-at",
  operations: {
    list: can("cell-join-requests:read"),
    read: can("cell-join-requests:read"),
    create: {
      allow: can("cell-join-requests:write"),
      anyScope: ["cell-join-requests:write"],
      refuses: ["requests-closed", "already-exists", "participant-elsewhere"],
      run: createJoinRequest,
    },
    update: {
      allow: can("cell-join-requests:write", "cell-join-requests:approve"),
      refuses: ["invalid-transition", "already-exists", "participant-elsewhere", "cell-closed"],
      changesIf: { status: onRow`${mayApprove} or ${isRequester}` },
      run: updateJoinRequest,
    },
  },
  actions: {
    accept: { sets: { status: "approved" }, allowedIf: onRow`${mayApprove}` },
    decline: { sets: { status: "declined" }, allowedIf: onRow`${mayApprove}` },
    cancel: {
      sets: { status: "cancelled" },
      allowedIf: onRow`${at("cell-join-requests:write")} and ${isRequester}`,
    },
  },
  place: "cell",
  reach: { cell: column("cell_id"), self: column("person_id") },
  captures: { created: "cell-join-request.created" },
  constraints: {
    cell_join_requests_names_someone: {
      pointer: "/data/attributes/contact",
      breaks: notAllowedHere("A request has either `person` or `contact`."),
    },
    cell_join_requests_pending_key: alreadyExists(
      "/data/relationships/person/data",
      "The person has asked to join this cell. The request is pending.",
    ),
  },
});
