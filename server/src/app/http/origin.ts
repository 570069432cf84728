/**
 * Cross-origin requests. Pages of the operator's first-party origins may read all answers. Pages of an account's
 * `public-origins` may read its public area. There are no cookies and no `*`, so a page of another origin can neither act
 * for a person nor read answers.
 */
export const exposedHeaders = [
  "ETag",
  "Location",
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Idempotent-Replay",
  "WWW-Authenticate",
  "Content-Disposition",
] as const;

/** Without `X-SVC-API-Token`, because client tokens belong on servers. A page would publish its token. */
const ALLOWED_HEADERS =
  "Accept, Authorization, Content-Disposition, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Range";
const ALLOWED_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
/** Two hours, the maximum in browsers. */
const MAX_AGE_SECONDS = "7200";

const EXPOSED = exposedHeaders.join(", ");

export type Headers = Readonly<Record<string, string>>;

const PREFLIGHT_VARY = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers";

// Every answer depends on the origin, so a cache must store one answer per origin.
const VARY: Headers = { Vary: "Origin" };

/** The headers of every answer, including errors, so that a page can read them. */
export function originHeaders(origin: string | undefined, origins: ReadonlySet<string>): Headers {
  if (origin === undefined || !origins.has(origin)) return VARY;
  return { ...VARY, ...readableFrom(origin) };
}

/** Whether an OPTIONS request is a CORS preflight. Other OPTIONS requests ask for `Allow`. */
export const isPreflight = (method: string, requestedMethod: string | undefined): boolean =>
  method === "OPTIONS" && requestedMethod !== undefined;

/** The headers of the answer to a preflight. For other origins they allow nothing. */
export function preflightHeaders(
  origin: string | undefined,
  origins: ReadonlySet<string>,
): Headers {
  const vary = { Vary: PREFLIGHT_VARY };
  if (origin === undefined || !origins.has(origin)) return vary;
  return {
    ...vary,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Methods": ALLOWED_METHODS,
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": MAX_AGE_SECONDS,
  };
}

/** Lets a page of the origin read the answer. */
export const readableFrom = (origin: string): Headers => ({
  "Access-Control-Allow-Origin": origin,
  "Access-Control-Expose-Headers": EXPOSED,
});

/** The headers of the answer to a preflight of a page that may read the public area of an account. */
export const publicPreflightHeaders = (origin: string): Headers => ({
  "Vary": PREFLIGHT_VARY,
  "Access-Control-Allow-Origin": origin,
  "Access-Control-Allow-Methods": "GET, POST",
  "Access-Control-Allow-Headers": "authorization, content-type",
  "Access-Control-Max-Age": "600",
});

export interface OriginHeaders {
  "origin"?: string | undefined;
  "sec-fetch-site"?: string | string[] | undefined;
  "referer"?: string | undefined;
}

/**
 * The origin of a request. Browsers omit `Origin` in a GET to the page's own origin, so requests of the reference page
 * would look like those of an integration. They send `Sec-Fetch-Site` instead or, without TLS, only `Referer`. A page
 * cannot forge any of these headers.
 */
export function originOf(headers: OriginHeaders, own: string): string | undefined {
  const { origin, referer } = headers;
  if (origin !== undefined) return origin;
  if (headers["sec-fetch-site"] === "same-origin") return own;
  if (headers["sec-fetch-site"] === undefined && referer?.startsWith(`${own}/`)) return own;
  return undefined;
}
