import { fullAdministrator } from "../../access/policy.ts";
import {
  choice,
  integer,
  list,
  object,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { endpointStatuses, pauseReasons } from "./endpoint-lifecycle.ts";
import { endpointChanges } from "./timeline.ts";
import { linkOnly, toOne } from "../../jsonapi/definition/relationships.ts";

const changes = [...new Set(Object.values(endpointChanges))];

/** The timeline of an endpoint. */
export const webhookEndpointChanges = resource({
  type: "webhook-endpoint-changes",
  description: "A change of a webhook endpoint, and the state after it.",
  table: "webhook_endpoint_changes",
  callers: "webhook-management",
  pageSize: webhookLimits.pageSizeDefault,
  unversioned: true,

  attributes: {
    "happened-at": readOnly(timestamp()),
    "change": readOnly(choice(changes)),
    "details": readOnly(
      object({
        "status": choice(Object.keys(endpointStatuses)),
        "pause-reason": optional(choice(Object.keys(pauseReasons))),
        "configuration-version": integer(),
        "destination-version": integer(),
        "secret-generation": integer(),
        "verification-generation": integer(),
        "changed-fields": list(text({ maxLength: 40 }), { maxItems: 10 }),
      }),
    ),
  },

  relationships: {
    endpoint: linkOnly(toOne("webhook-endpoints", { column: "endpoint_id" })),
  },
  // The person who made the change, or null for the service.
  references: { actor: { target: "people", column: "changed_by" } },

  filters: {
    endpoint: { match: "id", column: "endpoint_id" },
    change: { match: "one-of", column: "change", values: changes },
    from: { match: "since", column: "happened_at" },
    to: { match: "until", column: "happened_at" },
  },
  sorts: { "happened-at": { column: "happened_at" } },
  defaultSort: "-happened-at",
  operations: { list: fullAdministrator, read: fullAdministrator },
});
