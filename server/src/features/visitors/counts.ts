import { networkOf } from "../../access/address.ts";
import { foldEmail } from "../../access/logins.ts";
import { DAY } from "../../base/clock.ts";
import { ApiError, unavailable } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { observe } from "../../base/observe.ts";
import { admit, count, keyedHash, type Policy } from "../../store/counters.ts";
import type { Db, Tx } from "../../store/db.ts";

/**
 * The limits of what visitors write. Requests count whether or not their documents are rejected.
 *
 * Each limit counts the requests that the limits before it admit: those of a network in a minute, in a day, of the account, of
 * the form. Otherwise one sender could close a form for all others.
 */

const visits = (requests: number, windowMs: number, per: string): Policy => ({
  requests,
  windowMs,
  code: "rate-limited",
  detail: `At most ${requests} submissions and requests ${per}.`,
  observation: { kind: "rate-limited", policy: "visits" },
});

const perMinute = visits(
  limits.visitsPerAddress,
  limits.visitsPerAddressMs,
  "a minute from one network",
);
const perDay = visits(limits.visitsPerAddressAndDay, DAY, "a day from one network");
const perAccount = visits(
  limits.visitsPerAccount,
  limits.visitsPerPlaceMs,
  "an hour for one account",
);
const perForm = visits(limits.visitsPerForm, limits.visitsPerPlaceMs, "an hour for one form");
const mails = { requests: limits.visitMailsPerAddressAndDay, windowMs: DAY };

/** Counts a request at its network and its account. Throws 429, or 503 if it cannot be counted. */
export const countVisit = (
  db: Db,
  key: Uint8Array,
  { accountId, address }: { accountId: string; address: string },
): Promise<void> =>
  orUnavailable(accountId, async () => {
    const network = networkOf(address);
    await admit(db, keyedHash(key, "minute", network), perMinute);
    await admit(db, keyedHash(key, "day", network), perDay);
    await admit(db, keyedHash(key, "account", accountId), perAccount);
  });

/** Counts a submission of a form, which may not exist. */
export const countForm = (
  db: Db,
  key: Uint8Array,
  { accountId, formId }: { accountId: string; formId: string },
): Promise<void> =>
  orUnavailable(accountId, async () => {
    await admit(db, keyedHash(key, "form", accountId, formId), perForm);
  });

/**
 * Counts a mail to an address at home, and returns whether it may be sent. It is one of the last statements of a transaction,
 * because at home it keeps the row until the commit.
 */
export const countMail = async (tx: Tx, key: Uint8Array, email: string): Promise<boolean> =>
  (await count(tx.home ?? tx, keyedHash(key, "mail", foldEmail(email)), mails)) !== undefined;

/** A request that cannot be counted is not served. */
async function orUnavailable(accountId: string, counts: () => Promise<void>): Promise<void> {
  try {
    await counts();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    observe({ kind: "action-not-counted", action: "visit", accountId, error });
    throw unavailable(5, "Submissions and requests cannot be counted now. Retry later.");
  }
}
