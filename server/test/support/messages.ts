import { readFile } from "node:fs/promises";
import { createSender } from "../../src/webhooks/http/send.ts";
import { type LiveSecrets, messageHeaders } from "../../src/webhooks/engine/sign.ts";
import { SigningSecret } from "../../src/webhooks/endpoints/signing-secrets.ts";

/** Messages as a receiver gets them, from the service's own hands: its signature, its sender. */

export interface MessageDocument {
  data: {
    id: string;
    attributes: Record<string, unknown>;
    relationships?: Record<string, unknown>;
  };
  meta: { "delivery-id": string; "delivery-kind": string; "attempt": number };
}

export const webhooksPage = await readFile(
  new URL("../../../docs/webhooks.md", import.meta.url),
  "utf8",
);

/** What stands between fences of a language, in the order of the page. */
export const fenced = (language: string): string[] =>
  [...webhooksPage.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );

/** The messages that the page shows: what it promises is what receivers are tested with. */
export const [eventMessage, verificationMessage, testMessage, challengeAnswer] = fenced("json").map(
  (text) => JSON.parse(text),
) as [MessageDocument, MessageDocument, MessageDocument, unknown];

export interface Delivered {
  /** Or why there is none. */
  status: number | string;
  /** Empty, or as JSON. */
  body: unknown;
}

export interface DeliverOptions {
  secrets: LiveSecrets;
  /** When the attempt began; now unless said. */
  at?: number;
  wallMs?: number;
}

/** Posts to receivers whose certificate this authority vouches for. */
export function startPosting(authority: string) {
  const sender = createSender({ judge: () => undefined, authorities: authority });
  return {
    deliver: async (
      url: string,
      document: MessageDocument,
      options: DeliverOptions,
    ): Promise<Delivered> => {
      const { secrets, at = Date.now(), wallMs } = options;
      const body = Buffer.from(JSON.stringify(document));
      const message = {
        webhookId: document.data.id,
        deliveryId: document.meta["delivery-id"],
        body,
      };
      const sent = await sender.send({
        url,
        body,
        headers: messageHeaders(message, secrets, at, { userAgent: "Vestry/0.0.0" }),
        destination: "a receiver",
        keepBody: true,
        ...(wallMs !== undefined && { wallMs }),
      });
      if (sent.kind === "failed") return { status: sent.reason, body: undefined };
      const text = sent.bodyBytes?.toString() ?? "";
      return { status: sent.status, body: text === "" ? undefined : JSON.parse(text) };
    },
    stop: () => sender.close(),
  };
}

export const newSecret = () => SigningSecret.generate();
