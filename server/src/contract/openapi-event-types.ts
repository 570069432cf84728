import { personalDataLevels } from "../events/event-types.ts";
import { declared } from "../catalogue.ts";
import { errorsOf, headersOf } from "./answers.ts";
import { EXAMPLE_URL, type Json, ref, schemaRef } from "./schemas.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import {
  EVENT_TYPES,
  eventTypeAttributes,
  eventTypeResources,
} from "../webhooks/history/event-types.ts";

const eventTypes = eventTypeResources(declared);

/** The catalogue of events, whose routes are written by hand. */

const text = (more: Json = {}): Json => ({ type: "string", ...more });
const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: "object",
  required,
  properties,
});

const levels = Object.entries(personalDataLevels)
  .map(([level, meaning]) => `\`${level}\`: ${meaning}`)
  .join(" ");

const schema: Json = {
  ...object({
    type: text({ const: EVENT_TYPES }),
    id: text({ enum: [...eventTypes.keys()] }),
    // None is required: `fields` leaves out what it does not name.
    attributes: object(
      {
        "description": text(),
        "since": text({ description: "The version of the service that first had it." }),
        "personal-data-level": text({
          enum: Object.keys(personalDataLevels),
          description: `How much the snapshot tells about a person. ${levels}`,
        }),
        "is-captured": {
          type: "boolean",
          description:
            "Whether this version of the service sends it. The others can be subscribed to already; what they are about is not served yet.",
        },
        "example": {
          type: "object",
          description: "A message as a receiver gets it.",
          additionalProperties: true,
        },
      },
      [],
    ),
    links: schemaRef("Links"),
  }),
  description: "A kind of event that an endpoint can subscribe to, by its id.",
};

const fields: Json = {
  name: `fields[${EVENT_TYPES}]`,
  in: "query",
  description: `The attributes of ${EVENT_TYPES} to show; all without it.`,
  schema: { type: "array", items: text({ enum: [...eventTypeAttributes] }) },
  style: "form",
  explode: false,
};

const answer = (description: string, data: Json, more: Json, example: Json): Json => ({
  description,
  headers: headersOf(),
  content: {
    [MEDIA_TYPE]: {
      schema: object({ jsonapi: schemaRef("JsonApi"), data, ...more }),
      example: { jsonapi: { version: "1.1" }, ...example },
    },
  },
});

const refused = (kind: "List" | "Read") =>
  errorsOf({ kind, callers: "webhook-management", more: [], less: ["too-many-included"] });

const path = `/v1/${EVENT_TYPES}`;
const id = "person.updated";
const example: Json = {
  type: EVENT_TYPES,
  ...eventTypes.get(id),
  links: { self: `${EXAMPLE_URL}${path}/${id}` },
};
const page = `${EXAMPLE_URL}${path}?page%5Bnumber%5D=1&page%5Bsize%5D=100`;

export const eventTypeSchemas: Json = { WebhookEventType: schema };

export const eventTypePaths: Json = {
  [path]: {
    get: {
      tags: [EVENT_TYPES],
      operationId: "listWebhookEventTypes",
      summary: "List webhook event types",
      description: "Needs a full administrator. All of them stand on one page.",
      security: [{ accessToken: [] }],
      parameters: [
        {
          name: "sort",
          in: "query",
          description: "By id; a minus turns it round.",
          schema: text({ enum: ["id", "-id"], default: "id" }),
        },
        ref("parameters", "PageNumber"),
        ref("parameters", "PageSize"),
        fields,
      ],
      responses: {
        200: answer(
          "What there is to subscribe to.",
          { type: "array", items: schemaRef("WebhookEventType") },
          { links: schemaRef("PageLinks"), meta: schemaRef("PageMeta") },
          {
            data: [example],
            meta: { total: 1, page: 1, size: 100 },
            links: { self: page, first: page, prev: null, next: null, last: page },
          },
        ),
        ...refused("List"),
      },
    },
  },
  [`${path}/{id}`]: {
    get: {
      tags: [EVENT_TYPES],
      operationId: "readWebhookEventType",
      summary: "Read a webhook event type",
      description: "Needs a full administrator.",
      security: [{ accessToken: [] }],
      parameters: [
        { name: "id", in: "path", required: true, description: "Its name.", schema: text() },
        ref("parameters", "IfNoneMatch"),
        fields,
      ],
      responses: {
        200: {
          ...answer(
            "The type.",
            schemaRef("WebhookEventType"),
            { links: schemaRef("Links") },
            { data: example, links: { self: `${EXAMPLE_URL}${path}/${id}` } },
          ),
          headers: headersOf("ETag"),
        },
        304: { description: "It is as `If-None-Match` knows it.", headers: headersOf("ETag") },
        ...refused("Read"),
      },
    },
  },
};

export const eventTypeTag = {
  name: EVENT_TYPES,
  description: "What an endpoint can subscribe to, with an example of each message.",
};
