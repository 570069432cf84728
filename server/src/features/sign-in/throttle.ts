import { createHmac } from "node:crypto";
import { networkOf } from "../../access/address.ts";
import { SECOND } from "../../base/clock.ts";
import { ApiError, type Code, problem } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { observe } from "../../base/observe.ts";
import type { Db, Queryable } from "../../store/db.ts";

/**
 * Slows guessing down without ever shutting out the person whose password is guessed.
 *
 * Two counts in the database, so that they hold over nodes and restarts: failures at one login (church and e-mail,
 * whether or not they exist) and failures from one address. Beyond a few free ones, each failure doubles how long
 * that login, or that address, has to wait for its next try. A try that comes too early is refused unseen and counts
 * for nothing.
 *
 * Waiting alone would let anybody lock anybody out, by guessing just often enough. So an address that has hardly
 * failed of late is heard even while the login waits. Whoever guesses uses such addresses up, a few tries each; whoever
 * knows the password needs one.
 *
 * A try is counted as failed before the password is looked at, and given back when it was right. Counted afterwards,
 * a thousand tries at once would all be let through before the first of them failed.
 *
 * The rows are found by a keyed hash: who tried to log in where is nobody's business, also in a backup.
 */
export interface ThrottleKeys {
  who: Buffer;
  address: Buffer;
}

/** `who` is what is guessed at; any parts will do that name it. */
export function throttleKeys(
  key: Uint8Array,
  kind: "login" | "lookup" | "password-change",
  who: readonly string[],
  address: string,
): ThrottleKeys {
  const hash = (parts: readonly string[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  // All guessing at passwords counts against one address.
  const addressKind = kind === "lookup" ? "lookup-address" : "address";
  return { who: hash([kind, ...who]), address: hash([addressKind, networkOf(address)]) };
}

const WINDOW = `make_interval(secs => ${limits.loginWindowMs / SECOND})`;

interface Rule {
  /** When the next try is heard, once the free ones are used up: after 1 s, 2 s, 4 s, … the longest. */
  heardFrom: string;
  heard: string;
}

function rule(free: number, longestMs: number): Rule {
  const seconds = `least(${longestMs / SECOND}, power(2, least(login_throttles.failures - ${free}, 20)))`;
  const heardFrom = `login_throttles.last_at + make_interval(secs => ${seconds})`;
  // Free is free, whatever the times: two nodes' tries at one moment may have started in another order than they count.
  return { heardFrom, heard: `login_throttles.failures < ${free} or ${heardFrom} <= now()` };
}

const addressRule = rule(limits.loginFailuresFreePerAddress, limits.loginDelayMsMaxPerAddress);
const whoRule = rule(limits.loginFailuresFree, limits.loginDelayMsMax);

// The window is fixed, from the first failure: however persistent somebody is, every hour starts afresh.
const COUNT_ONE = `
  set failures = case when login_throttles.first_at <= now() - ${WINDOW} then 1
                      else login_throttles.failures + 1 end,
      first_at = case when login_throttles.first_at <= now() - ${WINDOW} then now()
                      else login_throttles.first_at end,
      last_at = now()`;

/**
 * One statement decides and counts. The condition of an upsert is judged on the locked row, so that tries made at the
 * same moment queue up and cannot all be the last free one. The address is counted first, and what it refuses does not
 * reach the login's count; every try takes its locks in that order, so none waits in a circle.
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

/** Counts a try, or refuses it with 429 and the time after which it will be heard. */
export async function chargeTry(db: Db, keys: ThrottleKeys): Promise<void> {
  const rows = await db.queryArrays(CHARGE, [keys.address, keys.who], { prepared: true });
  const [addressRefused, whoRefused] = rows[0] as unknown as [boolean, boolean];
  if (!addressRefused && !whoRefused) return;

  observe({ kind: "login", outcome: "throttled" });
  // The address was charged before the login refused: a try that is not heard counts for neither.
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
 * The password was right: the login starts afresh, and the address gets back what this try was charged. It gets back
 * no more, since otherwise a guesser would log in with a password of their own between any two guesses.
 */
export async function refundTry(db: Queryable, keys: ThrottleKeys): Promise<void> {
  await giveBack(db, keys.address);
  await db`delete from login_throttles where key = ${keys.who}`;
}

/**
 * Looks at the password of a try that was charged. Not heard is not wrong: when too many others are looked at just now,
 * what this try was charged goes back, and nothing else is forgiven.
 */
export async function heard<Result>(
  db: Db,
  keys: ThrottleKeys,
  look: () => Promise<Result>,
): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    await giveBack(db, keys.address);
    await giveBack(db, keys.who);
    throw error;
  }
}

async function giveBack(db: Queryable, key: Buffer): Promise<void> {
  await db`
    update login_throttles set failures = failures - 1 where key = ${key} and failures > 0`;
}

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

/** Looking up churches by e-mail is counted whether or not it finds any: so many an hour, and no more. */
export async function chargeLookup(db: Db, keys: ThrottleKeys): Promise<void> {
  const rows = await db.queryArrays(CHARGE_LOOKUP, [keys.address, keys.who], { prepared: true });
  const [addressRefused, whoRefused] = rows[0] as unknown as [boolean, boolean];
  if (!addressRefused && !whoRefused) return;

  observe({ kind: "rate-limited", policy: "username-lookups" });
  const [wait] = await db.query<{ seconds: number }[]>(
    `select extract(epoch from first_at + ${WINDOW} - now())::float8 as seconds
     from login_throttles where key = $1`,
    [addressRefused ? keys.address : keys.who],
    { prepared: true },
  );
  throw refused("rate-limited", "Too many look-ups.", wait?.seconds);
}

function refused(code: Code, detail: string, seconds = 1): ApiError {
  return new ApiError([problem(code, detail)], {
    // Stored times are rounded to milliseconds, up as well: a second that is half a millisecond longer is a second.
    "Retry-After": String(Math.max(1, Math.ceil(seconds - 0.002))),
  });
}

/** Deletes counters whose window has passed. Any node may call it at any time. */
export async function sweepThrottles(db: Db): Promise<number> {
  const { count } = await db.query(`delete from login_throttles where last_at < now() - ${WINDOW}`);
  return count;
}
