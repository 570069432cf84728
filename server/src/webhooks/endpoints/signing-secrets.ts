import { createHmac, randomBytes } from "node:crypto";
import { inspect } from "node:util";
import type { Cipher } from "../../store/cipher.ts";
import { webhookLimits } from "../../base/webhook-limits.ts";

/**
 * What an endpoint's messages are signed with. It cannot be printed, inspected or made JSON of: it signs, is encrypted
 * for the database, and is revealed by one method, whose callers one can count.
 */
export class SigningSecret {
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  static generate(): SigningSecret {
    return new SigningSecret(randomBytes(webhookLimits.secretBytes));
  }

  /** undefined for what is no secret in its one spelling: padded standard base64 behind `whsec_`. */
  static parse(text: string): SigningSecret | undefined {
    if (!text.startsWith(PREFIX)) return undefined;
    const encoded = text.slice(PREFIX.length);
    const bytes = Buffer.from(encoded, "base64");
    // Node reads base64url and missing padding too, and skips what is neither.
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

  /** HMAC-SHA256 over the parts as if they were one, in base64. */
  sign(...parts: readonly (string | Uint8Array)[]): string {
    const hmac = createHmac("sha256", this.#bytes);
    for (const part of parts) hmac.update(part);
    return hmac.digest("base64");
  }

  /** For the one answer that shows it, and for its replay. Never for a log, never for a stored answer. */
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

/** Where a secret belongs. Encrypted, it decrypts nowhere else. */
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
