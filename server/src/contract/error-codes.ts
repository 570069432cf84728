import type { CallerRoute } from "../access/identify.ts";
import { type Code, codes } from "../base/errors.ts";

/** Which error codes an operation returns. */

const credentials = {
  "data": [
    "cross-site-request",
    "other-person",
    "client-token-missing",
    "client-token-invalid",
    "account-inactive",
    "church-not-approved",
    "integration-not-allowed",
  ],
  "public": [
    "client-token-missing",
    "client-token-invalid",
    "origin-not-allowed",
    "account-inactive",
    "church-not-approved",
    "integration-not-allowed",
  ],
  "webhook-management": [
    "cross-site-request",
    "other-person",
    "client-token-unsupported",
    "origin-not-allowed",
    "account-inactive",
  ],
} as const satisfies Record<CallerRoute | "public", Code[]>;

const queryCodes = ["invalid-parameter", "unknown-parameter"] as const satisfies Code[];

/** The service also parses the body of a request that needs none. */
const bodyCodes = [
  "malformed-json",
  "malformed-document",
  "too-deep",
  "invalid-header",
  "request-timeout",
  "body-too-large",
  "unsupported-media-type",
] as const satisfies Code[];

/** The codes of every operation that needs an access token. The document lists them once. */
export const commonCodes = (callers: keyof typeof credentials): Code[] => [
  "malformed-request",
  "credentials-missing",
  "credentials-invalid",
  ...credentials[callers],
  "forbidden",
  "not-acceptable",
  ...queryCodes,
  ...bodyCodes,
  "rate-limited",
  "headers-too-large",
  "internal",
  "unavailable",
];

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

/** By kind of operation, the codes that are not common to all. */
export const kinds = {
  List: ["too-many-included"],
  Read: ["too-many-included", "not-found"],
  Related: ["too-many-included", "not-found"],
  Linkage: ["not-found"],
  Create: [
    "too-many-included",
    ...members,
    "client-id-unsupported",
    "missing-attribute",
    "missing-relationship",
  ],
  Update: ["too-many-included", ...members, "not-found", "id-mismatch", "stale-version"],
  Delete: ["not-found", "stale-version"],
  Upload: ["too-many-included", "not-found", "stale-version", "file-type-mismatch"],
  LinkageChange: [
    "not-found",
    "stale-version",
    "idempotency-key-reused",
    "invalid-relationship",
    "invalid-text",
  ],
} as const satisfies Record<string, readonly Code[]>;

export type Kind = keyof typeof kinds;

/** The codes of one operation apart from the common ones. */
export const codesOf = (
  kind: Kind,
  more: readonly Code[] = [],
  less: readonly Code[] = [],
): Code[] => [...kinds[kind], ...more].filter((code) => !less.includes(code));

/** `404 not-found · 409 stale-version, conflict`, in the order of the statuses. */
export function codesText(resource: readonly Code[]): string {
  const grouped = Map.groupBy(new Set(resource), (code) => codes[code][0]);
  return [...grouped]
    .sort(([a], [b]) => a - b)
    .map(([status, group]) => `${status} ${group.map((code) => `\`${code}\``).join(", ")}`)
    .join(" · ");
}

/** The line of an operation's description that lists its codes. */
export const errorsText = (resource: readonly Code[]): string =>
  resource.length === 0
    ? "Error codes: the common ones."
    : `Error codes: ${codesText(resource)}, and the common ones.`;

/** The same for a linkage route. A third of all operations are linkage routes, so the document lists their codes once. */
export const linkageErrorsText = (more: readonly Code[] = []): string =>
  `Error codes: those of linkage, ${more.length > 0 ? `${codesText(more)}, ` : ""}and the common ones.`;

/** The remedy for each code, for the description of the schema. */
export const remedies: string = Object.entries(codes)
  .map(([code, [status, , remedy]]) => `- \`${code}\` (${status}): ${remedy}`)
  .join("\n");
