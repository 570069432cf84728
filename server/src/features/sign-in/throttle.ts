import { networkOf } from "../../access/address.ts";
import { limits } from "../../base/limits.ts";
import { admit, keyedHash, type Policy, resetCounter, uncount } from "../../store/counters.ts";
import { type Db, onCommit, type Tx } from "../../store/db.ts";

/**
 * Slows down password guessing without locking out the person who owns the log-in.
 *
 * The database keeps two counters that all nodes share: failures per log-in (account and e-mail, existing or not) and
 * failures per address. After a few free failures, each further one doubles the wait. A try that comes too early is
 * rejected unchecked and does not count.
 *
 * Waiting alone would let an attacker lock anyone out. An address with few recent failures may therefore try even while
 * the log-in waits. An attacker needs many such addresses, and the owner needs one try.
 *
 * A try counts as failed before the password is checked, and is refunded if it was right. Otherwise a thousand
 * concurrent tries would all pass before the first failure is counted.
 */
export interface ThrottleKeys {
  who: Buffer;
  address: Buffer;
}

/** `who` identifies the target of guessing. */
export const throttleKeys = (
  key: Uint8Array,
  kind: keyof typeof addressKinds,
  who: readonly string[],
  address: string,
): ThrottleKeys => ({
  who: keyedHash(key, kind, ...who),
  address: keyedHash(key, addressKinds[kind], networkOf(address)),
});

/** The counters of an address. All guesses count together. */
const addressKinds = {
  "login": "address",
  "password-change": "address",
  "password-reset-confirmation": "address",
  "lookup": "lookup-address",
  "password-reset": "reset-address",
} as const;

const tries = {
  windowMs: limits.loginWindowMs,
  code: "login-throttled",
  detail: "Too many failed tries.",
  observation: { kind: "login", outcome: "throttled" },
} as const;

const triesOfAddress: Policy = {
  ...tries,
  requests: limits.loginFailuresFreePerAddress,
  waitMsMax: limits.loginDelayMsMaxPerAddress,
};

const triesOfLogin: Policy = {
  ...tries,
  requests: limits.loginFailuresFree,
  waitMsMax: limits.loginDelayMsMax,
};

/** Counts a try, or throws 429 with the time to wait. */
export async function chargeTry(db: Db, { address, who }: ThrottleKeys): Promise<void> {
  const failures = await admit(db, address, triesOfAddress);
  const isExempt = failures <= limits.loginFailuresOfFreshAddress;
  // A try that the log-in rejects does not count against the address.
  try {
    await admit(db, who, triesOfLogin, { isExempt });
  } catch (error) {
    await uncount(db, address);
    throw error;
  }
}

/**
 * Resets the log-in's counter after a correct password. The address gets back only this try. Otherwise an attacker
 * could reset it by logging in between guesses.
 */
export async function refundTry(db: Db | Tx, keys: ThrottleKeys): Promise<void> {
  const { home } = db;
  if (db.kind === "transaction" && home) {
    // Without an answer of the home, the try counts until the end of its window.
    onCommit(db, () => refundTry(home, keys).catch(() => undefined));
    return;
  }
  await uncount(db, keys.address);
  await resetCounter(db, keys.who);
}

/**
 * Does the work of a counted try. The try is refunded if that fails: the hash queue is full, the account's server is away, or the
 * account moves.
 */
export async function heard<Result>(
  db: Db,
  keys: ThrottleKeys,
  look: () => Promise<Result>,
): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    await takeBackTry(db, keys);
    throw error;
  }
}

/** Uncounts a try that was no guess. The failures before it stay. */
export async function takeBackTry(db: Db, keys: ThrottleKeys): Promise<void> {
  await uncount(db, keys.address);
  await uncount(db, keys.who);
}

const lookups = {
  windowMs: limits.loginWindowMs,
  code: "rate-limited",
  detail: "Too many requests for this e-mail address or from this network.",
  observation: { kind: "rate-limited", policy: "username-lookups" },
} as const;

const lookupsOfAddress: Policy = { ...lookups, requests: limits.usernameLookupsPerAddressPerHour };
const lookupsOfEmail: Policy = { ...lookups, requests: limits.usernameLookupsPerEmailPerHour };

/** Look-ups of accounts by e-mail and password resets are counted whether or not they find any. */
export async function chargeLookup(db: Db, { address, who }: ThrottleKeys): Promise<void> {
  await admit(db, address, lookupsOfAddress);
  await admit(db, who, lookupsOfEmail);
}
