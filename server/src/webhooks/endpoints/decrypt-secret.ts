import { observe } from "../../base/observe.ts";
import { type Cipher, CannotDecryptError } from "../../store/cipher.ts";
import { type SecretOwner, SigningSecret } from "./signing-secrets.ts";

/** Decrypts a stored secret. A failure is reported with the id of the required key. */
export function decryptSecret(
  cipher: Cipher,
  encrypted: Uint8Array,
  owner: SecretOwner,
): SigningSecret {
  try {
    return SigningSecret.decrypt(cipher, encrypted, owner);
  } catch (error) {
    const { accountId, endpointId } = owner;
    if (error instanceof CannotDecryptError)
      observe({ kind: "secret-unreadable", accountId, endpointId, keyId: error.keyId, error });
    throw error;
  }
}
