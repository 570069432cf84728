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

/** As the message tells it, member for member: what a receiver missed can be read here instead. */
export const webhookEvents = (eventTypes: readonly string[]) =>
  resource({
    type: "webhook-events",
    description:
      "Something that happened, as endpoints were or were not told of it. Kept for 30 days.",
    table: "webhook_events",
    rows: retained("webhook_events"),
    callers: "webhook-management",
    pageSize: webhookLimits.pageSizeDefault,
    unversioned: true,

    attributes: {
      "event-type": describe(readOnly(text({ maxLength: 100, examples: ["person.updated"] })), {
        description: "One of `webhook-event-types`.",
      }),
      "occurred-at": readOnly(timestamp()),
      "schema-version": computed(integer({ minimum: 1 }), "1"),
      "cause": describe(readOnly(text({ maxLength: 40, examples: ["api"] })), {
        description: "By which door the change came: `ui`, `api`, `system` and the like.",
      }),
      "batch-id": describe(
        computed(optional(text({ maxLength: 36 })), "webhook_events.batch_id::text"),
        {
          description: "Shared by what belongs together, such as the records of one import.",
        },
      ),
      "expires-at": computed(
        timestamp(),
        `webhook_events.occurred_at + ${webhookLimits.retentionMs} * interval '1 millisecond'`,
      ),
      "changed-fields": describe(
        computed(optional(names()), "to_jsonb(webhook_events.changed_fields)"),
        { detailOnly: true, description: "Of `*.updated`, and of nothing else." },
      ),
      "snapshot": describe(computed(anyResource(), "webhook_events.snapshot"), {
        detailOnly: true,
        description:
          "The subject as it was afterwards, as anybody who reads the whole church sees it.",
      }),
      "truncation": describe(
        computed(
          truncation,
          "jsonb_build_object('is-truncated', webhook_events.omitted_fields <> '{}'," +
            " 'omitted-fields', webhook_events.omitted_fields, 'original-bytes', webhook_events.snapshot_bytes)",
        ),
        {
          detailOnly: true,
          description: "What the snapshot leaves out for its size, and how large it was.",
        },
      ),
      "merge": describe(readOnly(optional(merge)), {
        detailOnly: true,
        description: "Of `person.merged`: who stays, and who went into them.",
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
    sorts: { "occurred-at": { column: "occurred_at" } },
    defaultSort: "-occurred-at",
    operations: { list: fullAdministrator, read: fullAdministrator },
  });
