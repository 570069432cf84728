import { networksOf } from "../../access/address.ts";
import { limits } from "../../base/limits.ts";
import { admit, keyedHash, type Policy, resetCounter, uncount } from "../../store/counters.ts";
import { type KnownDevice, knows } from "./session/known-device.ts";
import { type Db, onCommit, type Tx } from "../../store/db.ts";

/**
 * Slows down password guessing without locking out the person who owns the log-in.
 *
 * The database keeps counters that all nodes share: failures per log-in (account and e-mail, existing or not) and
 * failures per network. After a few free failures, each further one doubles the wait. A try that comes too early is
 * rejected unchecked and does not count.
 *
 * Waiting alone would let an attacker lock anyone out. An address with few recent failures may therefore try even while
 * the log-in waits. An attacker needs many such addresses, and the owner needs one try. A log-in with many failures in the
 * hour makes new addresses wait, too. A device that has logged in as the person before has a counter of its own, so it never
 * waits for the failures of others.
 *
 * A try counts as failed before the password is checked, and is refunded if it was right. Otherwise a thousand
 * concurrent tries would all pass before the first failure is counted.
 */
export interface ThrottleKeys {
  who: Buffer;
  /** The network of the address, and wider ones around it. None for a device that is known. */
  networks: readonly Buffer[];
}

/** `who` identifies the target of guessing. */
export function throttleKeys(
  key: Uint8Array,
  kind: keyof typeof addressKinds,
  who: readonly string[],
  address: string,
  device?: KnownDevice,
): ThrottleKeys {
  if (device && knows(device, key, who))
    return { who: keyedHash(key, `${kind}-of-device`, device.nonce, ...who), networks: [] };
  return {
    who: keyedHash(key, kind, ...who),
    networks: networksOf(address).map((network) => keyedHash(key, addressKinds[kind], network)),
  };
}

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
  exemptMax: limits.loginFailuresPerHour,
};

/** Counts a try, or throws 429 with the time to wait. */
export async function chargeTry(db: Db, { networks, who }: ThrottleKeys): Promise<void> {
  const failures = await admitFrom(db, networks, triesOfAddress);
  const isExempt = failures.every((count, place) => count <= timesAt(FRESH, place));
  // A try that the log-in rejects does not count against the address.
  try {
    await admit(db, who, triesOfLogin, { isExempt: isExempt && networks.length > 0 });
  } catch (error) {
    await uncountAll(db, networks);
    throw error;
  }
}

const FRESH = limits.loginFailuresOfFreshAddress;

/** A limit of the narrowest network, for the network at this place. */
const timesAt = (limit: number, place: number): number =>
  limit * (limits.loginNetworkFactors[place] ?? 1);

/** Counts a request at each network. One that a wider network rejects does not count at the narrower ones. */
async function admitFrom(
  db: Db,
  networks: readonly Buffer[],
  policy: Policy,
): Promise<readonly number[]> {
  const counts: number[] = [];
  for (const [place, network] of networks.entries()) {
    const wider = { ...policy, requests: timesAt(policy.requests, place) };
    try {
      counts.push(await admit(db, network, wider));
    } catch (error) {
      await uncountAll(db, networks.slice(0, place));
      throw error;
    }
  }
  return counts;
}

async function uncountAll(db: Db | Tx, keys: readonly Buffer[]): Promise<void> {
  for (const key of keys) await uncount(db, key);
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
  await uncountAll(db, keys.networks);
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
  await uncountAll(db, [...keys.networks, keys.who]);
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
export async function chargeLookup(db: Db, { networks, who }: ThrottleKeys): Promise<void> {
  await admitFrom(db, networks, lookupsOfAddress);
  await admit(db, who, lookupsOfEmail);
}
