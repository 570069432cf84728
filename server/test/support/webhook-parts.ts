import { Cipher } from "../../src/store/cipher.ts";
import type { WebhookParts } from "../../src/webhooks/parts.ts";

/** A key that every test knows, and hosts that are all what `verdict` says: nobody asks a name server. */
export const webhookParts = (
  verdict: Awaited<ReturnType<WebhookParts["judgeHost"]>> = "usable",
): WebhookParts => ({
  cipher: new Cipher([{ id: "test", bytes: () => Buffer.alloc(32, 7) }]),
  judgeHost: async () => verdict,
});
