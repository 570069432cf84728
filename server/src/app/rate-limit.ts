import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { networkOf } from "../access/address.ts";
import { bucketOf } from "../base/buckets.ts";
import { ApiError, problem } from "../base/errors.ts";
import { type GivenQuotas, limits } from "../base/limits.ts";
import { observe } from "../base/observe.ts";

/**
 * Limits the requests of one caller, counted by this process alone. Behind a load balancer, each node grants the whole
 * quota. The limit protects the service from a runaway client and is not part of the contract.
 *
 *   user     each access token
 *   client   each client token
 *   address  requests without an access token, and requests whose access token proved invalid
 *   public   reads of the public area, by address. Preflight requests have a quota of the same size of their own, and writes one of
 *            five times the size, because the limits of visitors count them exactly
 *   file     downloads by signed links, which carry no token, for each address
 *
 * Requests are counted before the database is asked. A wrong token costs one look-up, but a client that keeps sending
 * new wrong tokens uses up the quota of its address. From then on, only tokens that were valid before are looked up, so
 * that other clients behind the same address are not affected.
 */
export interface RateLimiter {
  admit(caller: Caller): Promise<Admission>;
  /** Records whether the caller was identified or rejected with 401. Call it for no other failure. */
  settle(admission: Admission, identified: boolean): void;
}

export interface Caller {
  authorization?: string | undefined;
  /** The token in the cookie of a browser session. */
  sessionToken?: string | undefined;
  clientToken?: string | undefined;
  address: string;
  /** Set for the public area, where tokens of people do not count. */
  visit?: "read" | "write" | "preflight" | undefined;
  /** A signed link to a file, which is the credential by itself. */
  isFile?: boolean;
}

export interface Admission {
  /** Undefined if the request may go on. */
  refusal: ApiError | undefined;
  /** Headers of every response, rejected or not. */
  headers: Readonly<Record<string, string>>;
  /** The bucket of the access token. Undefined if there is nothing to settle. */
  user: number | undefined;
  /** Whether the token was valid before. */
  known: boolean;
  address: string;
}

export interface Quota {
  name: string;
  requests: number;
  windowMs: number;
}

export const quotas = {
  user: {
    name: "user",
    requests: limits.requestsPerCredential,
    windowMs: limits.requestsPerCredentialMs,
  },
  client: {
    name: "client",
    requests: limits.requestsPerClientToken,
    windowMs: limits.requestsPerClientTokenMs,
  },
  address: {
    name: "address",
    requests: limits.requestsPerAddress,
    windowMs: limits.requestsPerAddressMs,
  },
  public: {
    name: "public",
    requests: limits.publicRequestsPerAddress,
    windowMs: limits.publicRequestsPerAddressMs,
  },
  file: {
    name: "file",
    requests: limits.fileRequestsPerAddress,
    windowMs: limits.requestsPerAddressMs,
  },
} as const satisfies Record<string, Quota>;

/** The operator's quotas, and the defaults where the operator set none. */
export const quotasWith = (given: GivenQuotas): Record<keyof typeof quotas, Quota> => ({
  user: { ...quotas.user, ...given.user },
  client: { ...quotas.client, ...given.client },
  address: { ...quotas.address, ...given.address },
  public: { ...quotas.public, ...given.public },
  file: { ...quotas.file, ...given.file },
});

/** `Bearer vat_…` or `vbt_…` in its exact length. Anything else is not an access token and is counted by address. */
const TOKEN_LENGTH = "vat_".length + 64;
const BEARER_LENGTH = "Bearer ".length + TOKEN_LENGTH;
function userOf({ authorization, sessionToken }: Caller): number | undefined {
  if (authorization?.length === BEARER_LENGTH && authorization.startsWith("vat_", 7))
    return bucketOf(authorization);
  if (sessionToken?.length === TOKEN_LENGTH && sessionToken.startsWith("vbt_"))
    return bucketOf(sessionToken);
  return undefined;
}

const CLIENT_TOKEN_LENGTH = "vct_".length + 43;
const clientOf = (token: string | undefined): number | undefined =>
  token?.length === CLIENT_TOKEN_LENGTH ? bucketOf(token) : undefined;

const admitted: Admission = {
  refusal: undefined,
  headers: {},
  user: undefined,
  known: false,
  address: "",
};

type Counted = readonly [quota: Quota, state: RateLimiterRes];

/** Limits of visitors and of other callers are switched off apart. */
export function rateLimiter(
  given: Record<keyof typeof quotas, Quota> = quotas,
  { callers = true, visitors = true }: { callers?: boolean; visitors?: boolean } = {},
): RateLimiter {
  const memory = ({ requests, windowMs }: Quota) =>
    new RateLimiterMemory({ points: requests, duration: windowMs / 1_000 });
  const users = memory(given.user);
  const clients = memory(given.client);
  const addresses = memory(given.address);
  const visits = memory(given.public);
  const written = { ...given.public, requests: 5 * given.public.requests };
  const writes = memory(written);
  const files = memory(given.file);
  /** Buckets whose last token was valid. */
  const valid = new Set<number>();

  async function admit(caller: Caller): Promise<Admission> {
    const { address, clientToken, isFile = false, visit } = caller;
    if (!(visit ? visitors : callers)) return admitted;
    const here = bucketOf(networkOf(address));
    const user = visit || isFile ? undefined : userOf(caller);
    const client = clientOf(clientToken);
    const known = user !== undefined && valid.has(user);

    const counted: Counted[] = [];
    if (visit) {
      const bucket = bucketOf(`${visit} ${networkOf(address, 56)}`);
      counted.push(
        visit === "write"
          ? [written, await writes.penalty(bucket)]
          : [given.public, await visits.penalty(bucket)],
      );
    } else if (isFile) counted.push([given.file, await files.penalty(here)]);
    else if (user === undefined) counted.push([given.address, await addresses.penalty(here)]);
    else {
      counted.push([given.user, await users.penalty(user)]);
      const spent = known ? null : await addresses.get(here);
      if (spent && spent.remainingPoints === 0)
        counted.push([given.address, await addresses.penalty(here)]);
    }
    if (client !== undefined) counted.push([given.client, await clients.penalty(client)]);

    const headers = headersOf(counted);
    const refusing = counted.find(
      ([{ requests }, { consumedPoints }]) => consumedPoints > requests,
    );
    if (!refusing) return { refusal: undefined, headers, user, known, address };
    observe({ kind: "rate-limited", policy: refusing[0].name });
    return { refusal: tooMany(refusing, visit), headers, user: undefined, known, address };
  }

  function settle({ user, address }: Admission, identified: boolean): void {
    if (user === undefined) return;
    if (identified) valid.add(user);
    else {
      valid.delete(user);
      void addresses.penalty(bucketOf(networkOf(address)));
    }
  }

  return { admit, settle };
}

/** Whole seconds until the window ends, at least one. */
const secondsLeft = ({ msBeforeNext }: RateLimiterRes): number =>
  Math.max(1, Math.ceil(msBeforeNext / 1_000));

const headersOf = (counted: readonly Counted[]): Record<string, string> => ({
  "RateLimit-Policy": counted
    .map(([{ name, requests, windowMs }]) => `"${name}";q=${requests};w=${windowMs / 1_000}`)
    .join(", "),
  "RateLimit": counted
    .map(([{ name }, state]) => `"${name}";r=${state.remainingPoints};t=${secondsLeft(state)}`)
    .join(", "),
});

function tooMany([{ name, requests, windowMs }, state]: Counted, visit: Caller["visit"]): ApiError {
  const detail = `At most ${requests} requests in ${windowMs / 1_000} s for each ${name}.`;
  const meta = visit && { limit: visit === "read" ? "reads" : "network" };
  return new ApiError([problem("rate-limited", detail, undefined, meta)], {
    "Retry-After": String(secondsLeft(state)),
  });
}
