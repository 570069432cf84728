import type { Cipher } from "../store/cipher.ts";
import type { Network } from "../base/networks.ts";
import type { Judgement } from "./http/public-address.ts";

/** The parts of the installation that webhooks use. */
export interface WebhookParts {
  /** Encrypts signing secrets at rest. */
  cipher: Cipher;
  /** Private networks that the operator allows in URLs. */
  allowed?: readonly Network[];
  /** Whether a host may be called when an endpoint is registered. `none` means that the name has no address. */
  judgeHost(host: string): Promise<Judgement["verdict"]>;
}
