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
import { attempts, attemptsOf, ofLastAttempt } from "./attempts.ts";
import { deliveryOutcomes, type DeliveryState, deliveryStates } from "../engine/transition.ts";
import { retained } from "./retained.ts";
import { type SuppressionReason, suppressionReasons } from "../endpoints/suppression-reasons.ts";
import { linkOnly, toOne } from "../../jsonapi/definition/relationships.ts";

/** A view, because only the queue knows whether a delivery is being processed. */
const table = "webhook_delivery_history";

const states = Object.keys(deliveryStates) as DeliveryState[];
const outcomes = Object.keys(deliveryOutcomes) as (keyof typeof deliveryOutcomes)[];
const reasons = Object.keys(suppressionReasons) as SuppressionReason[];
const kinds = ["production", "verification", "test"] as const;
const controlTypes = ["webhook.verification", "webhook.test"];

/** A delivery id contains the time of its event, so the deliveries of an event are an id range. */
const ofEvents = `${table}.id = any(array(
  select delivery.id from webhook_events event
  cross join lateral (
    select id from webhook_deliveries
    where account_id = $account and id >= history_floor(event.occurred_at)
      and id < history_floor(event.occurred_at + interval '1 millisecond') and message_id = event.id offset 0
  ) delivery
  where event.account_id = $account and event.id = any($ids)))`;

export const webhookDeliveries = (eventTypes: readonly string[]) =>
  resource({
    type: "webhook-deliveries",
    description:
      "The delivery of one event or control message to one endpoint. The service keeps it as long as the event.",
    table,
    rows: retained(table),
    callers: "webhook-management",
    pageSize: webhookLimits.pageSizeDefault,
    unversioned: true,

    attributes: {
      "created-at": readOnly(timestamp()),
      "updated-at": readOnly(timestamp()),
      "expires-at": describe(readOnly(timestamp()), {
        description: "The service makes no attempt after this time.",
      }),
      "kind": readOnly(choice(kinds)),
      "event-type": describe(readOnly(text({ maxLength: 100, examples: ["person.updated"] })), {
        description: "The type of the event, or `webhook.verification` or `webhook.test`.",
      }),
      "status": readOnly(choice(states)),
      "suppression-reason": readOnly(optional(choice(reasons))),
      "attempt-count": describe(readOnly(integer({ minimum: 0 })), {
        description: "The number of finished attempts.",
      }),
      "next-attempt-at": readOnly(optional(timestamp())),
      "last-attempt-at": describe(
        computed(optional(timestamp()), ofLastAttempt(table, "started_at")),
        { description: "The start of the last finished attempt. Null, like its values, before." },
      ),
      "last-http-status": computed(optional(integer()), ofLastAttempt(table, "http_status")),
      "last-error-code": computed(
        optional(text({ maxLength: 40, examples: ["http-503"] })),
        ofLastAttempt(table, "error_code"),
      ),
      "last-duration-ms": computed(
        optional(integer({ minimum: 0 })),
        ofLastAttempt(table, "duration_ms"),
      ),
      "attempts": describe(computed(attempts, attemptsOf(table)), {
        detailOnly: true,
        description: `The ${webhookLimits.attemptsShownMax} most recent attempts, newest first. A failed attempt has an \`error-code\`, and \`error-message\` says what to do about it. \`answer\` is the start of the receiver's answer as text, at most ${webhookLimits.answerTextBytesMax} bytes. It is null if the answer had no body or is no text.`,
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
          state === "processing" ? undefined : `${table}.recorded_status = '${state}'`,
      },
      "outcome": {
        match: "one-of",
        column: "outcome",
        values: outcomes,
        also: (outcome) =>
          `${table}.recorded_status in (${deliveryOutcomes[outcome as keyof typeof deliveryOutcomes]
            .filter((state) => state !== "processing")
            .map((state) => `'${state}'`)
            .join(", ")})`,
      },
      "kind": { match: "one-of", column: "kind", values: kinds },
      "from": { match: "since", column: "created_at" },
      "to": { match: "until", column: "created_at" },
    },
    sorts: { "created-at": { column: "created_at" } },
    defaultSort: "-created-at",
    operations: { list: fullAdministrator, read: fullAdministrator },
  });
