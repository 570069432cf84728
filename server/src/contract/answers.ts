import type { CallerRoute } from "../access/identify.ts";
import { type Code, codes } from "../base/errors.ts";
import { errorTypeUrl } from "./error-pages.ts";
import { MEDIA_TYPE } from "../jsonapi/request/media-type.ts";
import { EXAMPLE_URL, type Json, ref, schemaRef } from "./schemas.ts";

const said = (description: string, example: string): Json => ({
  description,
  schema: { type: "string" },
  example,
});

/** Headers of answers, by their names. */
export const headers = {
  "X-Request-Id": said(
    "The id of the request, as in the log and in `meta.request-id` of each error.",
    "01980e5c-4a00-7000-8000-0000000000ff",
  ),
  "RateLimit-Policy": said(
    "The quotas that count this request: `q` requests in `w` seconds.",
    '"user";q=300;w=20',
  ),
  "RateLimit": said(
    "What is left of them: `r` requests in the `t` seconds to come.",
    '"user";r=299;t=20',
  ),
  "ETag": said(
    "The version of the resource and of this very answer, for `If-Match` and `If-None-Match`.",
    '"3-q2X0p9cJ4mB1sT7u"',
  ),
  "Location": said(
    "The address of the new resource.",
    `${EXAMPLE_URL}/v1/people/01980e5c-4a00-7000-8000-000000000002`,
  ),
  "Idempotent-Replay": said("`true` when an earlier answer to the same key is repeated.", "true"),
  "Retry-After": said("Seconds to wait before the next try.", "1"),
  "WWW-Authenticate": said("The scheme that is missing.", 'Bearer realm="vestry"'),
} satisfies Json;

type HeaderName = keyof typeof headers;

const refs = (...names: HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, ref("headers", name)]));

export const headersOf = (...names: HeaderName[]): Json =>
  refs("X-Request-Id", "RateLimit-Policy", "RateLimit", ...names);

/** Of answers to requests that rate limits do not count. */
export const uncountedHeadersOf = (...names: HeaderName[]): Json => refs("X-Request-Id", ...names);

export const errorSchema: Json = {
  type: "object",
  required: ["errors"],
  properties: {
    errors: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["id", "links", "status", "code", "title", "detail", "meta"],
        properties: {
          id: { type: "string", description: "Unique to this error." },
          links: {
            type: "object",
            required: ["type"],
            properties: {
              type: { type: "string", format: "uri", description: "Documentation of the code." },
            },
          },
          status: { type: "string", pattern: "^[45]\\d\\d$" },
          code: {
            type: "string",
            enum: Object.keys(codes),
            description: "Stable: branch on it. Titles and details may change their words.",
          },
          title: { type: "string" },
          detail: { type: "string" },
          source: {
            type: "object",
            properties: {
              pointer: { type: "string", description: "A JSON Pointer into the request's body." },
              parameter: { type: "string" },
              header: { type: "string" },
            },
          },
          meta: {
            type: "object",
            required: ["request-id"],
            additionalProperties: true,
            properties: {
              "request-id": { type: "string", description: "The value of `X-Request-Id`." },
            },
          },
        },
      },
    },
  },
};

/** What the callers of a route may be refused for, whoever they are otherwise. */
const ofCallers = {
  "data": [
    "client-token-missing",
    "client-token-invalid",
    "account-inactive",
    "church-not-approved",
    "integration-not-allowed",
  ],
  "webhook-management": ["client-token-unsupported", "origin-not-allowed", "account-inactive"],
} as const satisfies Record<CallerRoute, Code[]>;

/** What an operation may be refused for, whatever it is about. */
const always = (callers: CallerRoute): Code[] => [
  "malformed-request",
  "credentials-missing",
  "credentials-invalid",
  ...ofCallers[callers],
  "forbidden",
  "not-acceptable",
  "rate-limited",
  "headers-too-large",
  "internal",
  "unavailable",
];

const queries = ["invalid-parameter", "unknown-parameter"] as const satisfies Code[];

const bodies = [
  "malformed-json",
  "malformed-document",
  "too-deep",
  "invalid-header",
  "request-timeout",
  "body-too-large",
  "unsupported-media-type",
] as const satisfies Code[];

const members = [
  "type-mismatch",
  "idempotency-key-reused",
  "invalid-attribute",
  "unknown-attribute",
  "read-only-attribute",
  "invalid-relationship",
  "unknown-relationship",
  "invalid-text",
] as const satisfies Code[];

/** The codes of each kind of operation, beside those that all have. */
const kinds = {
  List: [...queries, "too-many-included"],
  Related: [...queries, "too-many-included", "not-found"],
  Read: [...queries, "too-many-included", "not-found"],
  Linkage: [...queries, "not-found"],
  Create: [
    ...queries,
    "too-many-included",
    ...bodies,
    ...members,
    "client-id-unsupported",
    "missing-attribute",
    "missing-relationship",
  ],
  Update: [
    ...queries,
    "too-many-included",
    ...bodies,
    ...members,
    "not-found",
    "id-mismatch",
    "stale-version",
  ],
  // A body is not needed; one that is sent is read.
  Delete: [...queries, ...bodies, "not-found", "stale-version"],
  LinkageChange: [
    ...queries,
    ...bodies,
    "not-found",
    "stale-version",
    "idempotency-key-reused",
    "invalid-relationship",
    "invalid-text",
  ],
} as const satisfies Record<string, readonly Code[]>;

export type Kind = keyof typeof kinds;

function byStatus(of: readonly Code[]): Map<number, Code[]> {
  const grouped = new Map<number, Code[]>();
  for (const code of new Set(of)) {
    const [status] = codes[code];
    grouped.set(status, [...(grouped.get(status) ?? []), code]);
  }
  return new Map([...grouped].sort(([a], [b]) => a - b));
}

function errorResponse(status: number, of: readonly Code[], withHeaders = headersOf): Json {
  const waits = status === 429 || status === 503;
  return {
    description: of.map((code) => `- \`${code}\`: ${codes[code][2]}`).join("\n"),
    headers: withHeaders(
      ...(waits ? (["Retry-After"] as const) : []),
      ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
    ),
    content: {
      [MEDIA_TYPE]: {
        schema: schemaRef("Errors"),
        examples: Object.fromEntries(of.map((code) => [code, ref("examples", `error.${code}`)])),
      },
    },
  };
}

const codesOf = (kind: Kind, callers: CallerRoute): Code[] => [...always(callers), ...kinds[kind]];

/** The answers most operations share, told once: by status where all kinds agree, else by kind and status. */
export function commonResponses(callers: ReadonlySet<CallerRoute>): Json {
  const responses: Json = {};
  for (const route of callers)
    for (const kind of Object.keys(kinds) as Kind[])
      for (const [status, group] of byStatus(codesOf(kind, route)))
        responses[responseName(kind, status, route)] = errorResponse(status, group);
  return responses;
}

function responseName(kind: Kind, status: number, callers: CallerRoute): string {
  const said = (of: readonly Code[]) => String(byStatus(of).get(status));
  const own = said(codesOf(kind, callers));
  const name = `${own === said(always(callers)) ? "" : kind}Error${status}`;
  return own === said(codesOf(kind, "data")) ? name : `Management${name}`;
}

export interface Refusals {
  kind: Kind;
  callers: CallerRoute;
  /** The codes of this one operation: its constraints, and what is written by hand for it. */
  more: readonly Code[];
  /** What operations of the kind are refused for otherwise, and this one is not. */
  less: readonly Code[];
}

export function errorsOf({ kind, callers, more, less }: Refusals): Json {
  const own = byStatus([...codesOf(kind, callers), ...more].filter((code) => !less.includes(code)));
  const different = byStatus([...more, ...less]);
  return Object.fromEntries(
    [...own].map(([status, of]) => [
      String(status),
      different.has(status)
        ? errorResponse(status, of)
        : ref("responses", responseName(kind, status, callers)),
    ]),
  );
}

/** Errors of an operation that is no kernel's: written out, since nothing else shares them. */
export const errorsWith = (of: readonly Code[], withHeaders = headersOf): Json =>
  Object.fromEntries(
    [...byStatus(of)].map(([status, group]) => [
      String(status),
      errorResponse(status, group, withHeaders),
    ]),
  );

/** One error document for each code. */
export const errorExamples: Json = Object.fromEntries(
  Object.entries(codes).map(([code, [status, title, remedy]]) => [
    `error.${code}`,
    {
      summary: title,
      value: {
        errors: [
          {
            id: "01980e5c-4a00-7000-8000-0000000000fe",
            links: { type: errorTypeUrl(EXAMPLE_URL, code) },
            status: String(status),
            code,
            title,
            detail: remedy,
            ...sourceExample(remedy),
            meta: { "request-id": "01980e5c-4a00-7000-8000-0000000000ff" },
          },
        ],
      },
    },
  ]),
);

function sourceExample(remedy: string): Json {
  const kind = /`source\.(pointer|parameter|header)`/.exec(remedy)?.[1];
  const examples: Record<string, string> = {
    pointer: "/data/attributes/name",
    parameter: "page[size]",
    header: "Idempotency-Key",
  };
  return kind === undefined ? {} : { source: { [kind]: examples[kind] } };
}
