import type { IncomingHttpHeaders } from "node:http";
import { fail } from "../base/errors.ts";

/** The origins of the service's own pages. On a local installation, pages may be opened with localhost or 127.0.0.1. */
export function ownOrigins(publicUrl: string): string[] {
  const { hostname, origin, port, protocol } = new URL(publicUrl);
  return hostname === "localhost"
    ? [origin, `${protocol}//127.0.0.1${port && `:${port}`}`]
    : [origin];
}

interface CookieRequest {
  method: string;
  headers: IncomingHttpHeaders;
}

/**
 * The cookie of a browser session. A browser also sends it with requests that pages of other sites cause, so it counts only in
 * requests that a page of the service's own origin has sent. See docs/decisions/0035.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #deviceName: string;
  readonly #attributes: string;
  readonly #origins: ReadonlySet<string>;

  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith("https:");
    // Browsers let only this host set a cookie with the prefix `__Host-`, and only over TLS.
    this.#name = isSecure ? "__Host-vestry" : "vestry";
    this.#deviceName = `${this.#name}-device`;
    this.#attributes = `HttpOnly; ${isSecure ? "Secure; " : ""}SameSite=Strict; Path=/`;
    this.#origins = new Set(ownOrigins(publicUrl));
  }

  /** The token in the cookie, unless the request has other credentials. */
  tokenIn({ headers }: CookieRequest): string | undefined {
    const { authorization, cookie } = headers;
    if (cookie === undefined || authorization !== undefined) return undefined;
    if (headers["x-svc-api-token"] !== undefined) return undefined;
    return valueIn(cookie, this.#name);
  }

  /** The cookie of a browser that has logged in before. It outlives the session. */
  deviceIn({ headers: { cookie } }: Pick<CookieRequest, "headers">): string | undefined {
    return cookie === undefined ? undefined : valueIn(cookie, this.#deviceName);
  }

  /** Throws 403 unless a page of the service's own origin has sent the request. */
  assertOwnOrigin({ headers, method }: CookieRequest): void {
    const { origin } = headers;
    const site = headers["sec-fetch-site"];
    const isRead = method === "GET" || method === "HEAD";
    // Browsers omit `Origin` in reads from the same origin, and in nothing else.
    if (origin === undefined ? !isRead : !this.#origins.has(origin))
      throw this.#crossSite("Origin");
    if (site !== undefined && site !== "same-origin" && !(isRead && site === "none"))
      throw this.#crossSite("Sec-Fetch-Site");
  }

  #crossSite(header: string) {
    const [own] = this.#origins;
    return fail("cross-site-request", `Only pages of ${own} can use a browser session.`, {
      header,
    });
  }

  /** `Set-Cookie` for a new session. Without seconds, the cookie ends with the browser. */
  set(token: string, seconds?: number): string {
    return this.#written(this.#name, token, seconds);
  }

  setDevice(device: string, seconds: number): string {
    return this.#written(this.#deviceName, device, seconds);
  }

  #written(name: string, value: string, seconds: number | undefined): string {
    const age = seconds === undefined ? "" : `; Max-Age=${seconds}`;
    return `${name}=${value}; ${this.#attributes}${age}`;
  }

  /** `Set-Cookie` that removes the cookie. */
  clear(): string {
    return this.set("", 0);
  }
}

/** Undefined without the cookie. */
function valueIn(cookies: string, name: string): string | undefined {
  const start = `${name}=`;
  const values = cookies.split(";").flatMap((pair) => {
    const each = pair.trim();
    return each.startsWith(start) ? [each.slice(start.length)] : [];
  });
  // Without TLS, another site on the same host can add a second cookie. Neither of the two can be trusted.
  return new Set(values).size > 1 ? "" : values[0];
}
