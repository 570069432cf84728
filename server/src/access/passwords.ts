import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { limits } from "../base/limits.ts";
import type { Broken } from "../base/rules.ts";
import { turns } from "../base/turns.ts";

/**
 * Passwords are kept as argon2id in the PHC format:
 *
 *   $argon2id$v=19$m=47104,t=1,p=1$<salt>$<tag>
 *
 * The parameters are the first of OWASP's recommended sets. After they change, each password is hashed again at the
 * next log-in.
 */
export const recommendedCost = { memory: 46 * 1_024, passes: 1, parallelism: 1 } as const;
let cost: Pick<Parsed, "memory" | "passes" | "parallelism"> = recommendedCost;

/** Sets the cost of new hashes. Only tests change it: the recommended one takes a tenth of a second. */
export function setPasswordCost(next: typeof cost): void {
  cost = next;
}

const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Limits for the parameters of stored hashes. Larger values mean that the row is damaged or foreign. */
const MEMORY_MAX = 1_024 * 1_024;
const PASSES_MAX = 16;

interface Parsed {
  memory: number;
  passes: number;
  parallelism: number;
  salt: Buffer;
  tag: Buffer;
}

const derive = promisify(argon2) as unknown as (
  algorithm: "argon2id",
  parameters: Argon2Parameters,
) => Promise<Buffer>;

/**
 * Returns the reason why a password is invalid, or undefined. The account has the minimum length of a new one, so its form is checked
 * with a minimum of 0.
 */
export function passwordMistake(
  password: string,
  min: number = limits.passwordLengthMin,
): Broken | undefined {
  const { passwordLengthMax: max } = limits;
  const tooLong = { rule: "max-length", limit: max } as const;
  // Normalization shortens a text, but never this much, so very long texts are rejected before it.
  if (password.length > 16 * max) return tooLong;
  if (password.includes("\0") || !password.isWellFormed())
    return { rule: "format", format: "text" };
  const { length } = Array.from(password.normalize("NFC"));
  if (length < min) return { rule: "min-length", limit: min };
  return length > max ? tooLong : undefined;
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await inTurn(() => tagOf(password, { ...cost, salt }, TAG_BYTES));
  return phc(salt, tag);
}

/**
 * Verifies a password. Without a hash it does the same work, so that the response time does not reveal which people
 * exist.
 */
export async function verifyPassword(
  password: string,
  passwordHash: string | undefined,
): Promise<boolean> {
  const known = parse(passwordHash ?? dummyHash());
  if (!known) throw new Error("A stored password hash cannot be read.");
  const tag = await inTurn(() => tagOf(password, known, known.tag.length));
  return timingSafeEqual(tag, known.tag) && passwordHash !== undefined;
}

/** Whether the hash uses outdated parameters. */
export function needsRehash(passwordHash: string): boolean {
  const known = parse(passwordHash);
  return (
    !known ||
    known.memory !== cost.memory ||
    known.passes !== cost.passes ||
    known.parallelism !== cost.parallelism ||
    known.tag.length !== TAG_BYTES
  );
}

function tagOf(
  password: string,
  { memory, passes, parallelism, salt }: Omit<Parsed, "tag">,
  tagLength: number,
): Promise<Buffer> {
  const message = password.normalize("NFC");
  return derive("argon2id", { message, nonce: salt, memory, passes, parallelism, tagLength });
}

const unpadded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");

const phc = (salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(tag)}`;

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function parse(passwordHash: string): Parsed | undefined {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(passwordHash) ?? [];
  if (salt === undefined || tag === undefined) return undefined;
  const parsed = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
  return parsed.memory > MEMORY_MAX || parsed.passes > PASSES_MAX ? undefined : parsed;
}

const dummySalt = randomBytes(SALT_BYTES);
const dummyTag = randomBytes(TAG_BYTES);
/** A hash that no password matches. Verification costs as much as for a real one. */
const dummyHash = () => phc(dummySalt, dummyTag);

/** Each hash takes 46 MiB and a thread of the pool that files and look-ups share. */
export const inTurn = turns({
  atOnce: limits.passwordHashesAtOnce,
  queueMax: limits.passwordQueueMax,
  busy: "Too many people are logging in just now.",
});
