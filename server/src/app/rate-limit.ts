import { randomBytes } from "node:crypto";
import { networkOf } from "../access/address.ts";
import { now as clock } from "../base/clock.ts";
import { ApiError, problem } from "../base/errors.ts";
import { type GivenQuotas, limits } from "../base/limits.ts";
import { observe } from "../base/observe.ts";

/**
 * How many requests one caller may make, counted by this process alone: with several nodes behind a balancer each
 * grants the whole quota. It protects the service from a client gone wild; it is no contract.
 *
 *   user     each access token
 *   client   each client token
 *   address  requests that carry no access token, and those whose access token turned out to be none
 *
 * Counting comes before the database is asked. A wrong token costs one look-up, but a client that sends ever new wrong
 * tokens spends its address: after that, a token is looked up only if it was seen to be good before, so that others
 * behind the same address go on undisturbed.
 */
export interface RateLimiter {
  admit(caller: Caller): Admission;
  /** To be told once the caller is known, or is known to be nobody (401); of nothing else that went wrong. */
  settle(admission: Admission, identified: boolean): void;
}

export interface Caller {
  authorization?: string | undefined;
  clientToken?: string | undefined;
  address: string;
}

export interface Admission {
  /** Undefined: go on. */
  refusal: ApiError | undefined;
  /** What every answer carries, refused or not. */
  headers: Readonly<Record<string, string>>;
  /** What `settle` needs: the token's key, 0 where there is nothing to settle, and whether it was good before. */
  user: number;
  known: boolean;
  address: string;
}

export interface Quota {
  name: string;
  requests: number;
  windowMs: number;
  /** How many callers are remembered at once: a power of two. Each takes 21 bytes, from the start. */
  slots: number;
}

export const quotas = {
  user: {
    name: "user",
    requests: limits.requestsPerCredential,
    windowMs: limits.requestsPerCredentialMs,
    slots: 131_072,
  },
  client: {
    name: "client",
    requests: limits.requestsPerClientToken,
    windowMs: limits.requestsPerClientTokenMs,
    slots: 4_096,
  },
  address: {
    name: "address",
    requests: limits.requestsPerAddress,
    windowMs: limits.requestsPerAddressMs,
    slots: 65_536,
  },
} as const satisfies Record<string, Quota>;

/** What an operator set, and for whom they set nothing the usual. */
export const quotasWith = (given: GivenQuotas): Record<keyof typeof quotas, Quota> => ({
  user: { ...quotas.user, ...given.user },
  client: { ...quotas.client, ...given.client },
  address: { ...quotas.address, ...given.address },
});

const WAYS = 4;

/**
 * Counts by key in a fixed window that starts with a key's first request.
 *
 * The memory is taken once and never grows: a key may stand in any of four slots, and when all are taken by others it
 * displaces the one with the fewest requests. A flood of keys that are used once displaces itself; whoever is close to
 * the limit stays counted.
 */
export class Counter {
  readonly quota: Quota;
  readonly #keys: Float64Array;
  readonly #ends: Float64Array;
  readonly #counts: Uint32Array;
  readonly #good: Uint8Array;
  readonly #sets: number;

  constructor(quota: Quota) {
    this.quota = quota;
    this.#sets = quota.slots / WAYS;
    this.#keys = new Float64Array(quota.slots);
    this.#ends = new Float64Array(quota.slots);
    this.#counts = new Uint32Array(quota.slots);
    this.#good = new Uint8Array(quota.slots);
  }

  /** The slot of a key whose window runs, or a fresh one. Keys are whole numbers above 0. */
  slotOf(key: number, now: number): number {
    // The low 32 bits of the key choose its set.
    const first = (key & (this.#sets - 1)) * WAYS;
    let weakest = first;
    let fewest = Number.POSITIVE_INFINITY;
    for (let slot = first; slot < first + WAYS; slot += 1) {
      if (this.#keys[slot] === key) {
        if (!this.#runs(slot, now)) this.#restart(slot, now);
        return slot;
      }
      const count = this.#runs(slot, now) ? (this.#counts[slot] ?? 0) : -1;
      if (count < fewest) {
        fewest = count;
        weakest = slot;
      }
    }
    this.#keys[weakest] = key;
    this.#good[weakest] = 0;
    this.#restart(weakest, now);
    return weakest;
  }

  /** Counts a request, unless the quota is used up. */
  take(slot: number): boolean {
    const count = this.#counts[slot] ?? 0;
    if (count >= this.quota.requests) return false;
    this.#counts[slot] = count + 1;
    return true;
  }

  remaining(slot: number): number {
    return this.quota.requests - (this.#counts[slot] ?? 0);
  }

  /** Whole seconds until the window ends, at least one. */
  secondsLeft(slot: number, now: number): number {
    return Math.max(1, Math.ceil(((this.#ends[slot] ?? 0) - now) / 1_000));
  }

  isGood(slot: number): boolean {
    return this.#good[slot] === 1;
  }

  setGood(key: number, now: number, good: boolean): void {
    this.#good[this.slotOf(key, now)] = good ? 1 : 0;
  }

  /** A clock that was set back must not leave a window open for longer than a window lasts. */
  #runs(slot: number, now: number): boolean {
    const left = (this.#ends[slot] ?? 0) - now;
    return left > 0 && left <= this.quota.windowMs;
  }

  #restart(slot: number, now: number): void {
    this.#ends[slot] = now + this.quota.windowMs;
    this.#counts[slot] = 0;
  }
}

/**
 * A 53-bit hash of what identifies a caller, seeded anew by each process: nobody can choose a text that is counted as
 * another's, and no token is kept. Not cryptographic; it only has to be quick and unforeseeable.
 */
const seed = randomBytes(8);
const seedLow = seed.readUInt32LE(0);
const seedHigh = seed.readUInt32LE(4);

export function keyOf(text: string, from = 0): number {
  let low = seedLow;
  let high = seedHigh;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    high = Math.imul(high ^ unit, 0x5f356495);
    low ^= high >>> 15;
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0) + 1;
}

/** `Bearer vat_…`, exactly: whatever else stands there is no access token and is counted by address. */
const BEARER_LENGTH = "Bearer vat_".length + 64;
const userKeyOf = (authorization: string | undefined): number =>
  authorization !== undefined &&
  authorization.length === BEARER_LENGTH &&
  authorization.startsWith("vat_", 7)
    ? keyOf(authorization, 7)
    : 0;

const CLIENT_TOKEN_LENGTH = "vct_".length + 43;
const clientKeyOf = (token: string | undefined): number =>
  token !== undefined && token.length === CLIENT_TOKEN_LENGTH ? keyOf(token) : 0;

const admitted: Admission = { refusal: undefined, headers: {}, user: 0, known: false, address: "" };

export const unlimited: RateLimiter = { admit: () => admitted, settle: () => undefined };

export function rateLimiter(
  given: Record<keyof typeof quotas, Quota> = quotas,
  now: () => number = clock,
): RateLimiter {
  const users = new Counter(given.user);
  const clients = new Counter(given.client);
  const addresses = new Counter(given.address);

  function admit({ authorization, clientToken, address }: Caller): Admission {
    const at = now();
    const user = userKeyOf(authorization);
    const client = clientKeyOf(clientToken);

    const counted: [Counter, number][] = [];
    let refusing: [Counter, number] | undefined;
    const count = (counter: Counter, slot: number) => {
      counted.push([counter, slot]);
      if (!counter.take(slot)) refusing ??= [counter, slot];
    };
    let known = false;
    if (user > 0) {
      const slot = users.slotOf(user, at);
      count(users, slot);
      known = users.isGood(slot);
      if (!known) {
        const here = addresses.slotOf(keyOf(networkOf(address)), at);
        if (addresses.remaining(here) === 0) {
          counted.push([addresses, here]);
          refusing ??= [addresses, here];
        }
      }
    } else count(addresses, addresses.slotOf(keyOf(networkOf(address)), at));
    if (client > 0) count(clients, clients.slotOf(client, at));

    const headers = headersOf(counted, at);
    if (!refusing) return { refusal: undefined, headers, user, known, address };
    const [counter, slot] = refusing;
    observe({ kind: "rate-limited", policy: counter.quota.name });
    const refusal = tooMany(counter.quota, counter.secondsLeft(slot, at));
    return { refusal, headers, user: 0, known, address };
  }

  function settle({ user, known, address }: Admission, identified: boolean): void {
    if (user === 0) return;
    if (known !== identified) users.setGood(user, now(), identified);
    if (!identified) addresses.take(addresses.slotOf(keyOf(networkOf(address)), now()));
  }

  return { admit, settle };
}

function headersOf(counted: readonly [Counter, number][], now: number): Record<string, string> {
  let policies = "";
  let states = "";
  for (const [counter, slot] of counted) {
    const { name, requests, windowMs } = counter.quota;
    const comma = policies && ", ";
    policies += `${comma}"${name}";q=${requests};w=${windowMs / 1_000}`;
    states += `${comma}"${name}";r=${counter.remaining(slot)};t=${counter.secondsLeft(slot, now)}`;
  }
  return { "RateLimit-Policy": policies, "RateLimit": states };
}

function tooMany({ name, requests, windowMs }: Quota, seconds: number): ApiError {
  const detail = `At most ${requests} requests in ${windowMs / 1_000} s for each ${name}.`;
  return new ApiError([problem("rate-limited", detail)], { "Retry-After": String(seconds) });
}
