import { personalDataLevels } from "../events/event-types.ts";
import type { Declared } from "../jsonapi/definition/resource.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { EVENT_TYPES, eventTypeAttributes, eventTypeResources } from "../webhooks/index.ts";
import { codesOf, errorsText } from "./error-codes.ts";
import {
  complete,
  constant,
  EXAMPLE_URL,
  type Json,
  object,
  ref,
  schemaRef,
  text,
} from "./json.ts";
import { errorResponse, headersOf, responseRef } from "./responses.ts";

/** The catalog of event types. Its routes are written by hand. */

const levels = Object.entries(personalDataLevels)
  .map(([level, meaning]) => `\`${level}\`: ${meaning}`)
  .join(" ");

/** Not `WebhookEventType`: generators give that name to the member `type` of a `WebhookEvent`. */
const NAME = "WebhookEventTypeResource";

export const eventTypeSchemas: Json = {
  [NAME]: {
    ...complete({
      type: constant(EVENT_TYPES),
      id: schemaRef("WebhookEventName"),
      attributes: complete({
        "description": text,
        "since": { ...text, description: "The first version of the service that has this type." },
        "personal-data-level": {
          ...text,
          enum: Object.keys(personalDataLevels),
          description: `The personal data in the snapshot. ${levels}`,
        },
        "is-captured": {
          type: "boolean",
          description:
            "Whether this version of the service sends the event. It is true for every type.",
        },
        "example": {
          type: "object",
          description: "The message that a receiver gets.",
          additionalProperties: true,
        },
      }),
      links: schemaRef("Links"),
    }),
    description: "A type of event that an endpoint can subscribe to by its id.",
  },
};

export const eventTypeParameters: Json = {
  WebhookEventTypeFields: {
    name: `fields[${EVENT_TYPES}]`,
    in: "query",
    description: `The attributes of ${EVENT_TYPES} to return, instead of all of them.`,
    schema: { type: "array", items: { ...text, enum: [...eventTypeAttributes] } },
    style: "form",
    explode: false,
  },
  WebhookEventTypeSort: {
    name: "sort",
    in: "query",
    description: "The sort order. A minus sign reverses it.",
    schema: { ...text, enum: ["id", "-id"], default: "id" },
  },
};

const fields = ref("parameters", "WebhookEventTypeFields");

const path = `/v1/${EVENT_TYPES}`;
const id = "person.updated";

const answer = (description: string, data: Json, more: Json, shown: Json): Json => ({
  description,
  content: {
    [MEDIA_TYPE]: {
      schema: object({ jsonapi: schemaRef("JsonApi"), data, ...more }, ["jsonapi", "data"]),
      example: { jsonapi: { version: "1.1" }, ...shown },
    },
  },
});

const needs = (kind: "List" | "Read") =>
  `Needs a full administrator.\n\n${errorsText(codesOf(kind, [], ["too-many-included"]))}`;

export function eventTypePaths(declared: Declared): Json {
  const example: Json = {
    type: EVENT_TYPES,
    ...eventTypeResources(declared).get(id),
    links: { self: `${EXAMPLE_URL}${path}/${id}` },
  };
  return {
    [path]: {
      get: {
        tags: [EVENT_TYPES],
        operationId: "listWebhookEventTypes",
        summary: "List webhook event types",
        description: needs("List"),
        security: [{ accessToken: [] }],
        parameters: [
          ref("parameters", "WebhookEventTypeSort"),
          ref("parameters", "PageNumber"),
          ref("parameters", "PageSize"),
          fields,
        ],
        responses: {
          200: answer(
            "A page of event types.",
            { type: "array", items: schemaRef(NAME) },
            { links: schemaRef("PageLinks"), meta: schemaRef("PageMeta") },
            { data: [example], meta: { total: 1, page: 1, size: 100 } },
          ),
          ...errorResponse,
        },
      },
    },
    [`${path}/{id}`]: {
      get: {
        tags: [EVENT_TYPES],
        operationId: "readWebhookEventType",
        summary: "Read a webhook event type",
        description: needs("Read"),
        security: [{ accessToken: [] }],
        parameters: [ref("parameters", "ResourceId"), ref("parameters", "IfNoneMatch"), fields],
        responses: {
          200: {
            ...answer(
              "The event type.",
              schemaRef(NAME),
              { links: schemaRef("Links") },
              { data: example, links: { self: `${EXAMPLE_URL}${path}/${id}` } },
            ),
            ...headersOf("ETag"),
          },
          304: responseRef("NotModified"),
          ...errorResponse,
        },
      },
    },
  };
}

export const eventTypeTag = {
  name: EVENT_TYPES,
  description: "The event types that an endpoint can subscribe to, each with an example message.",
};
