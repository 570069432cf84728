import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { SigningSecret } from "../../webhooks/endpoints/signing-secrets.ts";

/** What can be said of a message's signature, and of a wrong one why. */
export type Judgement =
  | { readonly signature: "ok" | "not-checked" }
  | { readonly signature: "wrong"; readonly reason: string };

/** As many as are valid at once: while a rotation overlaps, two. */
const SECRETS_MAX = 2;

/**
 * The secrets a receiver has been told, the newest first. They verify by the official package and not by our own
 * signing code, so that whatever passes here passes at anybody's.
 */
export class KnownSecrets {
  #verifiers: Webhook[] = [];

  /** False for what is none. */
  add(text: string): boolean {
    if (!SigningSecret.parse(text)) return false;
    this.#verifiers = [new Webhook(text), ...this.#verifiers].slice(0, SECRETS_MAX);
    return true;
  }

  judge(body: Buffer, headers: Readonly<Record<string, string>>): Judgement {
    if (this.#verifiers.length === 0) return { signature: "not-checked" };
    let reason = "";
    for (const verifier of this.#verifiers)
      try {
        verifier.verify(body, headers, { jsonParse: false });
        return { signature: "ok" };
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        reason = error.message;
      }
    return { signature: "wrong", reason };
  }
}
