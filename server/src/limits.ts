import assert from "node:assert/strict";
import { DAY, HOUR, MINUTE, SECOND } from "./clock.ts";

/** Every limit of the service, with its unit in its name. The interface names most of them. */
export const limits = {
  bodyBytesMax: 1_048_576,
  headerBytesMax: 16_384,
  nestingDepthMax: 32,
  bodyMsMax: 20 * SECOND,

  pageSizeMax: 100,
  pageSizeDefault: 100,
  pageNumberMax: 1_000_000,
  includedMax: 1_000,
  includeDepthMax: 2,
  linkageMax: 200,
  filterValuesMax: 100,
  relationshipWriteMax: 200,

  idempotencyKeyLengthMax: 128,
  idempotencyMs: DAY,

  passwordLengthMin: 6,
  passwordLengthMax: 140,
  passwordHashesAtOnce: 2,
  passwordQueueMax: 32,
  accessTokenMs: 365 * DAY,

  /** Failures of one (account, e-mail) before the delay starts to grow, and how long it may become. */
  loginFailuresFree: 5,
  loginFailuresFreePerAddress: 20,
  loginDelayMsMax: 15 * MINUTE,
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
} as const;

assert.ok(limits.pageSizeDefault <= limits.pageSizeMax);
assert.ok(limits.linkageMax <= limits.includedMax);
