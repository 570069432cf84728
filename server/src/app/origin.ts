/**
 * Cross-origin requests: the operator's first-party origins may read answers, nobody else's pages may. There is no `*`
 * and there are no cookies, so a foreign page can neither act for somebody nor see what it was answered.
 */
export const exposedHeaders = [
  "ETag",
  "Location",
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Idempotent-Replay",
] as const;

/** Not `X-SVC-API-Token`: client tokens live on servers, and a page that holds one has published it. */
const ALLOWED_HEADERS =
  "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match";
const ALLOWED_METHODS = "GET, HEAD, POST, PATCH, DELETE, OPTIONS";
/** Two hours: as long as browsers remember at most. */
const MAX_AGE_SECONDS = "7200";

const EXPOSED = exposedHeaders.join(", ");

export type Headers = Readonly<Record<string, string>>;

// The answer depends on the origin, also where it says nothing about it: a cache must not give one the other's.
const VARY: Headers = { Vary: "Origin" };

/** For every answer, errors included, or a page could not read why it was refused. */
export function originHeaders(origin: string | undefined, origins: ReadonlySet<string>): Headers {
  if (origin === undefined || !origins.has(origin)) return VARY;
  return {
    "Vary": "Origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": EXPOSED,
  };
}

/** An OPTIONS request by which a browser asks beforehand; other OPTIONS requests ask for `Allow`. */
export const isPreflight = (method: string, requestedMethod: string | undefined): boolean =>
  method === "OPTIONS" && requestedMethod !== undefined;

/** The headers of the 204 that answers it. To a foreign origin they say nothing, which is no. */
export function preflightHeaders(
  origin: string | undefined,
  origins: ReadonlySet<string>,
): Headers {
  const vary = { Vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers" };
  if (origin === undefined || !origins.has(origin)) return vary;
  return {
    ...vary,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Methods": ALLOWED_METHODS,
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": MAX_AGE_SECONDS,
  };
}

export interface OriginHeaders {
  "origin"?: string | undefined;
  "sec-fetch-site"?: string | string[] | undefined;
  "referer"?: string | undefined;
}

/**
 * The origin a request comes from. Browsers leave `Origin` out of a GET to their own origin; the reference page the
 * service serves would then be taken for an integration. They say so by `Sec-Fetch-Site` instead or, where the page
 * came without TLS, by `Referer` alone. A page cannot set any of the three; a program can set all of them alike.
 */
export function originOf(headers: OriginHeaders, own: string): string | undefined {
  const { origin, referer } = headers;
  if (origin !== undefined) return origin;
  if (headers["sec-fetch-site"] === "same-origin") return own;
  if (headers["sec-fetch-site"] === undefined && referer?.startsWith(`${own}/`)) return own;
  return undefined;
}
