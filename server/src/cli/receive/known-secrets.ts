import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { SigningSecret } from "../../webhooks/index.ts";

/** The result of checking a signature. */
export type Judgement =
  | { readonly signature: "ok" | "not-checked" }
  | { readonly signature: "wrong"; readonly reason: string };

/** Two secrets are valid at once while a rotation overlaps. */
const SECRETS_MAX = 2;

/**
 * The secrets that the user entered, newest first. The official package verifies the signatures instead of the signing
 * code of Vestry, so that a signature accepted here is accepted by other receivers, too.
 */
export class KnownSecrets {
  #verifiers: Webhook[] = [];

  /** Returns false for a text that is not a secret. */
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
