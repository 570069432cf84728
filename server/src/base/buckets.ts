import { hash, randomBytes } from "node:crypto";

/**
 * Callers are counted in this many buckets, which bounds the memory of a flood of new tokens or addresses. Two callers
 * in one bucket share a quota. The seed is random, so a client cannot choose another client's bucket.
 */
const BUCKETS = 131_072;
const seed = randomBytes(16).toString("base64");
export const bucketOf = (text: string): number =>
  hash("sha256", seed + text, "buffer").readUInt32LE() % BUCKETS;
