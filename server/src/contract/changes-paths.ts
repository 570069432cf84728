import { limits } from "../base/limits.ts";
import { changeActions } from "../features/journal/changes/rows.ts";
import { followedTypes } from "../features/journal/changes/view.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import type { Catalogue } from "../jsonapi/definition/resource.ts";
import { codesOf, errorsText } from "./error-codes.ts";
import {
  complete,
  constant,
  EXAMPLE_URL,
  type Json,
  object,
  orNull,
  ref,
  schemaRef,
  text,
} from "./json.ts";
import { errorResponse } from "./responses.ts";

/** The feed of changes. Its routes are written by hand, because no other list has positions. */

const id: Json = { ...text, format: "uuid" };
const position = "01980e5c-4a00-7000-8000-000000000000.5f0c8a1e9b3d7246";

export const changesTag = {
  name: "changes",
  description: "The feed of changes: what changed after the point where the caller stopped.",
};

export const changesSchemas: Json = {
  Change: {
    ...complete({
      type: constant("changes"),
      id: { ...text, description: "The position." },
      attributes: complete({
        "action": {
          ...text,
          enum: changeActions,
          description:
            "`entered` and `left` say that the resource is now in the caller's scope, or no longer. Callers of the whole account get `left` for a person who was anonymized.",
        },
        "resource-type": text,
        "resource-id": id,
        "merged-into": { ...orNull(id), description: "The kept person, after a merge." },
        "occurred-at": { ...text, format: "date-time" },
        "changed": {
          type: "array",
          items: text,
          description:
            "The members that changed, for `updated`, without those that the caller does not read.",
        },
        "client": {
          ...orNull(text),
          description: "The integration through which the person worked.",
        },
        "request-id": orNull(id),
      }),
    }),
    description: "A resource that changed in one transaction.",
  },
};

const after = (description: string): Json => ({
  name: "page[after]",
  in: "query",
  description,
  schema: text,
  example: "now",
});

export const changesParameters = (catalogue: Catalogue): Json => ({
  ChangesAfter: after(
    "A position, or `now` for no rows and the present position. Without it, the feed starts at the oldest row that is kept.",
  ),
  ChangesAfterOfStream: after("A position, or `now`. The default is `now`."),
  ChangesSize: {
    name: "page[size]",
    in: "query",
    description: "Rows that follow from another row come on top.",
    schema: {
      type: "integer",
      minimum: 1,
      maximum: limits.changesPageSizeMax,
      default: limits.pageSizeDefault,
    },
  },
  ChangesTypes: {
    name: "filter[types]",
    in: "query",
    description: "The types of the resources. Without it, all that the caller reads.",
    schema: { type: "array", items: { ...text, enum: followedTypes(catalogue) } },
    style: "form",
    explode: false,
  },
  ChangesActions: {
    name: "filter[action]",
    in: "query",
    description: "Rows of these kinds alone.",
    schema: { type: "array", items: { ...text, enum: changeActions } },
    style: "form",
    explode: false,
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The position of the last event, which browsers send when they connect again.",
    schema: text,
  },
});

const parameters = (...names: string[]) => names.map((name) => ref("parameters", name));

const example: Json = {
  type: "changes",
  id: position,
  attributes: {
    "action": "updated",
    "resource-type": "people",
    "resource-id": "01980e5c-4a00-7000-8000-000000000002",
    "merged-into": null,
    "occurred-at": "2026-03-01T09:30:00.000Z",
    "changed": ["occupation"],
    "client": null,
    "request-id": "01980e5c-4a00-7000-8000-000000000003",
  },
};

const gone = ["position-expired", "reach-changed"] as const;

const who =
  "Callers see the changes of the types that they read, in their scope. Commands, computed lists, log-ins and the history of webhooks are not in the feed.";

export const changesPaths: Json = {
  "/v1/changes": {
    get: {
      tags: ["changes"],
      operationId: "listChanges",
      summary: "List changes after a position",
      description: `The rows are in the order of the commits. \`links.next\` leads to the rows after the last one that was read, also when \`is-complete\` is true. ${who}\n\n${errorsText(codesOf("List", gone, ["too-many-included"]))}`,
      parameters: parameters("ChangesAfter", "ChangesSize", "ChangesTypes", "ChangesActions"),
      responses: {
        200: {
          description: "A page of changes.",
          content: {
            [MEDIA_TYPE]: {
              schema: object(
                {
                  jsonapi: schemaRef("JsonApi"),
                  data: { type: "array", items: schemaRef("Change") },
                  links: complete({ next: { ...text, format: "uri" } }),
                  meta: complete({
                    "is-complete": { type: "boolean", description: "False if more rows wait." },
                    "behind": {
                      type: "integer",
                      description: `The number of rows that wait, counted up to ${limits.changesScannedMax}. A caller with a scope may not see all of them.`,
                    },
                  }),
                },
                ["jsonapi", "data", "links", "meta"],
              ),
              example: {
                jsonapi: { version: "1.1" },
                data: [example],
                links: { next: `${EXAMPLE_URL}/v1/changes?page%5Bafter%5D=${position}` },
                meta: { "is-complete": true, "behind": 0 },
              },
            },
          },
        },
        ...errorResponse,
      },
    },
  },
  "/v1/changes/stream": {
    get: {
      tags: ["changes"],
      operationId: "streamChanges",
      summary: "Follow changes as they happen",
      description: `The same rows as events of the type \`change\`, each within a second. The \`id\` of an event is its position. A stream ends after ${limits.streamMsMax / 60_000} minutes and with the token. If the position no longer holds, such as after a change of the rights, its last event is \`gone\` with the code. A person has at most ${limits.streamsPerPerson} streams, and an account at most ${limits.streamsPerAccount} on each node.\n\n${errorsText(codesOf("List", gone, ["too-many-included"]))}`,
      parameters: parameters(
        "ChangesAfterOfStream",
        "ChangesTypes",
        "ChangesActions",
        "LastEventId",
      ),
      responses: {
        200: {
          description: "The stream.",
          content: {
            "text/event-stream": {
              schema: text,
              example: `id: ${position}\nevent: change\ndata: ${JSON.stringify(example)}\n\n`,
            },
          },
        },
        ...errorResponse,
      },
    },
  },
};
