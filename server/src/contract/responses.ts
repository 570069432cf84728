import { codes } from "../base/errors.ts";
import { sentenceOf } from "../base/rules.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import type { Resource } from "../jsonapi/definition/resource.ts";
import { errorTypeUrl } from "./error-pages.ts";
import { remedies } from "./error-codes.ts";
import { ruleMembers, ruleSchemas } from "./error-rules.ts";
import { targetName, withSeveralTypes } from "./several-types.ts";
import { complete, EXAMPLE_URL, type Json, nameOf, object, ref, schemaRef, text } from "./json.ts";

const header = (description: string, example: string, required = true): Json => ({
  description,
  ...(required && { required }),
  schema: text,
  example,
});

/** Response headers by name. A required header is in every response that lists it. */
export const headers = {
  "X-Request-Id": header(
    "The id of the request, as in the log and in `meta.request-id` of each error.",
    "01980e5c-4a00-7000-8000-0000000000ff",
  ),
  "RateLimit-Policy": header(
    "The quotas that count this request: `q` requests in `w` seconds.",
    '"user";q=300;w=20',
    false,
  ),
  "RateLimit": header(
    "The rest of the quotas: `r` requests in the next `t` seconds.",
    '"user";r=299;t=20',
    false,
  ),
  "ETag": header(
    "The version of the resource and of this response, for `If-Match` and `If-None-Match`.",
    '"3-q2X0p9cJ4mB1sT7u"',
  ),
  "Location": header(
    "The address of the new resource.",
    `${EXAMPLE_URL}/v1/people/01980e5c-4a00-7000-8000-000000000002`,
  ),
  "Idempotent-Replay": header(
    "`true` when the service repeats the first response to the same key.",
    "true",
    false,
  ),
  "Retry-After": header("On 429 and 503, the seconds to wait before a retry.", "1", false),
  "WWW-Authenticate": header("On 401, the missing scheme.", 'Bearer realm="vestry"', false),
} satisfies Json;

export type HeaderName = keyof typeof headers;

/** Headers that the document lists once, for the error response and for every other one. */
export const everyResponse = ["X-Request-Id", "RateLimit-Policy", "RateLimit"] as const;

/** The headers of a response beyond those of every response. */
export const headersOf = (...names: HeaderName[]): { headers?: Json } =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, ref("headers", name)])) };

/** Every error response of the document. Which codes an operation returns is in its description. */
export const errorResponse: Json = { default: ref("responses", "ErrorResponse") };

export const errorSchemas: Json = {
  ErrorDocument: complete({
    errors: { type: "array", minItems: 1, items: schemaRef("ErrorObject") },
  }),
  ErrorObject: object(
    {
      id: { type: "string", description: "Unique to this error." },
      links: complete({
        type: { type: "string", format: "uri", description: "Documentation of the code." },
      }),
      status: { type: "string", pattern: "^[45]\\d\\d$" },
      code: schemaRef("ErrorCode"),
      title: text,
      detail: text,
      source: object({
        pointer: { type: "string", description: "A JSON Pointer into the request body." },
        parameter: text,
        header: text,
      }),
      meta: {
        ...object(
          {
            "request-id": { ...text, description: "The value of `X-Request-Id`." },
            ...ruleMembers,
          },
          ["request-id"],
        ),
        additionalProperties: true,
      },
    },
    ["id", "links", "status", "code", "title", "detail", "meta"],
  ),
  ErrorCode: {
    type: "string",
    enum: Object.keys(codes),
    description: `Codes are stable, so branch on them. Titles and details may change.\n\n${remedies}`,
  },
  ...ruleSchemas,
};

export const content = (schema: string, example?: Json): Json => ({
  [MEDIA_TYPE]: { schema: schemaRef(schema), ...(example && { example }) },
});

export const response = (description: string, schema: string, ...more: HeaderName[]): Json => ({
  description,
  ...headersOf(...more),
  content: content(schema),
});

export const noContent = (description: string, ...more: HeaderName[]): Json => ({
  description,
  ...headersOf(...more),
});

const errorExample: Json = {
  errors: [
    {
      id: "01980e5c-4a00-7000-8000-0000000000fe",
      links: { type: errorTypeUrl(EXAMPLE_URL, "invalid-attribute") },
      status: "422",
      code: "invalid-attribute",
      title: codes["invalid-attribute"][1],
      detail: sentenceOf({ rule: "not-blank" }),
      source: { pointer: "/data/attributes/name" },
      meta: { "rule": "not-blank", "request-id": "01980e5c-4a00-7000-8000-0000000000ff" },
    },
  ],
};

export const commonResponses: Json = {
  ErrorResponse: {
    description:
      "An error document. The description of the operation lists its codes, and the schema says what to do about each.",
    ...headersOf(...everyResponse, "Retry-After", "WWW-Authenticate"),
    content: content("ErrorDocument", errorExample),
  },
  NotModified: noContent("Not modified since the response with this ETag.", "ETag"),
  Deleted: noContent("The resource is deleted."),
};

/**
 * The responses of one type; those that no operation uses are removed at the end. Their names are not those of schemas,
 * because `oapi-codegen` makes a Go type of each.
 */
export function responsesOf(resource: Resource): Json {
  const name = nameOf(resource.type);
  const words = resource.type.replaceAll("-", " ");
  return {
    [`${name}DocumentResponse`]: response("The resource.", `${name}Document`, "ETag"),
    [`${name}ListResponse`]: response(`A page of ${words}.`, `${name}List`),
    [`${name}ToManyDocumentResponse`]: response("The linkage.", `${name}ToManyDocument`),
    ...Object.assign(
      {},
      ...[name, ...withSeveralTypes(resource).map(targetName)].map(toOneResponses),
    ),
  };
}

const toOneResponses = (name: string): Json => ({
  [`${name}OrNullDocumentResponse`]: response(
    "The resource, or null.",
    `${name}OrNullDocument`,
    "ETag",
  ),
  [`${name}ToOneDocumentResponse`]: response("The linkage.", `${name}ToOneDocument`),
});

export const responseRef = (name: string): Json => ref("responses", name);
