import { createHmac, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import type { Cipher } from "../../store/cipher.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

/**
 * The secret that signs an endpoint's messages. It cannot be printed, inspected or serialized. Only `revealOnce`
 * returns it.
 */
export class SigningSecret {
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  static generate(): SigningSecret {
    return new SigningSecret(randomBytes(webhookLimits.secretBytes));
  }

  /** Accepts only padded standard base64 after `whsec_`. Returns undefined otherwise. */
  static parse(text: string): SigningSecret | undefined {
    if (!text.startsWith(PREFIX)) return undefined;
    const encoded = text.slice(PREFIX.length);
    const bytes = Buffer.from(encoded, "base64");
    // Node also accepts base64url and missing padding, and skips invalid characters.
    return isSecretLength(bytes) && bytes.toString("base64") === encoded
      ? new SigningSecret(bytes)
      : undefined;
  }

  static decrypt(cipher: Cipher, encrypted: Uint8Array, owner: SecretOwner): SigningSecret {
    return new SigningSecret(cipher.decrypt(encrypted, belongsTo(owner)));
  }

  encrypt(cipher: Cipher, owner: SecretOwner): Buffer {
    return cipher.encrypt(this.#bytes, belongsTo(owner));
  }

  /** Returns the base64 HMAC-SHA256 of the concatenated parts. */
  sign(...parts: readonly (string | Uint8Array)[]): string {
    const hmac = createHmac("sha256", this.#bytes);
    for (const part of parts) hmac.update(part);
    return hmac.digest("base64");
  }

  /** Only for the response that shows the secret, and for its replay. */
  revealOnce(): string {
    return PREFIX + this.#bytes.toString("base64");
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}

/** The owner of a secret. It is part of the encryption, so a ciphertext cannot be moved to another owner. */
export interface SecretOwner {
  readonly accountId: string;
  readonly endpointId: string;
  readonly generation: number;
}

const belongsTo = ({ accountId, endpointId, generation }: SecretOwner) => [
  "webhook-signing-secret",
  accountId,
  endpointId,
  String(generation),
];

const PREFIX = "whsec_";
const HIDDEN = "[secret]";

const isSecretLength = ({ length }: Buffer) =>
  length >= webhookLimits.secretBytesMin && length <= webhookLimits.secretBytesMax;
