import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { networkOf } from "../../access/address.ts";
import { foldEmail } from "../../access/logins.ts";
import { bucketOf } from "../../base/buckets.ts";
import { DAY, MINUTE, SECOND } from "../../base/clock.ts";
import { ApiError, problem, unavailable } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { observe } from "../../base/observe.ts";
import { admit, count, keyedHash, type Policy } from "../../store/counters.ts";
import type { Db, Tx } from "../../store/db.ts";

/**
 * The limits of what visitors write. A request that carries nothing of the service's counts at its network and nowhere else.
 * Otherwise one sender could close a form for all others. A form and an account count the requests that they store.
 * `VISITOR_LIMITS` switches all of them off.
 */
export interface VisitLimits {
  /** Counts a request at its network. Throws 429, or 503 if it cannot be counted. */
  countVisit(sender: Sender, sign: Sign): Promise<void>;
  /**
   * Counts what the transaction stores. Throws 429. It is one of the last statements, because the counters at home stay locked
   * until the commit.
   */
  countStored(tx: Tx, place: VisitedPlace): Promise<void>;
}

export interface Sender {
  accountId: string;
  address: string;
  /** An integration with a client token sends what many visitors typed. */
  isIntegration?: boolean;
}

/**
 * The reason to believe that a request comes from a page that the service has shown: a token or a proof that the service signed,
 * or, from a browser without script, only the page that sends it.
 */
export type Sign = "signed" | "page" | "none";

export interface VisitedPlace {
  accountId: string;
  form?: { id: string; perHour: number };
}

type Named = "refused" | "network" | "form" | "account";

const detailOf = (requests: number, per: string): string =>
  `At most ${requests} submissions and requests ${per}.`;

const visits = (limit: Named, requests: number, windowMs: number, per: string): Policy => ({
  requests,
  windowMs,
  limit,
  code: "rate-limited",
  detail: detailOf(requests, per),
  observation: { kind: "rate-limited", policy: "visits" },
});

const A_MINUTE = "a minute from one network";

const perMinute = visits("network", limits.visitsPerNetwork, MINUTE, A_MINUTE);
const perDay = visits("network", limits.visitsPerNetworkAndDay, DAY, "a day from one network");
const ofIntegration = visits("network", limits.visitsPerIntegration, MINUTE, A_MINUTE);
const withoutProof = visits(
  "network",
  limits.visitsWithoutProofPerNetwork,
  MINUTE,
  `without a proof ${A_MINUTE}`,
);
const perAccount = visits(
  "account",
  limits.visitsPerAccount,
  limits.visitsPerPlaceMs,
  "an hour for one account",
);
const perForm = (requests: number): Policy =>
  visits("form", requests, limits.visitsPerPlaceMs, "an hour for one form");
const mails = { requests: limits.visitMailsPerAddressAndDay, windowMs: DAY };

/** One church hall is one network, and so is one subscriber. */
const visitedFrom = (address: string): string => networkOf(address, 56);

export function visitLimitsOf(db: Db, key: Uint8Array): VisitLimits {
  const refused = refusals();
  return {
    async countVisit({ accountId, address, isIntegration = false }, sign) {
      if (sign === "none") return refused(address);
      const network = visitedFrom(address);
      await orUnavailable(accountId, async () => {
        if (sign === "page") await admit(db, keyedHash(key, "page", network), withoutProof);
        if (isIntegration) {
          await admit(db, keyedHash(key, "integration", network), ofIntegration);
          return;
        }
        await admit(db, keyedHash(key, "minute", network), perMinute);
        await admit(db, keyedHash(key, "day", network), perDay);
      });
    },
    async countStored(tx, { accountId, form }) {
      const home = tx.home ?? tx;
      await orUnavailable(accountId, async () => {
        if (form)
          await admit(home, keyedHash(key, "form", accountId, form.id), perForm(form.perHour));
        await admit(home, keyedHash(key, "account", accountId), perAccount);
      });
    },
  };
}

export const noVisitLimits: VisitLimits = {
  countVisit: () => Promise.resolve(),
  countStored: () => Promise.resolve(),
};

/**
 * Counts requests without a sign at their network, in this process alone: they must not cost the database anything. Each node
 * grants the whole limit.
 */
function refusals(): (address: string) => Promise<void> {
  const minute = new RateLimiterMemory({
    points: limits.unsignedVisitsPerNetwork,
    duration: MINUTE / SECOND,
  });
  const day = new RateLimiterMemory({
    points: limits.unsignedVisitsPerNetworkAndDay,
    duration: DAY / SECOND,
  });
  return async (address) => {
    const bucket = bucketOf(visitedFrom(address));
    for (const limiter of [minute, day]) {
      const state = await limiter.penalty(bucket);
      if (state.consumedPoints > limiter.points) throw tooMany(state, limiter.points);
    }
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes, requests: number): ApiError {
  observe({ kind: "rate-limited", policy: "visits" });
  const detail = detailOf(requests, "without a valid token or proof from one network");
  const meta = { limit: "refused" satisfies Named };
  return new ApiError([problem("rate-limited", detail, undefined, meta)], {
    "Retry-After": String(Math.max(1, Math.ceil(msBeforeNext / SECOND))),
  });
}

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
