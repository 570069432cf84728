import { readFile } from "node:fs/promises";
import { createSender } from "../../src/webhooks/http/send.ts";
import { judgeLoopback } from "./loopback.ts";
import { type LiveSecrets, messageHeaders } from "../../src/webhooks/engine/sign.ts";
import { SigningSecret } from "../../src/webhooks/endpoints/signing-secrets.ts";

/** Sends webhook messages to receivers with the service's own signature and sender. */

export interface MessageDocument {
  data: {
    id: string;
    attributes: Record<string, unknown>;
    relationships?: Record<string, unknown>;
  };
  meta: { "delivery-id": string; "delivery-kind": string; "attempt": number };
}

/** The text of a page in docs/webhooks/. */
export const webhooksPage = (name: string): Promise<string> =>
  readFile(new URL(`../../../docs/webhooks/${name}.md`, import.meta.url), "utf8");

/** The fenced code blocks of one language, in the order of the page. */
export const fenced = (page: string, language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text = ""]) => text,
  );

/** The messages in the documentation. The receiver tests send exactly these. */
export const [eventMessage, verificationMessage, testMessage, challengeAnswer] = fenced(
  await webhooksPage("reference"),
  "json",
).map((text) => JSON.parse(text)) as [MessageDocument, MessageDocument, MessageDocument, unknown];

export interface Delivered {
  /** The status, or the failure when there is none. */
  status: number | string;
  /** Undefined for an empty body, else the parsed JSON. */
  body: unknown;
}

export interface DeliverOptions {
  secrets: LiveSecrets;
  /** The start of the attempt. Default: now. */
  at?: number;
  timeoutMs?: number;
}

/** Posts to receivers whose certificate this authority signed. */
export function startPosting(authority: string) {
  const sender = createSender({ judge: judgeLoopback, authorities: authority });
  return {
    deliver: async (
      url: string,
      document: MessageDocument,
      options: DeliverOptions,
    ): Promise<Delivered> => {
      const { secrets, at = Date.now(), timeoutMs } = options;
      const body = Buffer.from(JSON.stringify(document));
      const message = {
        webhookId: document.data.id,
        deliveryId: document.meta["delivery-id"],
        body,
      };
      const sent = await sender.send({
        url,
        body,
        headers: messageHeaders(message, secrets, at, "Vestry/0.0.0"),
        destination: "a receiver",
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
      if (sent.kind === "failed") return { status: sent.reason, body: undefined };
      const text = sent.bodyBytes?.toString() ?? "";
      return { status: sent.status, body: text === "" ? undefined : JSON.parse(text) };
    },
    stop: () => sender.close(),
  };
}

export const newSecret = () => SigningSecret.generate();
