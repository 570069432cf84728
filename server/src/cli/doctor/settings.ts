import type { Config } from "../../app/config.ts";
import { type Finding, few, finding } from "./finding.ts";

/** Settings that are each valid and do not fit each other. */
export function* examineSettings(config: Config): Generator<Finding> {
  const own = new URL(config.publicUrl);
  const listensToAll = !isLocal(config.host);

  if (own.protocol === "http:" && !isLocal(own.hostname))
    yield finding(
      "public-url-without-tls",
      `PUBLIC_URL is ${config.publicUrl}: passwords and tokens would travel in the clear.`,
      "Put a proxy with TLS in front and set PUBLIC_URL to its https:// address.",
    );
  if (listensToAll && isLocal(own.hostname))
    yield finding(
      "public-url-is-local",
      `HOST is ${config.host}, so others reach this service, but PUBLIC_URL is ${config.publicUrl}.`,
      "Set PUBLIC_URL to the address by which they do, or HOST to 127.0.0.1.",
    );
  if (!config.origins.includes(own.origin))
    yield finding(
      "own-origin-not-first-party",
      `ORIGINS lacks ${own.origin}: nobody can log in on the service's own pages, /docs among them.`,
      `Add ${own.origin} to ORIGINS.`,
    );
  const open = config.origins.filter(
    (origin) => origin.startsWith("http:") && !isLocal(new URL(origin).hostname),
  );
  if (open.length > 0 && own.protocol === "https:")
    yield finding(
      "origin-without-tls",
      `ORIGINS trusts pages without TLS, which anybody on the way can change: ${few(open)}.`,
      "Serve them by https://.",
    );
  if (own.protocol === "https:" && config.trustedProxies.length === 0 && !listensToAll)
    yield finding(
      "proxy-not-trusted",
      "PUBLIC_URL is https://, so a proxy is in front, but TRUSTED_PROXIES is empty: all visitors count as one address.",
      "Set TRUSTED_PROXIES to the proxy's address.",
    );
  if (!config.rateLimits && !isLocal(own.hostname))
    yield finding(
      "rate-limits-off",
      "RATE_LIMITS is off on a service that others reach.",
      "Set it to on; off is for load tests.",
    );
}

export const isLocal = (host: string): boolean =>
  /^(localhost|.*\.localhost|127\.[\d.]+|::1|\[::1\])$/.test(host);
