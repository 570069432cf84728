import { fullAdministrator } from "../../access/policy.ts";
import {
  choice,
  computed,
  decimal,
  defaulted,
  describe,
  example,
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
import { type Resource, resource, type WriteContext } from "../../jsonapi/definition/resource.ts";
import { named } from "../../jsonapi/definition/names.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { type RequestedChange, requestedChange, isChosenStatus } from "./requested-change.ts";
import {
  effectiveHealthSql,
  hoursSql,
  lastFailureSql,
  ofHealth,
  verificationSql,
} from "./endpoint-expressions.ts";
import { endpointStatuses, pauseReasons } from "./endpoint-lifecycle.ts";
import { assertHostUsable, urlMistake, urlTaken } from "./endpoint-url.ts";
import type { WebhookParts } from "../parts.ts";
import { revealing } from "./reveal-secret.ts";
import { suppressRemaining } from "./suppress-remaining.ts";
import { updateEndpoint } from "./update-endpoint.ts";
import { linkOnly, toMany } from "../../jsonapi/definition/relationships.ts";

/** The service has no wildcard, so clients that send `*` are shown where the names are. */
const eventTypeName = (eventTypes: readonly string[]) =>
  choice(eventTypes, {
    title: "WebhookEventName",
    description: "the name of an event type. `GET /v1/webhook-event-types` lists them",
  });

const shownStatuses = Object.keys(endpointStatuses).filter((status) => status !== "deleted");

export const webhookEndpoints = (parts: WebhookParts, eventTypes: readonly string[]): Resource =>
  resource({
    type: "webhook-endpoints",
    description: "An HTTPS address that receives events as they happen.",
    table: "webhook_endpoints",
    rows: "webhook_endpoints.status <> 'deleted'",
    callers: "webhook-management",
    pageSize: webhookLimits.pageSizeDefault,
    versionTag: "webhook-endpoint",
    idOptional: true,

    attributes: {
      "created-at": readOnly(timestamp()),
      "updated-at": describe(readOnly(timestamp()), { column: "modified_at" }),

      "name": example("CRM", optional(named(webhookLimits.endpointNameLengthMax))),
      "url": describe(
        text({
          minLength: 1,
          maxLength: webhookLimits.urlLengthMax,
          examples: ["https://crm.example.org/hooks/vestry"],
        }),
        {
          redacted: true,
          check: (url) => (typeof url === "string" ? urlMistake(url, parts) : undefined),
          example: "https://example.com/hooks/vestry",
          description:
            "HTTPS, without credentials and fragment. The host must resolve to public addresses only. An update that names `url`, even with the same value, replaces the secret and requires a new verification.",
        },
      ),
      "events": {
        ...list(eventTypeName(eventTypes), {
          minItems: 1,
          maxItems: eventTypes.length,
          uniqueItems: true,
        }),
        storage: "texts",
        example: ["person.created", "person.updated"],
        description:
          "The event types that the endpoint receives. `GET /v1/webhook-event-types` lists them all.",
      },
      "status": describe(defaulted(choice(shownStatuses)), {
        onlyChanged: true,
        check: (status) =>
          isChosenStatus(status) ? undefined : { rule: "one-of", allowed: ["active", "paused"] },
        description:
          "An update can set `paused` or `active`, as its only attribute. A new endpoint becomes active when it is verified.",
      }),
      "pause-reason": describe(readOnly(optional(choice(Object.keys(pauseReasons)))), {
        description: `${Object.entries(pauseReasons)
          .map(([reason, means]) => `\`${reason}\`: ${means}`)
          .join(". ")}. Null unless the endpoint is paused.`,
      }),
      "effective-health": describe(
        computed(
          choice(["pending-verification", "paused", "healthy", "degraded", "failing"]),
          effectiveHealthSql,
        ),
        {
          description: `The status, unless it is \`active\`. Otherwise \`healthy\` without failed attempts, \`degraded\` with consecutive failed attempts, and \`failing\` from ${webhookLimits.failingFromFailures} of them.`,
        },
      ),

      "configuration-version": describe(readOnly(integer()), {
        column: "version",
        description:
          "Increases with each change of the configuration or the status. The ETag contains it, and a verification request names it.",
      }),
      "destination-version": describe(readOnly(integer()), {
        description: "Increases whenever an update names `url`, even with the same value.",
      }),
      "verified-destination-version": describe(readOnly(optional(integer())), {
        description:
          "The last verified destination. If it differs from `destination-version`, the current destination is not verified.",
      }),
      "verified-at": describe(readOnly(optional(timestamp())), {
        description: "The time of the last verification of the current destination, or null.",
      }),
      "secret-generation": describe(readOnly(integer()), {
        description:
          "The number of the current secret. It increases with each rotation and whenever an update names `url`. A rotation request names it.",
      }),

      "previous-secret-valid-until": describe(
        computed(
          optional(timestamp()),
          "case when webhook_endpoints.secret_overlap_until > now() then webhook_endpoints.secret_overlap_until end",
        ),
        {
          description:
            "The end of the overlap after a rotation, during which the previous secret signs too. Null without an overlap.",
        },
      ),
      "verification": describe(computed(optional(verification), verificationSql), {
        onRequest: true,
        description:
          "The newest verification of the last 30 days, or null. Sent if `fields` names it.",
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
            "Consecutive failed attempts of events. A success, a resumption and a new URL reset it to 0.",
        },
      ),
      "last-production-failure": describe(
        computed(
          optional(object({ code: text({ maxLength: 40 }), message: text({ maxLength: 500 }) })),
          lastFailureSql,
        ),
        {
          description:
            "The `error-code` of the last failed attempt of an event, and what to do about it. A success does not clear it. Failures of verifications and tests are in their deliveries.",
        },
      ),
      "metrics": describe(
        computed(
          object({ "24h": windowMetrics(), "7d": windowMetrics() }),
          "webhook_metrics(webhook_endpoints.account_id, webhook_endpoints.id)",
        ),
        {
          description:
            "Production deliveries of the last 24 hours and 7 days, in whole hours that include the current one. `retries` are attempts after the first of a delivery. `succeeded` counts `delivered`, `failed` counts `failed-permanent` and `exhausted`, and `success-rate` is the share of `succeeded` in both: a delivery that succeeds at a retry counts as a success. `attempt-success-rate` is the share of successful attempts in all attempts. Percentiles are estimates, the average is exact. A value is null if there is nothing to measure.",
        },
      ),
      "hours": describe(computed(hours, hoursSql), {
        onRequest: true,
        description:
          "The numbers of `metrics` by hour, oldest first, for the hours of the last 7 days that have any. Sent if `fields` names it.",
      }),
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
        // A creation is never replayed. A client that lost the response finds the endpoint and rotates its secret.
        key: "ignored",
        refuses: ["duplicate-url", "too-many-endpoints", "url-unresolvable"],
        before: async (_context, { attributes }) => {
          await assertHostUsable(attributes.url, parts);
        },
        run: ({ actor, db }, { attributes }) => createEndpoint(db, actor, attributes, parts),
        reveal: revealing(parts),
      },
      update: {
        allow: fullAdministrator,
        description:
          "Send only the attributes to change, because they decide which change it is. `status` alone pauses or resumes the endpoint. `name` and `events` change these. `url`, with or without `name` and `events`, sets a new destination: the service replaces the secret, the endpoint needs a new verification, and the request needs an `Idempotency-Key`. The service rejects a whole endpoint as it was read.",
        refuses: [
          "idempotency-key-required",
          "duplicate-url",
          "url-unresolvable",
          "endpoint-not-verified",
          "endpoint-security-paused",
        ],
        before: async ({ actor, db }, { attributes }, id) => {
          const change = requestedChange(attributes);
          if (change.kind === "destination") await assertHostUsable(change.url, parts);
          else if (id !== undefined && mayTakeMore(change))
            await suppressRemaining(db, actor.accountId, id);
        },
        run: (context, id, { attributes }) =>
          update(context, id, requestedChange(attributes), parts),
        reveal: revealing(parts),
      },
      delete: {
        allow: fullAdministrator,
        run: (context, id) =>
          deleteEndpoint(context.db, context.actor, { id, version: versionOf(context) }),
      },
    },
    constraints: { webhook_endpoints_url_key: urlTaken },
  });

const verification = object({
  "delivery-id": text({ maxLength: 36 }),
  "status": choice(["pending", "succeeded", "failed", "expired"]),
  "attempt-count": integer({ minimum: 0 }),
  "next-attempt-at": optional(timestamp()),
  "last-error-code": optional(text({ maxLength: 40 })),
  "expires-at": timestamp(),
});

const hours = list(
  object({
    "at": timestamp(),
    "attempts": integer({ minimum: 0 }),
    "retries": integer({ minimum: 0 }),
    "succeeded": integer({ minimum: 0 }),
    "failed": integer({ minimum: 0 }),
    "p95-ms": optional(integer({ minimum: 0 })),
  }),
  { maxItems: 168 },
);

function windowMetrics() {
  const milliseconds = () => optional(integer({ minimum: 0 }));
  const count = () => integer({ minimum: 0 });
  return object(
    {
      "attempts": count(),
      "retries": count(),
      "succeeded": count(),
      "failed": count(),
      "success-rate": optional(decimal({ minimum: 0, maximum: 1 })),
      "attempt-success-rate": optional(decimal({ minimum: 0, maximum: 1 })),
      "latency-ms": object({
        average: milliseconds(),
        p50: milliseconds(),
        p95: milliseconds(),
        p99: milliseconds(),
      }),
    },
    "WebhookMetricsWindow",
  );
}

async function update(
  context: WriteContext,
  id: string,
  change: RequestedChange,
  parts: WebhookParts,
) {
  const { actor, db, key } = context;
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

/** A resumed endpoint receives all of its work again, and one with more subscriptions receives work of these types. */
const mayTakeMore = (change: Exclude<RequestedChange, { kind: "destination" }>): boolean =>
  change.kind === "status" ? change.status === "active" : change.events !== undefined;
