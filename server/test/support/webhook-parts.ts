import { Cipher } from "../../src/store/cipher.ts";
import type { WebhookParts } from "../../src/webhooks/parts.ts";

/** A fixed key, and a host check that returns `verdict` without DNS. */
export const webhookParts = (
  verdict: Awaited<ReturnType<WebhookParts["judgeHost"]>> = "usable",
): WebhookParts => ({
  cipher: new Cipher([{ id: "test", bytes: () => Buffer.alloc(32, 7) }]),
  judgeHost: async () => verdict,
});
