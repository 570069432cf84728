import { createHmac } from "node:crypto";
import { networkOf } from "../../access/address.ts";
import { SECOND } from "../../base/clock.ts";
import { ApiError, problem, type UnruledCode } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { observe } from "../../base/observe.ts";
import { turnsByKey } from "../../base/turns.ts";
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
 *
 * Rows are keyed by a keyed hash, so that a backup does not reveal who tried to log in where.
 */
export interface ThrottleKeys {
  who: Buffer;
  address: Buffer;
}

/** `who` identifies the target of guessing. */
export function throttleKeys(
  key: Uint8Array,
  kind: keyof typeof addressKinds,
  who: readonly string[],
  address: string,
): ThrottleKeys {
  const hash = (parts: readonly string[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  return { who: hash([kind, ...who]), address: hash([addressKinds[kind], networkOf(address)]) };
}

/** The counters of an address. All guesses count together. */
const addressKinds = {
  "login": "address",
  "password-change": "address",
  "password-reset-confirmation": "address",
  "lookup": "lookup-address",
  "password-reset": "reset-address",
} as const;

/**
 * The statements about one counter take turns on this node, before they have a connection. Otherwise tries from one address
 * would hold every connection of the pool while they wait for the same row.
 */
const inTurn = turnsByKey({
  atOnce: 1,
  waitMsMax: limits.throttleWaitMsMax,
  busy: "Too many tries from this network are waiting.",
});

const turnOf = <Result>(key: Buffer, work: () => Promise<Result>): Promise<Result> =>
  inTurn(key.toString("base64"), work);

/** Counts a try at both counters, in the order in which the statements lock them. */
const charge = (db: Db, statement: string, { address, who }: ThrottleKeys) =>
  turnOf(address, () =>
    turnOf(who, async () => {
      const rows = await db.queryArrays(statement, [address, who], { prepared: true });
      return rows[0] as unknown as [addressRefused: boolean, whoRefused: boolean];
    }),
  );

const WINDOW = `make_interval(secs => ${limits.loginWindowMs / SECOND})`;

interface Rule {
  /** The wait after the free tries: 1 s, 2 s, 4 s, up to the maximum. */
  heardFrom: string;
  heard: string;
}

function rule(free: number, longestMs: number): Rule {
  const seconds = `least(${longestMs / SECOND}, power(2, least(login_throttles.failures - ${free}, 20)))`;
  const heardFrom = `login_throttles.last_at + make_interval(secs => ${seconds})`;
  // Free tries ignore times, because the clocks of concurrent tries may disagree with their order.
  return { heardFrom, heard: `login_throttles.failures < ${free} or ${heardFrom} <= now()` };
}

const addressRule = rule(limits.loginFailuresFreePerAddress, limits.loginDelayMsMaxPerAddress);
const whoRule = rule(limits.loginFailuresFree, limits.loginDelayMsMax);

// The window starts at the first failure and does not move.
const COUNT_ONE = `
  set failures = case when login_throttles.first_at <= now() - ${WINDOW} then 1
                      else login_throttles.failures + 1 end,
      first_at = case when login_throttles.first_at <= now() - ${WINDOW} then now()
                      else login_throttles.first_at end,
      last_at = now()`;

/**
 * One statement decides and counts. The upsert's condition sees the locked row, so concurrent tries cannot all be the
 * last free one. The address is counted before the log-in, which also fixes the lock order.
 */
const CHARGE = `
  with address as (
    insert into login_throttles (key, failures, first_at, last_at) values ($1, 1, now(), now())
    on conflict (key) do update ${COUNT_ONE}
    where ${addressRule.heard}
      or login_throttles.first_at <= now() - ${WINDOW}
    returning failures
  ), who as (
    insert into login_throttles (key, failures, first_at, last_at)
    select $2, 1, now(), now() from address
    on conflict (key) do update ${COUNT_ONE}
    where ${whoRule.heard}
      or login_throttles.first_at <= now() - ${WINDOW}
      or (select failures from address) <= ${limits.loginFailuresOfFreshAddress}
    returning failures
  )
  select (select failures from address) is null, (select failures from who) is null`;

/** Counts a try, or throws 429 with the time to wait. */
export async function chargeTry(db: Db, keys: ThrottleKeys): Promise<void> {
  const [addressRefused, whoRefused] = await charge(db, CHARGE, keys);
  if (!addressRefused && !whoRefused) return;

  observe({ kind: "login", outcome: "throttled" });
  // Refund the address, because the log-in rejected the try.
  if (!addressRefused) await giveBack(db, keys.address);
  const [refusing, { heardFrom }] = addressRefused
    ? ([keys.address, addressRule] as const)
    : ([keys.who, whoRule] as const);
  const [wait] = await db.query<{ seconds: number }[]>(
    `select extract(epoch from least(${heardFrom}, first_at + ${WINDOW}) - now())::float8 as seconds
     from login_throttles where key = $1`,
    [refusing],
    { prepared: true },
  );
  throw refused("login-throttled", "Too many failed tries.", wait?.seconds);
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
  await giveBack(db, keys.address);
  await changeOf(db, keys.who, () => db`delete from login_throttles where key = ${keys.who}`);
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
  await giveBack(db, keys.address);
  await giveBack(db, keys.who);
}

const giveBack = (db: Db | Tx, key: Buffer): Promise<unknown> =>
  changeOf(
    db,
    key,
    () => db`
      update login_throttles set failures = failures - 1 where key = ${key} and failures > 0`,
  );

/** A transaction has a connection already, and must not wait for a turn with it. */
const changeOf = (db: Db | Tx, key: Buffer, statement: () => Promise<unknown>): Promise<unknown> =>
  db.kind === "transaction" ? statement() : turnOf(key, statement);

const CHARGE_LOOKUP = `
  with address as (
    insert into login_throttles (key, failures, first_at, last_at) values ($1, 1, now(), now())
    on conflict (key) do update ${COUNT_ONE}
    where login_throttles.failures < ${limits.usernameLookupsPerAddressPerHour}
      or login_throttles.first_at <= now() - ${WINDOW}
    returning failures
  ), who as (
    insert into login_throttles (key, failures, first_at, last_at)
    select $2, 1, now(), now() from address
    on conflict (key) do update ${COUNT_ONE}
    where login_throttles.failures < ${limits.usernameLookupsPerEmailPerHour}
      or login_throttles.first_at <= now() - ${WINDOW}
    returning failures
  )
  select (select failures from address) is null, (select failures from who) is null`;

/** Look-ups of accounts by e-mail and password resets are counted whether or not they find any. */
export async function chargeLookup(db: Db, keys: ThrottleKeys): Promise<void> {
  const [addressRefused, whoRefused] = await charge(db, CHARGE_LOOKUP, keys);
  if (!addressRefused && !whoRefused) return;

  observe({ kind: "rate-limited", policy: "username-lookups" });
  const [wait] = await db.query<{ seconds: number }[]>(
    `select extract(epoch from first_at + ${WINDOW} - now())::float8 as seconds
     from login_throttles where key = $1`,
    [addressRefused ? keys.address : keys.who],
    { prepared: true },
  );
  throw refused(
    "rate-limited",
    "Too many requests for this e-mail address or from this network.",
    wait?.seconds,
  );
}

function refused(code: UnruledCode, detail: string, seconds = 1): ApiError {
  return new ApiError([problem(code, detail)], {
    // Allow for the rounding of stored times to milliseconds.
    "Retry-After": String(Math.max(1, Math.ceil(seconds - 0.002))),
  });
}

/** Deletes counters whose window has passed. Any node may call it at any time. */
export async function sweepThrottles(db: Db): Promise<number> {
  const { count } = await db.query(`delete from login_throttles where last_at < now() - ${WINDOW}`);
  return count;
}
