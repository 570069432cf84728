import type { Config } from "../../app/config.ts";
import { type Finding, few, finding } from "./finding.ts";

/** Finds settings that are valid one by one but conflict with each other. */
export function* examineSettings(config: Config): Generator<Finding> {
  const own = new URL(config.publicUrl);
  const listensToAll = !isLocal(config.host);

  if (own.protocol === "http:" && !isLocal(own.hostname))
    yield finding(
      "public-url-without-tls",
      `PUBLIC_URL is ${config.publicUrl}, so passwords and tokens travel unencrypted.`,
      "Put a TLS proxy in front of Vestry and set PUBLIC_URL to its https:// address.",
    );
  if (listensToAll && isLocal(own.hostname))
    yield finding(
      "public-url-is-local",
      `HOST is ${config.host}, so other machines can reach the service, but PUBLIC_URL is ${config.publicUrl}.`,
      "Set PUBLIC_URL to the address that clients use, or HOST to 127.0.0.1.",
    );
  const open = config.origins.filter(
    (origin) => origin.startsWith("http:") && !isLocal(new URL(origin).hostname),
  );
  if (open.length > 0 && own.protocol === "https:")
    yield finding(
      "origin-without-tls",
      `ORIGINS contains origins without TLS, whose pages an attacker on the network can change: ${few(open)}.`,
      "Serve these pages over https:// and correct ORIGINS.",
    );
  if (own.protocol === "https:" && config.trustedProxies.length === 0 && !listensToAll)
    yield finding(
      "proxy-not-trusted",
      "PUBLIC_URL is https://, so clients come through a proxy, but TRUSTED_PROXIES is empty. All clients share one address for rate limits.",
      "Set TRUSTED_PROXIES to the address of the proxy.",
    );
  if (!config.rateLimits && !isLocal(own.hostname))
    yield finding(
      "rate-limits-off",
      "RATE_LIMITS is off on a public service.",
      "Set RATE_LIMITS to on. The value off is for load tests.",
    );
  if (!config.visitorLimits && !isLocal(own.hostname))
    yield finding(
      "visitor-limits-off",
      "VISITOR_LIMITS is off on a public service.",
      "Set VISITOR_LIMITS to on. The value off is for load tests.",
    );
}

export const isLocal = (host: string): boolean =>
  /^(localhost|.*\.localhost|127\.[\d.]+|::1|\[::1\])$/.test(host);
