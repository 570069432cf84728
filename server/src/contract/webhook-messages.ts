import type { EventExamples } from "../events/event-types.ts";
import { type Attribute, isInEvents } from "../jsonapi/definition/attributes.ts";
import type { Catalogue, Resource } from "../jsonapi/definition/resource.ts";
import { definitionOf } from "../jsonapi/definition/targets.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { exampleOf, TEST_MESSAGE } from "../webhooks/index.ts";
import {
  complete,
  constant,
  type Json,
  nameOf,
  object,
  orNull,
  pascal,
  ref,
  schemaRef,
  text,
} from "./json.ts";
import type { Named } from "./named.ts";
import { snapshotSchemas } from "./schemas.ts";

/** The messages that the service sends to webhook endpoints: those of captured events, and the two control messages. */

const capturedEvents = ({ declared: { eventExamples, events } }: Catalogue) =>
  Object.entries(events)
    .filter(([, { captured }]) => captured)
    .map(([eventType, { description }]) => {
      const [noun = "", verb = ""] = eventType.split(".");
      const name = pascal(noun) + pascal(verb);
      const { type: subject } = eventExamples[noun] as EventExamples[string];
      return { eventType, description, name, subject, verb };
    });

const instant: Json = { type: "string", format: "date-time" };
const count: Json = { type: "integer", minimum: 0 };
const linkage = (type: Json): Json => complete({ data: complete({ type, id: schemaRef("Id") }) });

const message = (data: Json): Json =>
  complete({ jsonapi: schemaRef("MessageJsonApi"), data, meta: schemaRef("MessageMeta") });

const sharedSchemas: Json = {
  MessageJsonApi: complete({ version: constant("1.0") }),
  MessageMeta: complete({
    "delivery-id": schemaRef("Id"),
    "delivery-kind": { ...text, enum: ["production", "verification", "test"] },
    "attempt": { type: "integer", minimum: 1 },
  }),
  EventFacts: complete({
    "occurred-at": instant,
    "schema-version": { type: "integer", minimum: 1 },
    "cause": {
      ...text,
      description: "The cause of the change, for example `ui`, `api`, `import` or `system`.",
    },
    "batch-id": {
      type: ["string", "null"],
      description: "Shared by the events of one batch, such as an import, a closing or a transfer.",
    },
    "changed-fields": {
      type: ["array", "null"],
      items: text,
      description: "The changed members in an `updated` event, otherwise null.",
    },
    "truncation": complete({
      "is-truncated": { type: "boolean" },
      "omitted-fields": { type: "array", items: text },
      "original-bytes": count,
    }),
    "merge": orNull(
      complete({ "kept-id": schemaRef("Id"), "removed-ids": { type: "array", items: text } }),
    ),
  }),
  EventRelationships: complete({
    account: linkage(constant("accounts")),
    subject: linkage(text),
    actor: complete({ data: orNull(complete({ type: constant("people"), id: schemaRef("Id") })) }),
  }),
  SnapshotRelationships: {
    type: "object",
    description: "The linkage of the relationships, by name.",
    additionalProperties: true,
  },
  VerificationAnswer: {
    ...complete({ meta: complete({ challenge: text }) }),
    description: "The challenge from the message, unchanged.",
  },
};

/** A snapshot has the attributes that every reader of the whole account sees. Truncation can remove any of them. */
const isInSnapshot = ([, one]: [string, Attribute]): boolean =>
  !one.detailOnly && !one.onRequest && !one.writeOnly && isInEvents(one);

function snapshot(schemas: Named, resource: Resource): Json {
  const attributes = Object.entries(resource.attributes).filter(isInSnapshot);
  return object(
    {
      type: constant(resource.type),
      id: schemaRef("Id"),
      attributes: object(snapshotSchemas(schemas, resource, attributes)),
      relationships: schemaRef("SnapshotRelationships"),
    },
    ["type", "id", "attributes"],
  );
}

const eventMessage = (eventType: string, shown: Json): Json =>
  message(
    complete({
      type: constant("webhook-events"),
      id: schemaRef("Id"),
      attributes: {
        allOf: [
          schemaRef("EventFacts"),
          complete({ "event-type": constant(eventType), "snapshot": shown }),
        ],
      },
      relationships: schemaRef("EventRelationships"),
    }),
  );

const controlMessage = (controlType: string, more: Json): Json =>
  message(
    complete({
      type: constant("webhook-controls"),
      id: schemaRef("Id"),
      attributes: complete({
        "control-type": constant(controlType),
        "created-at": instant,
        "expires-at": instant,
        "destination-version": count,
        "verification-generation": count,
        ...more,
      }),
    }),
  );

export function messageSchemas(schemas: Named, catalogue: Catalogue): Json {
  const all: Json = { ...sharedSchemas };
  for (const { eventType, name, subject, verb } of capturedEvents(catalogue)) {
    const resource = nameOf(subject);
    const deleted = verb === "deleted";
    if (!deleted)
      all[`${resource}Snapshot`] ??= snapshot(schemas, definitionOf(catalogue, subject));
    const shown = deleted
      ? complete({ type: constant(subject), id: schemaRef("Id") })
      : schemaRef(`${resource}Snapshot`);
    all[`${name}Message`] = eventMessage(eventType, shown);
  }
  all["VerificationMessage"] = controlMessage("webhook.verification", { challenge: text });
  all["TestMessage"] = controlMessage("webhook.test", { message: constant(TEST_MESSAGE) });
  const messages = Object.keys(all).filter((name) => /.Message$/.test(name));
  return {
    ...all,
    WebhookMessage: {
      oneOf: messages.map(schemaRef),
      description:
        "Every message that an endpoint can receive. `event-type` or `control-type` says which one it is.",
    },
  };
}

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: text,
  example,
});

export const messageParameters: Json = {
  WebhookId: header(
    "Webhook-Id",
    "The id of the event or control message. It is the same on every attempt, so receivers use it to ignore duplicates.",
    "01980e5c-4a00-7000-8000-0000000000e0",
  ),
  WebhookTimestamp: header(
    "Webhook-Timestamp",
    "The time of this attempt, in seconds since 1970.",
    "1772357400",
  ),
  WebhookSignature: header(
    "Webhook-Signature",
    "One signature, or two while a secret rotation overlaps, separated by a space. See [Standard Webhooks](https://www.standardwebhooks.com/).",
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  ),
  XSvcDeliveryId: header(
    "X-Svc-Delivery-Id",
    "The id of the delivery. A redelivery has a new one.",
    "01980e5c-4a00-7000-8000-0000000000d0",
  ),
};

const messageHeaders = Object.keys(messageParameters).map((one) => ref("parameters", one));

const TAG = "webhook-messages";

const webhook = (
  { description, name, summary }: { name: string; summary: string; description?: string },
  { example, success }: { example?: unknown; success: Json },
): Json => ({
  post: {
    tags: [TAG],
    operationId: `receive${name}`,
    summary,
    ...(description !== undefined && { description }),
    security: [],
    parameters: messageHeaders,
    requestBody: {
      required: true,
      content: {
        [MEDIA_TYPE]: {
          schema: schemaRef(`${name}Message`),
          ...(example !== undefined && { example }),
        },
      },
    },
    responses: { "2XX": success },
  },
});

const answered: Json = {
  description: "The receiver returns the challenge.",
  content: { "application/json": { schema: schemaRef("VerificationAnswer") } },
};

/**
 * The messages as callbacks of the operation that creates an endpoint. Generators that know no webhooks, or remove the
 * components that only webhooks use, find them here.
 */
export const messageCallbacks: Json = {
  message: {
    "{$request.body#/data/attributes/url}": {
      post: {
        operationId: "receiveMessage",
        summary: "A message for the endpoint.",
        parameters: messageHeaders,
        requestBody: {
          required: true,
          content: { [MEDIA_TYPE]: { schema: schemaRef("WebhookMessage") } },
        },
        responses: { "2XX": answered },
      },
    },
  },
};

const received: Json = { description: "The receiver has the message. The body is ignored." };

export const messageWebhooks = (catalogue: Catalogue): Json => ({
  ...Object.fromEntries(
    capturedEvents(catalogue).map(({ description, eventType, name }) => [
      eventType,
      webhook(
        { name, summary: description },
        {
          ...(eventType === "person.updated" && {
            example: exampleOf(eventType, catalogue.declared.eventExamples),
          }),
          success: received,
        },
      ),
    ]),
  ),
  "webhook.verification": webhook(
    {
      name: "Verification",
      summary: "An endpoint is being verified.",
      description: "The endpoint becomes active when the receiver returns the challenge.",
    },
    { success: answered },
  ),
  "webhook.test": webhook(
    { name: "Test", summary: "A full administrator asked for a test." },
    { success: received },
  ),
});

export const messageTag = {
  name: TAG,
  description:
    "The messages that this version of the service sends to webhook endpoints. See `docs/webhooks.md` for signatures and retries.",
};
