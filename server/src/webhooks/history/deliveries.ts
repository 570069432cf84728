import { fullAdministrator } from "../../access/policy.ts";
import {
  choice,
  computed,
  describe,
  integer,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { resource } from "../../jsonapi/definition/resource.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { attempts, attemptsOf } from "./attempts.ts";
import { type DeliveryState, deliveryStates } from "../engine/transition.ts";
import { retained } from "./retained.ts";
import { type SuppressionReason, suppressionReasons } from "../endpoints/suppression.ts";
import { linkOnly, toOne } from "../../jsonapi/definition/relationships.ts";

/** A view: whether a delivery is being processed, only the queue knows. */
const table = "webhook_delivery_history";

const states = Object.keys(deliveryStates) as DeliveryState[];
const reasons = Object.keys(suppressionReasons) as SuppressionReason[];
const kinds = ["production", "verification", "test"] as const;
const controlTypes = ["webhook.verification", "webhook.test"];

/** What an event led to has the event's own time in its id: it is found by that range, and not among all of history. */
const ofEvents = `${table}.id = any(array(
  select delivery.id from webhook_events event
  cross join lateral (
    select id from webhook_deliveries
    where account_id = $account and id >= history_floor(event.occurred_at)
      and id < history_floor(event.occurred_at + interval '1 millisecond') and message_id = event.id offset 0
  ) delivery
  where event.account_id = $account and event.id = any($ids)))`;

/** The intention to tell one endpoint one thing, what became of it, and how often it was tried. */
export const webhookDeliveries = (eventTypes: readonly string[]) =>
  resource({
    type: "webhook-deliveries",
    description:
      "One endpoint to be told one thing, and what became of that. Kept as long as the event.",
    table,
    rows: retained(table),
    callers: "webhook-management",
    pageSize: webhookLimits.pageSizeDefault,
    unversioned: true,

    attributes: {
      "created-at": readOnly(timestamp()),
      "updated-at": readOnly(timestamp()),
      "expires-at": describe(readOnly(timestamp()), {
        description: "It is not attempted any more from then on.",
      }),
      "kind": readOnly(choice(kinds)),
      "event-type": describe(readOnly(text({ maxLength: 100, examples: ["person.updated"] })), {
        description: "The event's, or `webhook.verification` or `webhook.test`.",
      }),
      "status": readOnly(choice(states)),
      "suppression-reason": readOnly(optional(choice(reasons))),
      "attempt-count": describe(readOnly(integer({ minimum: 0 })), {
        description: "Attempts that were used up, one under way not among them.",
      }),
      "next-attempt-at": readOnly(optional(timestamp())),
      "attempts": describe(computed(attempts, attemptsOf(table)), {
        detailOnly: true,
        description: `The newest ${webhookLimits.attemptsShownMax}, the newest first. One that failed has an \`error-code\`, and in \`error-message\` what to do about it.`,
      }),
    },
    relationships: {
      "endpoint": linkOnly(toOne("webhook-endpoints", { column: "endpoint_id" })),
      "event": linkOnly(toOne("webhook-events", { column: "event_id" })),
      "origin-delivery": linkOnly(toOne("webhook-deliveries", { column: "origin_delivery_id" })),
    },
    filters: {
      "endpoint": { match: "id", column: "endpoint_id" },
      "event": { match: "within", sql: ofEvents },
      "event-type": {
        match: "one-of",
        column: "event_type",
        values: [...eventTypes, ...controlTypes],
      },
      "status": {
        match: "one-of",
        column: "status",
        values: states,
        single: true,
        also: (state) =>
          state === "processing" ? "" : ` and ${table}.recorded_status = '${state}'`,
      },
      "kind": { match: "one-of", column: "kind", values: kinds },
      "from": { match: "since", column: "created_at" },
      "to": { match: "until", column: "created_at" },
    },
    sorts: { "created-at": { column: "created_at" } },
    defaultSort: "-created-at",
    operations: { list: fullAdministrator, read: fullAdministrator },
  });
