import assert from "node:assert/strict";
import { DAY, HOUR, MINUTE, SECOND } from "./clock.ts";

/** The limits of the service. Each name contains the unit. */
export const limits = {
  bodyBytesMax: 1_048_576,
  headerBytesMax: 16_384,
  /** How much of a body that is too large is read and discarded, so that the client can read the 413. */
  lingerBytesMax: 16 * 1_048_576,
  lingerMsMax: 2 * SECOND,
  nestingDepthMax: 32,
  /** Entries of an array or members of an object. No schema allows more. */
  entriesMax: 1_000,
  /** Errors per value. A nullable member contributes two errors. */
  schemaErrorsMax: 300,
  loginBodyBytesMax: 16_384,
  bodyMsMax: 20 * SECOND,
  /** The time for an uploaded file. 20 MiB take eleven minutes at 256 kbit/s. */
  uploadMsMax: 15 * MINUTE,
  /** `/readyz` waits for the database less long than load balancers wait for `/readyz`. */
  readinessMsMax: 2 * SECOND,

  /** Audit entries are kept for 24 months. */
  journalMs: 731 * DAY,
  /** The feed of changes goes back this far. */
  changesMs: 30 * DAY,
  changesPageSizeMax: 1_000,
  /** Rows of the journal that one page looks at, whether or not the caller sees them. */
  changesScannedMax: 10_000,
  streamsPerPerson: 5,
  /** Per node and account. */
  streamsPerAccount: 200,
  streamMsMax: 15 * MINUTE,
  streamPollMs: SECOND / 4,
  /** The streams of an account that read at the same time. */
  streamReadsAtOnce: 4,
  streamCommentMs: 15 * SECOND,
  /** A listener that reads nothing for this long is disconnected. */
  streamStallMsMax: 10 * SECOND,

  pageSizeMax: 100,
  /** A page holds the attendances of a class. */
  attendancesPageSizeMax: 1_000,
  pageSizeDefault: 100,
  pageNumberMax: 1_000_000,
  includedMax: 1_000,
  includeDepthMax: 2,
  linkageMax: 200,
  filterValuesMax: 100,
  searchWordsMax: 32,
  customFiltersMax: 10,
  sortsMax: 4,
  /** With separators. */
  phoneLengthMax: 40,
  /** Texts with telephone numbers that a process keeps for each attribute. */
  phoneTextsMax: 10_000,
  relationshipWriteMax: 200,

  idempotencyKeyLengthMax: 128,
  idempotencyMs: DAY,

  /** The log-in accepts this length. Accounts can ask for more when a password is set. */
  passwordLengthMin: 6,
  newPasswordLengthMin: 8,
  newPasswordLengthMinMax: 64,
  passwordLengthMax: 140,
  passwordHashesAtOnce: 2,
  passwordQueueMax: 32,
  accessTokenMs: 365 * DAY,
  /** A browser session ends after this time without use, remembered or not, and never lasts longer than the maximum. */
  sessionIdleMs: 12 * HOUR,
  sessionRememberedMs: 30 * DAY,
  sessionMsMax: 90 * DAY,
  /** A browser is known for a person for this long after a log-in. */
  knownDeviceMs: 365 * DAY,
  /** Use of a token is recorded once in this time. */
  tokenUseMs: HOUR,
  /** Accounts in which a log-in without an account tries the password. */
  accountsPerLoginMax: 10,
  invitationMs: 72 * HOUR,
  /** The link of an invitation that is over leads to nothing. Staff can still read when it was sent. */
  invitationKeptMs: 30 * DAY,
  passwordResetMs: HOUR,
  /** The maximum age of the caller's rights when a write commits. */
  callerMsMax: SECOND,

  /** Failures per account and e-mail before a delay starts to grow, and the longest delay. */
  loginFailuresFree: 5,
  loginDelayMsMax: 15 * MINUTE,
  /** The same per network address. The delay stays short, because a whole congregation may share one address. */
  loginFailuresFreePerAddress: 20,
  loginDelayMsMaxPerAddress: MINUTE,
  /** An address with fewer failures is not delayed while other addresses guess the same person's password. */
  loginFailuresOfFreshAddress: 3,
  /** A network of many networks has so many times the failures of one: a /64, a /56 and a /48. */
  loginNetworkFactors: [1, 2, 4],
  /** From then on, new addresses wait as well. Only devices that have logged in as this person before do not. */
  loginFailuresPerHour: 50,
  /** A log-in waits this long for a move of its account, and tries again and again. */
  loginWaitMsMax: 10 * SECOND,
  loginRetryMs: SECOND / 4,
  loginWindowMs: HOUR,
  /** Requests that are counted at one row wait for each other this long. */
  throttleWaitMsMax: 15 * SECOND,
  usernameLookupsPerEmailPerHour: 10,
  usernameLookupsPerAddressPerHour: 20,

  requestsPerCredential: 300,
  requestsPerCredentialMs: 20 * SECOND,
  requestsPerClientToken: 3_000,
  requestsPerClientTokenMs: MINUTE,
  /** Requests without a credential, per address: log-ins and the public pages. */
  requestsPerAddress: 120,
  requestsPerAddressMs: MINUTE,
  /** Requests to the public area, per address. */
  publicRequestsPerAddress: 60,
  publicRequestsPerAddressMs: 10 * SECOND,
  /** A document of a visitor. */
  visitBodyBytesMax: 65_536,
  /** Submissions and requests of visitors. A whole congregation may share one network. */
  visitsPerNetwork: 60,
  visitsPerNetworkAndDay: 600,
  /** The server of an integration sends what many visitors typed. */
  visitsPerIntegration: 300,
  /** From pages without script, which send no proof. */
  visitsWithoutProofPerNetwork: 10,
  /** Without a token or a proof of the service. */
  unsignedVisitsPerNetwork: 20,
  unsignedVisitsPerNetworkAndDay: 200,
  visitsPerForm: 1_000,
  visitsPerFormMin: 10,
  visitsPerFormMax: 10_000,
  visitsPerAccount: 5_000,
  visitsPerPlaceMs: HOUR,
  /** Mails to one address, so that no visitor can fill another person's mailbox. */
  visitMailsPerAddressAndDay: 3,
  proofNumberMax: 50_000,
  proofMs: 20 * MINUTE,
  formTokenMs: 12 * HOUR,
  /** A program fills in a form in less time. */
  formFillMsMin: 3 * SECOND,
  confirmationMs: 48 * HOUR,
  /** Downloads by signed links, per address: a page shows a hundred photos, and an office shares one address. */
  fileRequestsPerAddress: 1_200,

  customPropertiesPerResource: 100,

  attachmentBytesMax: 50 * 1_048_576,
  attachmentsPerMaterialMax: 20,
  completionFileBytesMax: 10 * 1_048_576,
  imageBytesMax: 5 * 1_048_576,
  /** Width, height, channels and bytes per value of a decoded image: 50 million pixels of an ordinary photo. */
  imageDecodedBytesMax: 150_000_000,
  imageQueueMax: 10,
  fileNameLengthMax: 255,
  /** Bytes without a row may belong to an upload that is still running. */
  fileWithoutRowMs: DAY,

  formFieldsMax: 60,
  formOptionsMax: 200,
  formAnswerLengthMax: 20_000,
  formAnswersBytesMax: 65_536,
  formSubmissionsMax: 1_000_000,
  formNotifiedMax: 10,
  formSuggestionsMax: 5,
  /** Submissions that one statement deletes when their time is over. */
  formSweepBatch: 1_000,
  formSubmissionsAtOnce: 200,

  importFileBytesMax: 20 * 1_048_576,
  importRowsMax: 50_000,
  importColumnsMax: 200,
  /** Programs save sheets with thousands of blank rows after the last one. */
  importBlankRowsMax: 20_000,
  importMeaningsMax: 1_000,
  /** A quote that never ends would otherwise make the whole file one record. */
  importRecordLengthMax: 262_144,
  importUndoMs: 7 * DAY,
  /** The rows of an import contain personal data. */
  importRowsKeptMs: 30 * DAY,
  membersPerHouseholdMax: 30,
  householdsPerPersonMax: 5,
  tagsPerRecordMax: 25,

  materialContentLengthMax: 200_000,
  /** Ordinary content of that length takes two seconds. */
  contentCheckMsMax: 10 * SECOND,
  contentCheckHeapMiBMax: 256,
  contentCheckBytesMax: 4 * 1_048_576,
  contentChecksAtOnce: 2,
  contentCheckQueueMax: 32,

  /** In writes, the id of a merged person means the person who was kept for this long. */
  mergedIdMs: 90 * DAY,
  /** People that one merge removes. */
  mergedPeopleMax: 5,
  mergeConflictsMax: 200,

  /** Statement texts that one process prepares. Each connection keeps them all. */
  preparedStatementsMax: 1_000,
} as const;

assert.ok(limits.pageSizeDefault <= limits.pageSizeMax);
assert.ok(limits.linkageMax <= limits.includedMax);
// A delay that outlives the counted failures would end early.
assert.ok(limits.loginDelayMsMax < limits.loginWindowMs);
assert.ok(limits.uploadMsMax < limits.fileWithoutRowMs);
assert.ok(limits.loginFailuresOfFreshAddress < limits.loginFailuresFreePerAddress);

/** Requests are counted per access token, per client token, and per address: without a token, in the public area, for files. */
export const limitedCallers = ["user", "client", "address", "public", "file"] as const;

/** Quotas that the operator configures. The others keep their defaults. */
export type GivenQuotas = Readonly<
  Partial<Record<(typeof limitedCallers)[number], { requests: number; windowMs: number }>>
>;
