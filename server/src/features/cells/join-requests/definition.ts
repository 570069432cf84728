import { can } from "../../../access/policy.ts";
import { column } from "../../../access/reach.ts";
import {
  boolean,
  choice,
  defaulted,
  describe,
  example,
  object,
  optional,
  readOnly,
  selfEditable,
  text,
  timestamp,
} from "../../../jsonapi/definition/attributes.ts";
import { email, phoneNumber } from "../../../jsonapi/definition/contact.ts";
import { named } from "../../../jsonapi/definition/names.ts";
import { author, authorship, toOne } from "../../../jsonapi/definition/relationships.ts";
import { resource } from "../../../jsonapi/definition/resource.ts";
import { createJoinRequest } from "./create-join-request.ts";
import { requestStatuses } from "./statuses.ts";
import { updateJoinRequest } from "./update-join-request.ts";

const sources = ["staff", "self", "public"] as const;

export const cellJoinRequests = resource({
  type: "cell-join-requests",
  description: "A request to join a cell, of a person or of somebody with contact data only.",
  table: "cell_join_requests",
  attributes: {
    "created-at": readOnly(timestamp()),
    "modified-at": readOnly(timestamp()),
    "message": example("May I come?", selfEditable(optional(text({ maxLength: 1_000 })))),
    "contact": describe(
      optional(
        object({
          "full-name": named(255),
          "email": optional(email()),
          "phone": optional(phoneNumber()),
        }),
      ),
      {
        onlyCreated: true,
        example: { "full-name": "Ana Lima", "email": "ana@example.org" },
        description:
          "For an unknown person, instead of `person`: a name, and an e-mail address or a telephone number. Deleted 90 days after the decision.",
      },
    ),
    "status": describe(selfEditable(defaulted(choice(requestStatuses))), {
      onlyChanged: true,
      alsoWritableWith: ["cell-join-requests:approve"],
      description:
        "The requester sets `cancelled`. `approved` and `declined` require `cell-join-requests:approve`.",
    }),
    "decline-reason": describe(optional(text({ maxLength: 500 })), {
      onlyChanged: true,
      alsoWritableWith: ["cell-join-requests:approve"],
    }),
    "source": readOnly(choice(sources)),
    "is-confirmed": describe(readOnly(boolean()), {
      description: "Whether the owner of the e-mail address confirmed the request.",
    }),
    "decided-at": readOnly(optional(timestamp())),
  },
  relationships: {
    ...authorship,
    "cell": toOne("cells", { column: "cell_id", required: true, onlyCreated: true }),
    "person": toOne("people", { column: "person_id", cascades: true }),
    "decided-by": author("decided_by"),
  },
  filters: {
    "cell": { match: "id", column: "cell_id" },
    "tree": {
      match: "within",
      sql: `cell_join_requests.cell_id in (select a.cell_id from cell_ancestors a
        where a.account_id = $account and a.ancestor_id = any($ids))`,
    },
    "person": { match: "id", column: "person_id" },
    "status": { match: "one-of", column: "status", values: requestStatuses },
    "source": { match: "one-of", column: "source", values: sources },
  },
  sorts: { "created-at": { column: "created_at" }, "modified-at": { column: "modified_at" } },
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
      run: updateJoinRequest,
    },
  },
  place: "cell",
  reach: { cell: column("cell_id"), self: column("person_id") },
  captures: { created: "cell-join-request.created" },
  constraints: {
    // An open cell takes the person at once, before the request is stored.
    cell_memberships_person_fkey: {
      pointer: "/data/relationships/person/data",
      code: "invalid-relationship",
      detail: "There is no such resource.",
    },
    cell_join_requests_names_someone: {
      pointer: "/data/attributes/contact",
      detail: "A request has either `person` or `contact`.",
    },
    cell_join_requests_pending_key: {
      pointer: "/data/relationships/person/data",
      code: "already-exists",
      detail: "The person has asked to join this cell. The request is pending.",
    },
  },
});
