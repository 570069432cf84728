import type { Headers } from "./origin.ts";

/**
 * What every answer tells browsers: this is data, to be neither guessed at, nor framed, nor embedded by other sites.
 * A page the service serves (the reference) replaces the Content-Security-Policy with one of its own.
 */
export function securityHeaders(publicUrl: string): Headers {
  return {
    "X-Content-Type-Options": "nosniff",
    // Within the service a page's address may be told: it is how a GET over plain HTTP says whose page it comes from.
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    // Over plain HTTP browsers ignore it, and an operator's other sites are none of our business: no subdomains.
    ...(publicUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000" }),
  };
}

export const cacheControl = {
  /** What a caller was shown for who they are: a browser may keep it, and asks each time whether it still holds. */
  authenticated: "private, no-cache",
  /** Answers with a token or a secret in them, and errors. */
  never: "no-store",
} as const;
