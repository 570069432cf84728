import { hkdfSync } from "node:crypto";
import type { EncryptionKey } from "./config.ts";

/** A key for one purpose. It is the same on every node that has the encryption key, which it does not reveal. */
export const derivedKey = (key: EncryptionKey, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key.bytes(), "", purpose, 32));
