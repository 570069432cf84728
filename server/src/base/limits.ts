import assert from "node:assert/strict";
import { DAY, HOUR, MINUTE, SECOND } from "./clock.ts";

/** Every limit of the service, with its unit in its name. The interface names most of them. */
export const limits = {
  bodyBytesMax: 1_048_576,
  headerBytesMax: 16_384,
  nestingDepthMax: 32,
  /** Entries of an array, members of an object: no schema takes as many. */
  entriesMax: 1_000,
  /** Of a value; most of them say of a member that it is not null either. */
  schemaErrorsMax: 300,
  loginBodyBytesMax: 16_384,
  bodyMsMax: 20 * SECOND,
  /** How long `/readyz` waits for the database: less than balancers wait for `/readyz`. */
  readinessMsMax: 2 * SECOND,

  pageSizeMax: 100,
  pageSizeDefault: 100,
  pageNumberMax: 1_000_000,
  includedMax: 1_000,
  includeDepthMax: 2,
  linkageMax: 200,
  filterValuesMax: 100,
  searchWordsMax: 32,
  customFiltersMax: 10,
  sortsMax: 4,
  relationshipWriteMax: 200,

  idempotencyKeyLengthMax: 128,
  idempotencyMs: DAY,

  passwordLengthMin: 6,
  passwordLengthMax: 140,
  passwordHashesAtOnce: 2,
  passwordQueueMax: 32,
  accessTokenMs: 365 * DAY,
  /** How old what is known of a caller may be when their write commits. */
  callerMsMax: SECOND,

  /** Failures of one (account, e-mail) before the delay starts to grow, and how long it may become. */
  loginFailuresFree: 5,
  loginDelayMsMax: 15 * MINUTE,
  /** The same for an address. Its delay stays short: a whole church may sit behind one. */
  loginFailuresFreePerAddress: 20,
  loginDelayMsMaxPerAddress: MINUTE,
  /** An address with fewer failures than this is heard although others are guessing at the same person. */
  loginFailuresOfFreshAddress: 3,
  loginWindowMs: HOUR,
  usernameLookupsPerEmailPerHour: 10,
  usernameLookupsPerAddressPerHour: 20,

  requestsPerCredential: 300,
  requestsPerCredentialMs: 20 * SECOND,
  requestsPerClientToken: 3_000,
  requestsPerClientTokenMs: MINUTE,
  /** Requests without a credential, by address: log-ins and the public pages. */
  requestsPerAddress: 120,
  requestsPerAddressMs: MINUTE,

  customPropertiesPerResource: 100,

  /** Statement texts that one process prepares. Each connection keeps them all. */
  preparedStatementsMax: 1_000,
} as const;

assert.ok(limits.pageSizeDefault <= limits.pageSizeMax);
assert.ok(limits.linkageMax <= limits.includedMax);
// A delay must end before the failures it follows from are forgotten, or it could never reach its length.
assert.ok(limits.loginDelayMsMax < limits.loginWindowMs);
assert.ok(limits.loginFailuresOfFreshAddress < limits.loginFailuresFreePerAddress);

/** Who is counted: each access token, each client token, each address without a token. */
export const limitedCallers = ["user", "client", "address"] as const;

/** So many requests in so long, as an operator sets them; whoever is not named has the usual quota. */
export type GivenQuotas = Readonly<
  Partial<Record<(typeof limitedCallers)[number], { requests: number; windowMs: number }>>
>;
