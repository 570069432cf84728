import { fullAdministrator } from "../../access/policy.ts";
import {
  anyResource,
  boolean,
  computed,
  describe,
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
import { retained } from "./retained.ts";

const names = () => list(text({ maxLength: 200 }), { maxItems: 1_000 });

const truncation = object({
  "is-truncated": boolean(),
  "omitted-fields": names(),
  "original-bytes": integer({ minimum: 0 }),
});

const merge = object({
  "kept-id": text({ maxLength: 36 }),
  "removed-ids": list(text({ maxLength: 36 }), { maxItems: 5 }),
});

/** An event has the same members as its message, so a receiver can read here what it missed. */
export const webhookEvents = (eventTypes: readonly string[]) =>
  resource({
    type: "webhook-events",
    description: "An event, with the content of its message. The service keeps it for 30 days.",
    table: "webhook_events",
    rows: retained("webhook_events"),
    callers: "webhook-management",
    pageSize: webhookLimits.pageSizeDefault,
    unversioned: true,

    attributes: {
      "event-type": describe(readOnly(text({ maxLength: 100, examples: ["person.updated"] })), {
        description: "The id of a webhook event type.",
      }),
      "occurred-at": readOnly(timestamp()),
      "schema-version": computed(integer({ minimum: 1 }), "1"),
      "cause": describe(readOnly(text({ maxLength: 40, examples: ["api"] })), {
        description: "The cause of the change, for example `ui`, `api` or `system`.",
      }),
      "batch-id": describe(
        computed(optional(text({ maxLength: 36 })), "webhook_events.batch_id::text"),
        {
          description: "Shared by the events of one batch, such as an import.",
        },
      ),
      "expires-at": computed(
        timestamp(),
        `webhook_events.occurred_at + ${webhookLimits.retentionMs} * interval '1 millisecond'`,
      ),
      "changed-fields": describe(
        computed(optional(names()), "to_jsonb(webhook_events.changed_fields)"),
        {
          detailOnly: true,
          description: "The changed members in an `updated` event, otherwise null.",
        },
      ),
      "snapshot": describe(computed(anyResource(), "webhook_events.snapshot"), {
        detailOnly: true,
        description: "The subject after the change, as every reader of the whole account sees it.",
      }),
      "truncation": describe(
        computed(
          truncation,
          "jsonb_build_object('is-truncated', webhook_events.omitted_fields <> '{}'," +
            " 'omitted-fields', webhook_events.omitted_fields, 'original-bytes', webhook_events.snapshot_bytes)",
        ),
        {
          detailOnly: true,
          description:
            "The members that the snapshot lost because of its size, and the original size.",
        },
      ),
      "merge": describe(readOnly(optional(merge)), {
        detailOnly: true,
        description:
          "In a `person.merged` event, the person who remains and those merged into them.",
      }),
    },
    relationships: {},
    references: {
      account: { target: "accounts", column: "account_id" },
      subject: { target: { column: "subject_type" }, column: "subject_id" },
      actor: { target: "people", column: "actor_id" },
    },
    filters: {
      "event-type": { match: "one-of", column: "event_type", values: eventTypes },
      "from": { match: "since", column: "occurred_at" },
      "to": { match: "until", column: "occurred_at" },
    },
    sorts: { "occurred-at": { column: "id" } },
    defaultSort: "-occurred-at",
    operations: { list: fullAdministrator, read: fullAdministrator },
  });
