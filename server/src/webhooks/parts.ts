import type { Cipher } from "../store/cipher.ts";

/** What the webhooks need of the installation they run in. */
export interface WebhookParts {
  /** For signing secrets at rest. */
  cipher: Cipher;
  /** Whether a host that somebody registers may be called; `none`: its name resolves to nothing. */
  judgeHost(host: string): Promise<"usable" | "refused" | "none">;
}
