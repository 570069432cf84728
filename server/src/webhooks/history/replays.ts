import { fullAdministrator } from "../../access/policy.ts";
import { invalid } from "../../base/errors.ts";
import { describe, integer, readOnly, timestamp } from "../../jsonapi/definition/attributes.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { createReplay } from "./create-replay.ts";
import { toOne } from "../../jsonapi/definition/relationships.ts";

export const webhookReplays = resource({
  type: "webhook-replays",
  description: "Redelivers all failed deliveries of an endpoint in a time range, as one job.",
  table: "webhook_replays",
  callers: "webhook-management",
  pageSize: webhookLimits.pageSizeDefault,

  attributes: {
    "created-at": readOnly(timestamp()),
    "updated-at": readOnly(timestamp()),
    "from": describe(timestamp(), {
      column: "range_from",
      example: "2026-02-28T00:00:00.000Z",
      description: "The service replays deliveries created at this time or later.",
    }),
    "to": describe(timestamp(), {
      column: "range_to",
      example: "2026-03-01T09:30:00.000Z",
      description: "The service replays deliveries created at this time or earlier.",
    }),
    "created-count": readOnly(integer({ minimum: 0 })),
    "remaining-count": describe(readOnly(integer({ minimum: 0 })), {
      description: `The number of failed deliveries beyond the limit of ${webhookLimits.deliveriesPerReplay} in one replay. Create another replay for them.`,
    }),
  },
  relationships: {
    endpoint: toOne("webhook-endpoints", { column: "endpoint_id", required: true, subject: true }),
  },
  filters: { endpoint: { match: "id", column: "endpoint_id" } },
  sorts: { "created-at": { column: "created_at" } },
  defaultSort: "-created-at",

  operations: {
    list: fullAdministrator,
    read: fullAdministrator,
    create: {
      allow: fullAdministrator,
      key: "required",
      refuses: [
        "not-found",
        "endpoint-not-verified",
        "endpoint-paused",
        "endpoint-security-paused",
        "action-limit-exceeded",
      ],
      status: 202,
      run: async ({ actor, db }, { attributes: { from, to }, toOne: { endpoint } }) => {
        if (Date.parse(from) > Date.parse(to))
          throw invalid("/data/attributes/to", {
            rule: "not-below",
            other: "/data/attributes/from",
          });
        return createReplay(db, actor, { endpointId: endpoint, from, to });
      },
    },
  },
});
