import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/**
 * Encryption at rest with AES-256-GCM and a ring of keys. The first key encrypts, and all keys decrypt. A ciphertext names
 * its key, so keys can be rotated while the service runs: add a new first key, re-encrypt, and remove the old key.
 *
 *   version 1 (1 byte) · length of the key's id (1) · key's id · nonce (12) · tag (16) · encrypted
 *
 * The owner of a ciphertext (an account, an endpoint, a generation), its version and its key id are authenticated with it.
 * A ciphertext that is copied to another row does not decrypt.
 */
export class Cipher {
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #first: string;

  constructor(ring: readonly Key[]) {
    const [first] = ring;
    if (!first) throw new Error("A ring of keys needs at least one key.");
    this.#first = first.id;
    this.#keys = new Map(ring.map((key) => [checkedId(key.id), keyObject(key)]));
    if (this.#keys.size < ring.length) throw new Error("Two keys of the ring have the same id.");
  }

  encrypt(plain: Uint8Array, belongsTo: BelongsTo): Buffer {
    const key = this.#key(this.#first);
    const header = headerOf(this.#first);
    // Random, as NIST SP 800-38D allows for fewer than 2^32 messages under one key.
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(authenticated(header, belongsTo));
    const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), encrypted]);
  }

  decrypt(ciphertext: Uint8Array, belongsTo: BelongsTo): Buffer {
    const { keyId, header, nonce, tag, encrypted } = taken(ciphertext);
    const decipher = createDecipheriv(ALGORITHM, this.#key(keyId), nonce, {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(authenticated(header, belongsTo));
    decipher.setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(encrypted), decipher.final()]);
    } catch {
      throw new TamperedError(keyId);
    }
  }

  /** Whether the ciphertext should be re-encrypted with a newer key. */
  isOutdated(ciphertext: Uint8Array): boolean {
    return keyIdOf(ciphertext) !== this.#first;
  }

  has(id: string): boolean {
    return this.#keys.has(id);
  }

  #key(id: string): KeyObject {
    const key = this.#keys.get(id);
    if (!key) throw new UnknownKeyError(id);
    return key;
  }
}

/** An encryption key of the configuration. */
export interface Key {
  readonly id: string;
  bytes(): Buffer;
}

/** The parts of the owner. Their order matters. */
export type BelongsTo = readonly string[];

/** A ciphertext cannot be decrypted. */
export class CannotDecryptError extends Error {
  /** The key that the ciphertext names, if that can be read. */
  readonly keyId: string | undefined;

  constructor(message: string, keyId?: string) {
    super(message);
    this.name = new.target.name;
    this.keyId = keyId;
  }
}

/** The ring lacks the key. An operator removed it too early, or this node has another configuration. */
export class UnknownKeyError extends CannotDecryptError {
  constructor(keyId: string) {
    super(
      `Encrypted with the key ${JSON.stringify(keyId)}, which is not among those configured.`,
      keyId,
    );
  }
}

/** The ciphertext is damaged, belongs to another owner, or was encrypted with another key of the same id. */
export class TamperedError extends CannotDecryptError {
  constructor(keyId?: string) {
    super("The ciphertext was changed, moved, or encrypted with another key.", keyId);
  }
}

/** The id of the key that a ciphertext needs. */
export const keyIdOf = (ciphertext: Uint8Array): string => taken(ciphertext).keyId;

const ALGORITHM = "aes-256-gcm";
const VERSION = 1;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID = /^[\x21-\x7e]{1,255}$/;

function checkedId(id: string): string {
  if (!KEY_ID.test(id)) throw new Error("A key's id has 1 to 255 visible ASCII characters.");
  return id;
}

function keyObject(key: Key): KeyObject {
  const bytes = key.bytes();
  if (bytes.length !== KEY_BYTES)
    throw new Error(`The key ${JSON.stringify(key.id)} does not have ${KEY_BYTES} bytes.`);
  return createSecretKey(bytes);
}

function headerOf(keyId: string): Buffer {
  return Buffer.concat([Buffer.from([VERSION, keyId.length]), Buffer.from(keyId, "latin1")]);
}

/** Each part has its length in front, so that ("ab", "c") and ("a", "bc") differ. */
function authenticated(header: Buffer, belongsTo: BelongsTo): Buffer {
  const parts = belongsTo.flatMap((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat([header, ...parts]);
}

function taken(ciphertext: Uint8Array) {
  const bytes = Buffer.from(ciphertext.buffer, ciphertext.byteOffset, ciphertext.byteLength);
  const nonceAt = 2 + (bytes[1] ?? 0);
  const tagAt = nonceAt + NONCE_BYTES;
  const encryptedAt = tagAt + TAG_BYTES;
  if (bytes[0] !== VERSION || bytes.length < encryptedAt) throw new TamperedError();
  return {
    keyId: bytes.toString("latin1", 2, nonceAt),
    header: bytes.subarray(0, nonceAt),
    nonce: bytes.subarray(nonceAt, tagAt),
    tag: bytes.subarray(tagAt, encryptedAt),
    encrypted: bytes.subarray(encryptedAt),
  };
}
