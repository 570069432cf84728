import { createHmac, timingSafeEqual } from "node:crypto";

/** The file that a signed link leads to, and the second at which the link expires. */
export interface FileLink {
  readonly accountId: string;
  readonly fileId: string;
  readonly expires: number;
}

const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const LINK = new RegExp(
  `^(/v1/files/(${ID})/(${ID})\\?expires=([1-9]\\d{0,11}))&signature=([\\w-]{43})$`,
);

/**
 * Signed links to files. They need no credential, so that a browser can show a photo and save a file. The signature covers the
 * account, the file and the time.
 */
export class FileLinks {
  readonly #publicUrl: string;
  readonly #keys: readonly Uint8Array[];

  /** The first key signs. The others still verify, so that links outlive a change of the keys. */
  constructor(publicUrl: string, keys: readonly Uint8Array[]) {
    this.#publicUrl = publicUrl;
    this.#keys = keys;
  }

  /** `reference` is `<file id>?expires=<second>`, as statements select it. */
  urlOf(accountId: string, reference: string): string {
    const [key] = this.#keys;
    if (!key) throw new Error("There is no key that signs links.");
    const path = `/v1/files/${accountId}/${reference}`;
    return `${this.#publicUrl}${path}&signature=${signatureOf(key, path)}`;
  }

  /** The link of a request, or undefined unless every byte of it is as it was signed. */
  read(url: string): FileLink | undefined {
    const parts = LINK.exec(url);
    if (!parts) return undefined;
    const [, path = "", accountId = "", fileId = "", expires, signature = ""] = parts;
    // The texts are compared, because several texts decode to the same bytes.
    const genuine = this.#keys.some((key) =>
      timingSafeEqual(Buffer.from(signatureOf(key, path)), Buffer.from(signature)),
    );
    return genuine ? { accountId, fileId, expires: Number(expires) } : undefined;
  }
}

const signatureOf = (key: Uint8Array, path: string): string =>
  createHmac("sha256", key).update(path).digest("base64url");
