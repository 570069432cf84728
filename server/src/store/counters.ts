import { createHmac } from "node:crypto";
import { ApiError, problem } from "../base/errors.ts";
import { limits } from "../base/limits.ts";
import { type Observation, observe } from "../base/observe.ts";
import { turnsByKey } from "../base/turns.ts";
import type { Db, Tx } from "./db.ts";

/**
 * Counters of requests that all nodes share: tries of a password, look-ups of accounts, submissions of visitors. They belong to no
 * account and are counted at home, because the account of a request may not exist.
 *
 * A window begins with the first request that is counted, and does not move. One statement decides and counts under the lock of the
 * row, so parallel requests cannot exceed a limit. A refused request does not count.
 */
interface Window {
  /** So many requests of a window pass. */
  requests: number;
  windowMs: number;
  /** The longest wait of further requests: 1 s, 2 s, 4 s, up to this. The default is that they wait for the end of the window. */
  waitMsMax?: number;
  /** An exempt request passes only while the window has fewer. The default is no limit. */
  exemptMax?: number;
}

export interface Policy extends Window {
  code: "rate-limited" | "login-throttled";
  detail: string;
  /** Named in the answer, where several limits have one code. */
  limit?: string;
  /** Reported for each refused request. */
  observation: Observation;
}

/** The key of a counter, or of anything else that a backup of the database must not reveal. */
export const keyedHash = (key: Uint8Array, ...parts: readonly string[]): Buffer =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest();

/**
 * The statements about one counter take turns on this node, before they have a connection. Otherwise a flood from one network
 * would hold every connection of the pool while it waits for one row.
 */
const inTurn = turnsByKey({
  atOnce: 1,
  waitMsMax: limits.throttleWaitMsMax,
  busy: "Too many requests are waiting to be counted.",
});

/** A transaction has a connection already, and must not wait for a turn with it. */
const turnOf = <T>(db: Db | Tx, key: Buffer, statement: () => Promise<T>): Promise<T> =>
  db.kind === "transaction" ? statement() : inTurn(key.toString("base64"), statement);

const INTEGER_MAX = 2_147_483_647;

/** Counts a request. Returns how many the window has, or undefined if the request is refused. */
export async function count(
  db: Db | Tx,
  key: Buffer,
  window: Window,
  { isExempt = false }: { isExempt?: boolean } = {},
): Promise<number | undefined> {
  // Requests within the limit ignore times, because the clocks of concurrent ones may disagree with their order.
  const [counted] = await turnOf(
    db,
    key,
    () => db<{ requests: number }[]>`
      insert into counters as counter (key, requests, ends_at, last_at)
      values (${key}, 1, now() + ${window.windowMs} * interval '1 millisecond', now())
      on conflict (key) do update set
        requests = case when counter.ends_at <= now() then 1 else counter.requests + 1 end,
        ends_at = case when counter.ends_at <= now() then excluded.ends_at else counter.ends_at end,
        last_at = now()
      where counter.requests < ${window.requests} or ${freeAt(db, window)} <= now() or (${isExempt}::boolean and counter.requests < ${window.exemptMax ?? INTEGER_MAX})
      returning requests`,
  );
  return counted?.requests;
}

/** The time at which a counter admits one more request. */
const freeAt = (db: Db | Tx, { requests, waitMsMax }: Window) =>
  waitMsMax === undefined
    ? db`counter.ends_at`
    : db`least(counter.ends_at, counter.last_at + interval '1 millisecond'
        * least(${waitMsMax}, 1000 * power(2, least(counter.requests - ${requests}, 20))))`;

/** Counts a request and returns how many the window has, or throws 429 with the time to wait. */
export async function admit(
  db: Db | Tx,
  key: Buffer,
  policy: Policy,
  options?: { isExempt: boolean },
): Promise<number> {
  const requests = await count(db, key, policy, options);
  if (requests !== undefined) return requests;
  observe(policy.observation);
  const [wait] = await db<{ seconds: number }[]>`
    select extract(epoch from ${freeAt(db, policy)} - now())::float8 as seconds
    from counters counter where key = ${key}`;
  // Allow for the rounding of stored times to milliseconds.
  const seconds = Math.max(1, Math.ceil((wait?.seconds ?? 1) - 0.002));
  const meta = policy.limit === undefined ? undefined : { limit: policy.limit };
  throw new ApiError([problem(policy.code, policy.detail, undefined, meta)], {
    "Retry-After": String(seconds),
  });
}

/** Gives one request back. */
export const uncount = (db: Db | Tx, key: Buffer): Promise<unknown> =>
  turnOf(
    db,
    key,
    () => db`update counters set requests = requests - 1 where key = ${key} and requests > 0`,
  );

/** Gives all requests back. */
export const resetCounter = (db: Db | Tx, key: Buffer): Promise<unknown> =>
  turnOf(db, key, () => db`delete from counters where key = ${key}`);

/** Deletes counters whose window has passed. Any node may call it at any time. */
export async function sweepCounters(db: Db): Promise<number> {
  const { count: swept } = await db`delete from counters where ends_at <= now()`;
  return swept;
}
