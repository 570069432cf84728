import { fullAdministrator } from "../../access/policy.ts";
import { ApiError, problem } from "../../base/errors.ts";
import {
  choice,
  computed,
  decimal,
  defaulted,
  describe,
  integer,
  list,
  object,
  optional,
  readOnly,
  text,
  timestamp,
} from "../../jsonapi/definition/attributes.ts";
import { versionRequired } from "../../jsonapi/request/etag.ts";
import { keyRequired } from "../../jsonapi/request/idempotency.ts";
import {
  type Resource,
  resource,
  type ResourceInput,
  type WriteContext,
} from "../../jsonapi/definition/resource.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { createEndpoint, type NewEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { type EndpointChange, endpointChange, isChosenStatus } from "./endpoint-change.ts";
import { effectiveHealthSql, lastFailureSql, ofHealth } from "./endpoint-expressions.ts";
import { endpointStatuses, pauseReasons } from "./endpoint-lifecycle.ts";
import { assertHostUsable, urlMistake } from "./endpoint-url.ts";
import type { WebhookParts } from "../parts.ts";
import { revealing } from "./reveal-secret.ts";
import { suppressRemaining } from "./suppress-remaining.ts";
import { updateEndpoint } from "./update-endpoint.ts";
import { linkOnly, toMany } from "../../jsonapi/definition/relationships.ts";

/** The service has no wildcard, so clients that send `*` are shown where the names are. */
const eventTypeName = (eventTypes: readonly string[]) =>
  choice(eventTypes, {
    description: "the name of an event type. `GET /v1/webhook-event-types` lists them",
  });

const shownStatuses = Object.keys(endpointStatuses).filter((status) => status !== "deleted");

/** Where a church's events are sent. */
export const webhookEndpoints = (parts: WebhookParts, eventTypes: readonly string[]): Resource =>
  resource({
    type: "webhook-endpoints",
    description: "An HTTPS address of the church's own that is sent events as they happen.",
    table: "webhook_endpoints",
    rows: "webhook_endpoints.status <> 'deleted'",
    callers: "webhook-management",
    pageSize: webhookLimits.pageSizeDefault,
    versionTag: "webhook-endpoint",
    idOptional: true,

    attributes: {
      "created-at": readOnly(timestamp()),
      "updated-at": describe(readOnly(timestamp()), { column: "modified_at" }),

      "name": optional(named(webhookLimits.endpointNameLengthMax)),
      "url": describe(
        text({
          minLength: 1,
          maxLength: webhookLimits.urlLengthMax,
          examples: ["https://crm.example.org/hooks/vestry"],
        }),
        {
          judge: (url) => (typeof url === "string" ? urlMistake(url, parts) : undefined),
          description:
            "HTTPS, without credentials and fragment; its host must resolve to public addresses only. Whenever a change names it, even with the value it has, the secret is replaced and the endpoint has to be verified anew.",
        },
      ),
      "events": {
        ...list(eventTypeName(eventTypes), {
          minItems: 1,
          maxItems: eventTypes.length,
          uniqueItems: true,
        }),
        storage: "texts",
        description: "Which events are sent to it. `GET /v1/webhook-event-types` lists all.",
      },
      "status": describe(defaulted(choice(shownStatuses)), {
        judge: (status) =>
          isChosenStatus(status)
            ? undefined
            : "Can be set to `active` or `paused`, by a PATCH of nothing else.",
        description:
          "`paused` or `active` can be set, as the only attribute of a change. Verification makes an endpoint active first.",
      }),
      "pause-reason": describe(readOnly(optional(choice(Object.keys(pauseReasons)))), {
        description: `${Object.entries(pauseReasons)
          .map(([reason, means]) => `\`${reason}\`: ${means}`)
          .join("; ")}. Null unless it is paused.`,
      }),
      "effective-health": describe(
        computed(
          choice(["pending-verification", "paused", "healthy", "degraded", "failing"]),
          effectiveHealthSql,
        ),
        {
          description: `The status where it is not \`active\`. Otherwise by the failed attempts of events in a row: none, fewer than ${webhookLimits.failingFromFailures}, or more.`,
        },
      ),

      "configuration-version": describe(readOnly(integer()), {
        column: "version",
        description:
          "Grows with each change of what can be set and of the status. The ETag has it, and a verification that is asked for names it.",
      }),
      "destination-version": describe(readOnly(integer()), {
        description: "Grows whenever `url` is set, also to the same one.",
      }),
      "verified-destination-version": describe(readOnly(optional(integer())), {
        description:
          "The destination that answered its challenge last. Other than `destination-version`: the present one has not yet.",
      }),
      "verified-at": describe(readOnly(optional(timestamp())), {
        description: "When the present destination answered its challenge last; null until then.",
      }),
      "secret-generation": describe(readOnly(integer()), {
        description:
          "Which secret signs: grows with each rotation and whenever `url` is set. A rotation that is asked for names it.",
      }),

      "last-production-attempt-at": computed(
        optional(timestamp()),
        ofHealth("health.last_attempt_at"),
      ),
      "last-production-success-at": computed(
        optional(timestamp()),
        ofHealth("health.last_success_at"),
      ),
      "last-production-failure-at": computed(
        optional(timestamp()),
        ofHealth("health.last_failure_at"),
      ),
      "consecutive-production-failures": describe(
        computed(integer({ minimum: 0 }), ofHealth("health.consecutive_failures")),
        {
          description:
            "Failed attempts of events in a row. A success, a resumption and a new URL set it to 0.",
        },
      ),
      "last-production-failure": describe(
        computed(
          optional(object({ code: text({ maxLength: 40 }), message: text({ maxLength: 500 }) })),
          lastFailureSql,
        ),
        {
          description:
            "The last failed attempt of an event: its `error-code`, and what to do about it. It stays after a success. Failed verifications and tests are not here but in their deliveries.",
        },
      ),
      "metrics": describe(
        computed(
          object({ "24h": windowMetrics(), "7d": windowMetrics() }),
          "webhook_metrics(webhook_endpoints.account_id, webhook_endpoints.id)",
        ),
        {
          description:
            "Of the events of the last 24 hours and 7 days, counted by the hour, the one that runs included: attempts, those of them that were not the first, deliveries that succeeded (`delivered`) or failed (`failed-permanent`, `exhausted`), the share of these two that succeeded, and how long the attempts took. What still waits for an attempt is in neither count. Percentiles are estimated within buckets, the average is exact. Null where nothing was measured.",
        },
      ),
    },

    relationships: {
      timeline: linkOnly(
        toMany("webhook-endpoint-changes", {
          table: "webhook_endpoint_changes",
          from: "endpoint_id",
          to: "id",
        }),
      ),
    },

    filters: {
      status: { match: "one-of", column: "status", values: shownStatuses },
    },
    sorts: {
      "created-at": { column: "created_at" },
      "updated-at": { column: "modified_at" },
      "name": { column: "name", nullable: true },
    },
    defaultSort: "created-at",

    operations: {
      list: fullAdministrator,
      read: fullAdministrator,
      create: {
        allow: fullAdministrator,
        // A creation is never answered twice: whoever lost the answer finds the endpoint and rotates its secret.
        key: "ignored",
        before: async (_context, { attributes }) => {
          refuseStatus(attributes);
          await assertHostUsable(attributes.get("url") as string, parts);
        },
        run: ({ actor, db }, { attributes }) =>
          createEndpoint(
            db,
            actor,
            Object.fromEntries(attributes) as unknown as NewEndpoint,
            parts,
          ),
        reveal: revealing(parts),
      },
      update: {
        allow: fullAdministrator,
        before: async ({ actor, db }, { attributes }, id) => {
          const change = endpointChange(attributes);
          if (change.kind === "destination") await assertHostUsable(change.url, parts);
          else if (id !== undefined && mayTakeMore(change))
            await suppressRemaining(db, actor.accountId, id);
        },
        run: (context, id, input) => update(context, id, input, parts),
        reveal: revealing(parts),
      },
      delete: {
        allow: fullAdministrator,
        run: (context, id) =>
          deleteEndpoint(context.db, context.actor, { id, version: versionOf(context) }),
      },
    },
  });

function windowMetrics() {
  const milliseconds = () => optional(integer({ minimum: 0 }));
  const count = () => integer({ minimum: 0 });
  return object({
    "attempts": count(),
    "retries": count(),
    "succeeded": count(),
    "failed": count(),
    "success-rate": optional(decimal({ minimum: 0, maximum: 1 })),
    "latency-ms": object({
      average: milliseconds(),
      p50: milliseconds(),
      p95: milliseconds(),
      p99: milliseconds(),
    }),
  });
}

async function update(
  context: WriteContext,
  id: string,
  { attributes }: ResourceInput,
  parts: WebhookParts,
) {
  const { actor, db, key } = context;
  const change = endpointChange(attributes);
  if (change.kind === "destination" && key === undefined) throw keyRequired();
  const revealed = await updateEndpoint(
    db,
    actor,
    { id, version: versionOf(context) },
    change,
    parts,
  );
  return { id, ...revealed };
}

function versionOf({ expectedVersion }: WriteContext): number {
  if (expectedVersion === undefined) throw versionRequired();
  return expectedVersion;
}

/** A resumed endpoint takes all of its work again, one that subscribes to more what is of these types. */
const mayTakeMore = (change: Exclude<EndpointChange, { kind: "destination" }>): boolean =>
  change.kind === "status" ? change.status === "active" : change.events !== undefined;

function refuseStatus(attributes: ReadonlyMap<string, unknown>): void {
  if (attributes.has("status"))
    throw new ApiError([
      problem("read-only-attribute", "A new endpoint waits for its verification.", {
        pointer: "/data/attributes/status",
      }),
    ]);
}
