import type { Headers } from "./origin.ts";

/**
 * Answers are data: browsers must not guess their type, frame them, or embed them in other sites. The reference page
 * replaces the Content-Security-Policy with its own.
 */
export function securityHeaders(publicUrl: string): Headers {
  return {
    "X-Content-Type-Options": "nosniff",
    // `originOf` needs the Referer of the service's own pages over plain HTTP.
    "Referrer-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    // Without includeSubDomains, because an operator may have other sites there. Browsers ignore it over plain HTTP.
    ...(publicUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000" }),
  };
}

export const cacheControl = {
  /** For answers that depend on the caller. A browser may store them but must revalidate each time. */
  authenticated: "private, no-cache",
  /** For answers with a token or a secret, and for errors. */
  never: "no-store",
} as const;
