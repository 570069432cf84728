import { unavailable } from "../../base/errors.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";
import { SendFailure } from "../http/failure.ts";
import type { Network } from "../../base/networks.ts";
import { judgeAddresses } from "../http/public-address.ts";
import { createResolve } from "../http/resolve.ts";
import type { WebhookParts } from "../parts.ts";

/**
 * Judges a host when an endpoint is registered, with the same name servers and networks as a delivery. If our own name
 * servers fail, the host is unknown and the caller must retry.
 */
export function createHostJudge(options: {
  dnsServers?: readonly string[];
  allowed?: readonly Network[];
}): WebhookParts["judgeHost"] {
  const resolve = createResolve(options.dnsServers);
  return async (host) => {
    try {
      const bare = host.replace(/^\[(.*)\]$/, "$1");
      const addresses = await resolve(bare, webhookLimits.registrationMsMax);
      return judgeAddresses(addresses, options.allowed).verdict;
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error;
      if (error.reason === "dns-failure") return "none";
      throw unavailable(5, "Host names cannot be resolved at the moment. Retry later.");
    }
  };
}
