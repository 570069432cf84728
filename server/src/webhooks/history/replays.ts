import { fullAdministrator } from "../../access/policy.ts";
import { invalid } from "../../base/errors.ts";
import { describe, integer, readOnly, timestamp } from "../../jsonapi/definition/attributes.ts";
import {
  resource,
  type ResourceInput,
  type WriteContext,
} from "../../jsonapi/definition/resource.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { replay } from "./replay.ts";
import { toOne } from "../../jsonapi/definition/relationships.ts";

export const webhookReplays = resource({
  type: "webhook-replays",
  description:
    "All failed deliveries that an endpoint was to get in a range of time, once more and as one job.",
  table: "webhook_replays",
  callers: "webhook-management",
  pageSize: webhookLimits.pageSizeDefault,

  attributes: {
    "created-at": readOnly(timestamp()),
    "updated-at": readOnly(timestamp()),
    "from": describe(timestamp(), {
      column: "range_from",
      description: "Deliveries that were made then or later.",
    }),
    "to": describe(timestamp(), {
      column: "range_to",
      description: "Deliveries that were made then or earlier.",
    }),
    "created-count": readOnly(integer({ minimum: 0 })),
    "remaining-count": describe(readOnly(integer({ minimum: 0 })), {
      description: `What was found beyond the ${webhookLimits.deliveriesPerReplay} that one replay makes; ask for another one.`,
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
    create: { allow: fullAdministrator, key: "required", status: 202, run: create },
  },
});

async function create({ actor, db }: WriteContext, { attributes, toOne: linked }: ResourceInput) {
  const [from, to] = [attributes.get("from") as string, attributes.get("to") as string];
  if (Date.parse(from) > Date.parse(to))
    throw invalid("/data/attributes/to", "Must not be before `from`.");
  return { id: await replay(db, actor, { endpointId: linked.get("endpoint") ?? "", from, to }) };
}
