import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { now } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { Proof } from "./proofs.ts";

/**
 * A form token shows that a page of the form was loaded, and when: base64url of the payload, a dot, and base64url of its
 * HMAC-SHA256. The payload is the id of the form (16 bytes), its version (4), the time (6) and random bytes (16). The signature
 * also covers the account, so a token is of no use in another one.
 */
export interface IssuedToken extends Proof {
  formId: string;
  version: number;
  issuedAt: number;
}

interface TokenOf {
  accountId: string;
  formId: string;
  version: number;
}

export function newFormToken(key: Uint8Array, { accountId, formId, version }: TokenOf): string {
  const payload = Buffer.alloc(26);
  payload.write(formId.replaceAll("-", ""), 0, "hex");
  payload.writeUInt32BE(version, 16);
  payload.writeUIntBE(now(), 20, 6);
  const whole = Buffer.concat([payload, randomBytes(16)]);
  return `${whole.toString("base64url")}.${signatureOf(key, accountId, whole)}`;
}

/** Returns undefined for a token that is altered, of another account, or older than it may be. */
export function readFormToken(
  key: Uint8Array,
  accountId: string,
  token: string,
): IssuedToken | undefined {
  const [, payload = "", signature = ""] = TOKEN.exec(token) ?? [];
  const whole = Buffer.from(payload, "base64url");
  if (whole.length !== 42) return undefined;
  // The texts are compared, because several texts decode to the same bytes.
  const expected = Buffer.from(signatureOf(key, accountId, whole));
  if (!timingSafeEqual(Buffer.from(signature), expected)) return undefined;
  const issuedAt = whole.readUIntBE(20, 6);
  const expiresAt = issuedAt + limits.formTokenMs;
  if (expiresAt <= now()) return undefined;
  const id = whole.toString("hex", 0, 16);
  const formId = `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
  return { formId, version: whole.readUInt32BE(16), issuedAt, expiresAt, key: whole };
}

const TOKEN = /^([\w-]{56})\.([\w-]{43})$/;

const signatureOf = (key: Uint8Array, accountId: string, payload: Buffer): string =>
  createHmac("sha256", key).update(`form-tokens ${accountId} `).update(payload).digest("base64url");
