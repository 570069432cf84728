import { createHmac } from "node:crypto";
import { createChallenge, verifySolution } from "altcha-lib/v1";
import { now, SECOND } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { Proof } from "./proofs.ts";

/**
 * Proof of work in the exchange of the ALTCHA widget, version 1: the client looks for the number with
 * `challenge = hex(sha256(salt + number))`. The salt contains the time of expiry, and the signature covers the challenge, so
 * the service stores nothing before a solution arrives. Each account has a key of its own.
 */
export interface Challenge {
  type: "pow";
  algorithm: "SHA-256";
  salt: string;
  challenge: string;
  maxnumber: number;
  signature: string;
}

export async function newChallenge(key: Uint8Array, accountId: string): Promise<Challenge> {
  const { challenge, salt, signature } = await createChallenge({
    algorithm: "SHA-256",
    expires: new Date(now() + limits.proofMs),
    hmacKey: keyOf(key, accountId),
    maxnumber: limits.proofNumberMax,
  });
  const maxnumber = limits.proofNumberMax;
  return { type: "pow", algorithm: "SHA-256", salt, challenge, maxnumber, signature };
}

/** Returns undefined unless this service made the challenge for this account, the number solves it, and it has not expired. */
export async function solvedChallenge(
  key: Uint8Array,
  accountId: string,
  proof: string,
): Promise<Proof | undefined> {
  const solution = solutionIn(proof);
  if (!solution || !(await verifySolution(solution, keyOf(key, accountId)))) return undefined;
  const expiresAt = Number(SALT.exec(solution.salt)?.[1]) * SECOND;
  return { key: Buffer.from(solution.challenge, "hex"), expiresAt };
}

const keyOf = (key: Uint8Array, accountId: string): string =>
  createHmac("sha256", key).update(`challenges ${accountId}`).digest("hex");

const SALT = /^[0-9a-f]{24}\?expires=(\d{10,12})&$/;
const HASH = /^[0-9a-f]{64}$/;

/** The library verifies a solution of these types and fails on others. */
function solutionIn(proof: string) {
  const { algorithm, challenge, number, salt, signature } = membersIn(proof);
  if (algorithm !== "SHA-256" || typeof number !== "number" || !Number.isInteger(number))
    return undefined;
  if (number < 0 || number > limits.proofNumberMax) return undefined;
  if (typeof salt !== "string" || !SALT.test(salt)) return undefined;
  if (typeof challenge !== "string" || !HASH.test(challenge)) return undefined;
  if (typeof signature !== "string" || !HASH.test(signature)) return undefined;
  return { algorithm, challenge, number, salt, signature } as const;
}

function membersIn(proof: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(Buffer.from(proof, "base64").toString("utf8"));
    return typeof read === "object" && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}
