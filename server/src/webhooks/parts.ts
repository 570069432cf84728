import type { Cipher } from "../store/cipher.ts";
import type { Network } from "../base/networks.ts";

/** What the webhooks need of the installation they run in. */
export interface WebhookParts {
  /** For signing secrets at rest. */
  cipher: Cipher;
  /** Networks of the operator's own, whose addresses may stand in a URL although they are not public. */
  allowed?: readonly Network[];
  /** Whether a host that somebody registers may be called; `none`: its name resolves to nothing. */
  judgeHost(host: string): Promise<"usable" | "refused" | "none">;
}
