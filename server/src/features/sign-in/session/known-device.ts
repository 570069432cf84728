import { randomBytes, timingSafeEqual } from "node:crypto";
import { keyedHash } from "../../../store/counters.ts";

/**
 * A browser that has logged in as a person keeps a cookie that says so. Its tries are counted by themselves, so the failures of others,
 * at the same Wi-Fi or at the same log-in, do not hold the person up.
 *
 * The cookie is `<nonce>.<proof>.<proof>…`: a random number of the browser, and for each of the last people a keyed hash of the nonce
 * and the log-in. The service stores nothing. The cookie opens nothing: a thief gets the few tries of one more network.
 */
export interface KnownDevice {
  nonce: string;
  proofs: readonly string[];
}

/** A family shares a tablet. */
const PEOPLE_MAX = 5;
const NONCE_BYTES = 16;
const PROOF_BYTES = 16;
const COOKIE = /^[\w-]{22}(\.[\w-]{22}){1,5}$/;

export function parseDevice(cookie: string | undefined): KnownDevice | undefined {
  if (cookie === undefined || !COOKIE.test(cookie)) return undefined;
  const [nonce = "", ...proofs] = cookie.split(".");
  return { nonce, proofs };
}

/** `who` identifies the log-in: the alias of the account and the e-mail address. */
export function knows(
  { nonce, proofs }: KnownDevice,
  key: Uint8Array,
  who: readonly string[],
): boolean {
  const wanted = Buffer.from(proofOf(nonce, key, who));
  return proofs.some((one) => timingSafeEqual(Buffer.from(one), wanted));
}

/** The cookie after a log-in. The newest person comes first, and the oldest of many is forgotten. */
export function deviceCookie(
  device: KnownDevice | undefined,
  key: Uint8Array,
  who: readonly string[],
): string {
  const nonce = device?.nonce ?? randomBytes(NONCE_BYTES).toString("base64url");
  const proof = proofOf(nonce, key, who);
  const others = (device?.proofs ?? []).filter((one) => one !== proof);
  return [nonce, proof, ...others.slice(0, PEOPLE_MAX - 1)].join(".");
}

const proofOf = (nonce: string, key: Uint8Array, who: readonly string[]): string =>
  keyedHash(key, "known-device", nonce, ...who)
    .subarray(0, PROOF_BYTES)
    .toString("base64url");
