import { hash, randomBytes } from "node:crypto";

/**
 * All kinds of token are random, shown once, and stored as a SHA-256 hash. A slow hash is not needed, because 256
 * random bits cannot be guessed, and every request computes the hash.
 *
 *   vat_ + base64url(account id, 16 bytes · random, 32 bytes)    a person's access token
 *   vbt_ + base64url(account id, 16 bytes · random, 32 bytes)    a browser session, which only the cookie carries
 *   vpt_ + base64url(account id, 16 bytes · random, 32 bytes)    a password token: sets a person's password, once
 *   vmt_ + base64url(account id, 16 bytes · random, 32 bytes)    a mail token: confirms the address that got the mail, once
 *   vct_ + base64url(random, 32 bytes)                           an integration's client token
 *
 * Secret scanners and people recognize the prefixes. The tokens of a person contain the account id, because the query for
 * them needs the account. The hash covers the account id too, so a token with another account id is a different token.
 */
export interface NewToken {
  /** Shown once, to the caller who requested it. */
  token: string;
  /** The stored hash. */
  hash: Buffer;
}

export interface PersonTokenKey {
  accountId: string;
  hash: Buffer;
}

const PERSON_TOKEN = /^v[abmp]t_[\w-]{64}$/;
const CLIENT_TOKEN = /^vct_[\w-]{43}$/;

const sha256 = (token: string): Buffer => hash("sha256", token, "buffer");

type Prefix = "vat_" | "vbt_" | "vmt_" | "vpt_";

export const newAccessToken = (accountId: string) => newPersonToken("vat_", accountId);

export const newBrowserToken = (accountId: string) => newPersonToken("vbt_", accountId);

export const newPasswordToken = (accountId: string) => newPersonToken("vpt_", accountId);

export const newMailToken = (accountId: string) => newPersonToken("vmt_", accountId);

function newPersonToken(prefix: Prefix, accountId: string): NewToken {
  const account = Buffer.from(accountId.replaceAll("-", ""), "hex");
  const token = `${prefix}${Buffer.concat([account, randomBytes(32)]).toString("base64url")}`;
  return { token, hash: sha256(token) };
}

export function newClientToken(): NewToken {
  const token = `vct_${randomBytes(32).toString("base64url")}`;
  return { token, hash: sha256(token) };
}

export const accessTokenKey = (token: string) => personTokenKey("vat_", token);

export const browserTokenKey = (token: string) => personTokenKey("vbt_", token);

export const passwordTokenKey = (token: string) => personTokenKey("vpt_", token);

export const mailTokenKey = (token: string) => personTokenKey("vmt_", token);

/** Returns the account id and hash of a token, or undefined for a malformed token, which needs no query. */
function personTokenKey(prefix: Prefix, token: string): PersonTokenKey | undefined {
  if (!token.startsWith(prefix) || !PERSON_TOKEN.test(token)) return undefined;
  // The first 16 bytes end within the 22nd character.
  const id = Buffer.from(token.slice(4, 26), "base64url").toString("hex", 0, 16);
  const accountId = `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`;
  return { accountId, hash: sha256(token) };
}

export function clientTokenHash(token: string): Buffer | undefined {
  return CLIENT_TOKEN.test(token) ? sha256(token) : undefined;
}

/** Returns the token of `Authorization: Bearer <token>`, or undefined for other schemes and forms. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
}

// The characters of b64token in RFC 6750. The number of spaces is bounded to prevent slow matching.
const BEARER = /^bearer {1,4}([\w.~+/-]+=*)$/i;
