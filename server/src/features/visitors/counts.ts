import { createHmac } from "node:crypto";
import { networkOf } from "../../access/address.ts";
import { foldEmail } from "../../access/logins.ts";
import { DAY } from "../../base/clock.ts";
import { ApiError, problem, unavailable } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { observe } from "../../base/observe.ts";
import { turnsByKey } from "../../base/turns.ts";
import type { Db, Queryable, Tx } from "../../store/db.ts";

/**
 * The limits of what visitors write, counted in the database, so that all nodes share them. Each window begins with its first
 * request. One statement per limit counts under the lock of the row, so parallel requests cannot exceed it. Requests count
 * whether or not their documents are rejected.
 *
 * Each limit counts the requests that the limits before it admit: those of a network in a minute, in a day, of the account, of
 * the form. Otherwise one sender could close a form for all others.
 */

interface Counted {
  requests: number;
  /** The rest of the window. */
  seconds: number;
}

interface Limit {
  requests: number;
  windowMs: number;
  detail: string;
}

const perMinute: Limit = {
  requests: limits.visitsPerAddress,
  windowMs: limits.visitsPerAddressMs,
  detail: `At most ${limits.visitsPerAddress} submissions and requests a minute from one network.`,
};

const perDay: Limit = {
  requests: limits.visitsPerAddressAndDay,
  windowMs: DAY,
  detail: `At most ${limits.visitsPerAddressAndDay} submissions and requests a day from one network.`,
};

const perPlace = (requests: number, called: string): Limit => ({
  requests,
  windowMs: limits.visitsPerPlaceMs,
  detail: `At most ${requests} submissions and requests an hour for one ${called}.`,
});

const perAccount = perPlace(limits.visitsPerAccount, "account");
const perForm = perPlace(limits.visitsPerForm, "form");

/** A backup of the database does not reveal what was hashed. */
export const keyedHash = (key: Uint8Array, ...parts: readonly string[]): Buffer =>
  createHmac("sha256", key).update(JSON.stringify(parts)).digest();

/**
 * The requests of one network take turns on this node, before they have a connection. Otherwise a flood from it would hold
 * every connection of the pool while it waits for one row.
 */
const inTurn = turnsByKey({
  atOnce: 1,
  waitMsMax: limits.throttleWaitMsMax,
  busy: "Too many requests from this network are waiting.",
});

/** Counts a request at its network and its account. Throws 429, or 503 if it cannot be counted. */
export async function countVisit(
  db: Db,
  key: Uint8Array,
  { accountId, address }: { accountId: string; address: string },
): Promise<void> {
  const network = networkOf(address);
  await orUnavailable(accountId, () =>
    inTurn(network, async () => {
      refuseBeyond(perMinute, await countAt(db, keyedHash(key, "minute", network), perMinute));
      refuseBeyond(perDay, await countAt(db, keyedHash(key, "day", network), perDay));
    }),
  );
  await countPlace(db, { accountId, subjectId: accountId }, perAccount);
}

/** Counts a submission of a form, which may not exist. */
export const countForm = (db: Db, accountId: string, formId: string): Promise<void> =>
  countPlace(db, { accountId, subjectId: formId }, perForm);

async function countPlace(
  db: Db,
  { accountId, subjectId }: { accountId: string; subjectId: string },
  limit: Limit,
): Promise<void> {
  const [counted] = await orUnavailable(
    accountId,
    () => db.ofAccount(accountId)<Counted[]>`
      insert into visit_counts as counted (account_id, subject_id, requests, ends_at)
      values (${accountId}, ${subjectId}, 1, now() + ${limit.windowMs} * interval '1 millisecond')
      on conflict (account_id, subject_id) do update set ${oneMore(db)}
      returning requests, extract(epoch from ends_at - now())::float8 as seconds`,
  );
  refuseBeyond(limit, counted);
}

/**
 * Counts a mail to an address at home, and returns whether it may be sent. It is one of the last statements of a transaction,
 * because at home it keeps the row until the commit.
 */
export async function countMail(tx: Tx, key: Uint8Array, email: string): Promise<boolean> {
  const counted = await countAt(tx.home ?? tx, keyedHash(key, "mail", foldEmail(email)), {
    windowMs: DAY,
  });
  return counted !== undefined && counted.requests <= limits.visitMailsPerAddressAndDay;
}

async function countAt(
  db: Db | Tx,
  key: Buffer,
  { windowMs }: Pick<Limit, "windowMs">,
): Promise<Counted | undefined> {
  const [counted] = await db<Counted[]>`
    insert into visitor_counts as counted (key, requests, ends_at)
    values (${key}, 1, now() + ${windowMs} * interval '1 millisecond')
    on conflict (key) do update set ${oneMore(db)}
    returning requests, extract(epoch from ends_at - now())::float8 as seconds`;
  return counted;
}

/** A fragment of the statements above. A window that has passed begins again. */
const oneMore = (db: Queryable) => db`
  requests = case when counted.ends_at <= now() then 1 else counted.requests + 1 end,
  ends_at = case when counted.ends_at <= now() then excluded.ends_at else counted.ends_at end`;

function refuseBeyond({ detail, requests }: Limit, counted: Counted | undefined): void {
  if (counted !== undefined && counted.requests <= requests) return;
  observe({ kind: "rate-limited", policy: "visits" });
  // Allow for the rounding of stored times to milliseconds.
  const seconds = Math.max(1, Math.ceil((counted?.seconds ?? 1) - 0.002));
  throw new ApiError([problem("rate-limited", detail)], { "Retry-After": String(seconds) });
}

/** A request that cannot be counted is not served. */
async function orUnavailable<T>(accountId: string, count: () => PromiseLike<T>): Promise<T> {
  try {
    return await count();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    observe({ kind: "action-not-counted", action: "visit", accountId, error });
    throw unavailable(5, "Submissions and requests cannot be counted now. Retry later.");
  }
}

/** Deletes counters whose window has passed. Any node may call it at any time. */
export async function sweepCounts(db: Db): Promise<number> {
  const visitors = await db`delete from visitor_counts where ends_at <= now()`;
  const places = await db`delete from visit_counts where ends_at <= now()`;
  return visitors.count + places.count;
}
