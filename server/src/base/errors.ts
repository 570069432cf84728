/**
 * Every error that the service reports.
 *
 * A `code` is public and stable, because clients branch on it. `docs/errors.md` lists the codes. The wording may change.
 * Domain functions throw the errors that the constructors below make, and write no status number themselves.
 */

import { type Broken, sentenceOf, valuesOf } from "./rules.ts";

/** The part of the request that was wrong, as JSON:API names it. */
export type Source = { pointer: string } | { parameter: string } | { header: string };

/** It exists for the compiler only. */
declare const MADE: unique symbol;

/** Only `problem` makes one, so that no error lacks the rule that its code promises. */
export interface Problem {
  readonly [MADE]: true;
  status: number;
  code: string;
  title: string;
  detail: string;
  source?: Source;
  meta?: Record<string, unknown>;
}

/** One response contains all errors of a request. */
export class ApiError extends Error {
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(problems: readonly Problem[], headers: Record<string, string> = {}) {
    super(problems.map((problem) => `${problem.code}: ${problem.detail}`).join("; "));
    this.name = "ApiError";
    this.problems = problems;
    this.headers = headers;
  }

  /** The status of the response: the status that all problems share, or the general status of their class. */
  get status(): number {
    const statuses = new Set(this.problems.map((problem) => problem.status));
    if (statuses.size === 1) return this.problems[0]?.status ?? 500;
    return Math.max(...statuses) >= 500 ? 500 : 400;
  }
}

/** Each code with its status, its title, and the step that fixes it. */
export const codes = {
  "malformed-request": [400, "Malformed request", "Send valid HTTP."],
  "malformed-json": [400, "Malformed JSON", "Send one valid JSON document in UTF-8."],
  "malformed-document": [
    400,
    "Malformed document",
    'Send `{"data": {"type": …}}` as JSON:API describes.',
  ],
  "too-deep": [400, "Document nested too deeply", "Flatten the document."],
  "invalid-parameter": [
    400,
    "Invalid query parameter",
    "Correct the parameter named in `source.parameter`.",
  ],
  "unknown-parameter": [
    400,
    "Unknown query parameter",
    "Remove it. The reference lists the parameters of each route.",
  ],
  "invalid-header": [400, "Invalid header", "Correct the header named in `source.header`."],
  "idempotency-key-required": [
    400,
    "Idempotency key required",
    "Send an `Idempotency-Key`. Use a new key for each new request.",
  ],
  "too-many-included": [
    400,
    "Too many included resources",
    "Request a smaller page or fewer paths in `include`.",
  ],
  "request-timeout": [408, "Request timed out", "Send the whole request without pausing."],
  "credentials-missing": [
    401,
    "Credentials missing",
    "Send `Authorization: Bearer <ACCESS_TOKEN>`, or `Authorization: Account <ACCOUNT_ID>` in the public area. Pages of the service log in with POST /session.",
  ],
  "credentials-invalid": [
    401,
    "Credentials invalid",
    "Log in again with POST /authenticate. In the public area, check the id of the account.",
  ],
  "other-person": [
    401,
    "Other person",
    "Load the page again. Another person has logged in with this browser.",
  ],
  "client-token-missing": [
    401,
    "Client token missing",
    "Send the integration's token in `X-SVC-API-Token`. Pages that read the public area need none if the account lists their origin.",
  ],
  "client-token-invalid": [
    401,
    "Client token invalid",
    "Ask the operator for a current client token.",
  ],
  "login-failed": [401, "Log-in failed", "Check the username, the password and the account."],
  "cross-site-request": [
    403,
    "Cross-site request",
    "Send the request from a page of the service's own origin, which is that of PUBLIC_URL.",
  ],
  "report-closed": [403, "Report closed", "Ask a supervisor to change the report."],
  "link-invalid": [403, "Link invalid", "Read the resource again for a new link."],
  "church-not-approved": [
    403,
    "Account not approved",
    "Ask the operator to approve the account for integrations and websites.",
  ],
  "integration-not-allowed": [
    403,
    "Integration not allowed",
    "Ask the operator to allow this integration for the account.",
  ],
  "account-inactive": [403, "Account inactive", "Ask the operator to activate the account."],
  "forbidden": [
    403,
    "Not permitted",
    "Ask a full administrator of the account for the permission.",
  ],
  "client-id-unsupported": [
    403,
    "Client-generated id",
    "Remove `id`. The service generates the ids.",
  ],
  "client-token-unsupported": [
    403,
    "Client token not supported",
    "Call this route without `X-SVC-API-Token`.",
  ],
  "origin-not-allowed": [
    403,
    "Origin not allowed",
    "Call without `Origin`, or from a first-party origin. For the public area, list the origin in `settings.public-origins`.",
  ],
  "not-found": [
    404,
    "Not found",
    "Check the path and the id. The resource may be deleted or belong to another account.",
  ],
  "person-found": [
    409,
    "Person found",
    "Link the person of `meta.person`, or send `create-person` to add another one.",
  ],
  "person-anonymized": [
    409,
    "Person was anonymized",
    "Leave the record as it is. An anonymization is final.",
  ],
  "person-merged": [404, "Person was merged", "Use the id in `meta.merged-into`."],
  "method-not-allowed": [405, "Method not allowed", "Use one of the methods in `Allow`."],
  "not-acceptable": [
    406,
    "Not acceptable",
    "Accept `application/vnd.api+json` without parameters.",
  ],
  "choose-account": [409, "Several accounts", "Log in again with an `account` of `meta.accounts`."],
  "conflict": [409, "Conflict", "Read the resource again and retry the change."],
  "type-mismatch": [409, "Type mismatch", "Use the type of the route."],
  "id-mismatch": [409, "Id mismatch", "Use the id of the path."],
  "stale-version": [409, "Stale version", "Read the resource again and retry."],
  "already-exists": [409, "Already exists", "Use the existing resource, or choose another value."],
  "idempotency-key-reused": [
    409,
    "Idempotency key reused",
    "Use a new key for a different request.",
  ],
  "secret-superseded": [
    409,
    "Secret superseded",
    "The secret of the first answer has been replaced or used. Request a new one with a new `Idempotency-Key`.",
  ],
  "email-missing": [409, "E-mail address missing", "Give the person an e-mail address first."],
  "address-unconfirmed": [
    409,
    "E-mail address unconfirmed",
    "Let the person, or a caller who holds all rights of the person, save the address again.",
  ],
  "last-full-administrator": [
    409,
    "Last full administrator",
    "Make another person a full administrator first.",
  ],
  "deleting-oneself": [409, "Own record cannot be deleted", "Ask another full administrator."],
  "custom-property-in-use": [
    409,
    "Custom property in use",
    "Archive the field and define a new one.",
  ],
  "invalid-transition": [409, "Invalid transition", "Choose a status from `meta.allowed`."],
  "limit-reached": [409, "Limit reached", "Remove one first. `meta.limit` is the maximum number."],
  "participant-elsewhere": [
    409,
    "Participant of another cell",
    "End the membership of the other cell, or choose another role.",
  ],
  "cell-closed": [409, "Cell closed", "Reopen the cell, or choose another."],
  "cell-has-children": [409, "Cell has child cells", "Move or close the child cells first."],
  "class-full": [409, "Class full", "Enable the waiting list, or raise the seats."],
  "class-not-open": [409, "Class not open", "Open the class first."],
  "enrollment-closed": [409, "Enrollment closed", "Staff can enroll the person."],
  "not-eligible-to-graduate": [
    409,
    "Not eligible to graduate",
    "See `meta.missing`, or waive with a note.",
  ],
  "requests-closed": [409, "Requests closed", "The cell or class takes no requests now."],
  "form-token-used": [409, "Form token used", "Fetch the form again."],
  "enrollment-not-active": [409, "Enrollment not active", "Accept the enrollment first."],
  "session-cancelled": [409, "Session cancelled", "Set the session to `planned` first."],
  "form-version-changed": [
    409,
    "Form version changed",
    "Fetch the form again and show the new version.",
  ],
  "still-referenced": [409, "Still referenced", "Remove the references to the resource first."],
  "duplicate-url": [
    409,
    "URL already registered",
    "List the endpoints, find the one with this URL, and rotate its secret if it was lost.",
  ],
  "too-many-endpoints": [409, "Too many endpoints", "Delete endpoints that are no longer used."],
  "endpoint-not-verified": [
    409,
    "Endpoint not verified",
    "Request a verification and answer its challenge.",
  ],
  "endpoint-paused": [409, "Endpoint paused", "Resume it first. Set `status` to `active`."],
  "endpoint-security-paused": [
    409,
    "Endpoint paused for security",
    "Set a URL whose host resolves to public addresses only, then verify the endpoint.",
  ],
  "endpoint-not-subscribed": [
    409,
    "Event type not subscribed",
    "Add the event type to the endpoint's `events` first.",
  ],
  "endpoint-deleted": [
    409,
    "Endpoint deleted",
    "Create another endpoint. A deleted endpoint receives nothing.",
  ],
  "stale-secret-generation": [
    409,
    "Stale secret generation",
    "Read the endpoint again and send its current `secret-generation`.",
  ],
  "secret-overlap-active": [
    409,
    "Secret overlap active",
    "Wait until the previous secret has expired, 48 hours after the rotation.",
  ],
  "delivery-not-production": [
    409,
    "Not a production delivery",
    "Request a new verification or a new test instead.",
  ],
  "delivery-not-failed": [
    409,
    "Delivery has not failed",
    "Choose a delivery that is `exhausted`, `failed-permanent` or `suppressed`.",
  ],
  "event-expired": [409, "Event expired", "Read the current state through the API instead."],
  "position-expired": [
    410,
    "Position expired",
    "Read the lists again, then follow the feed from `page[after]=now`.",
  ],
  "reach-changed": [
    410,
    "Reach changed",
    "Read the lists again, then follow the feed from `page[after]=now`.",
  ],
  "form-closed": [410, "Form closed", "The form takes no more submissions."],
  "body-too-large": [
    413,
    "Body too large",
    "Send a smaller body. `detail` names the limit of this path.",
  ],
  "unsupported-media-type": [
    415,
    "Unsupported media type",
    "Send `Content-Type: application/vnd.api+json` without parameters.",
  ],
  "range-not-satisfiable": [
    416,
    "Range not satisfiable",
    "Request bytes within the length in `Content-Range`.",
  ],
  "expectation-failed": [
    417,
    "Expectation failed",
    "Remove `Expect`, or set it to `100-continue`.",
  ],
  "invalid-attribute": [422, "Invalid attribute", "Correct the member named in `source.pointer`."],
  "missing-attribute": [422, "Missing attribute", "Add the member named in `source.pointer`."],
  "unknown-attribute": [
    422,
    "Unknown attribute",
    "Remove it. The reference lists the attributes of each type.",
  ],
  "read-only-attribute": [422, "Read-only attribute", "Remove it. The service sets it."],
  "invalid-relationship": [
    422,
    "Invalid relationship",
    "Correct the linkage named in `source.pointer`.",
  ],
  "unknown-relationship": [
    422,
    "Unknown relationship",
    "Remove it. The reference lists the relationships of each type.",
  ],
  "missing-relationship": [
    422,
    "Missing relationship",
    "Add the relationship named in `source.pointer`.",
  ],
  "file-type-mismatch": [422, "File type mismatch", "Send the file with its own media type."],
  "requirements-unmet": [422, "Requirements not met", "See `meta.unmet`, or waive with a note."],
  "token-invalid": [422, "Token invalid", "Ask for a new invitation or reset."],
  "form-token-invalid": [422, "Form token invalid", "Fetch the form again."],
  "proof-invalid": [422, "Proof invalid", "Fetch and solve a new challenge."],
  "wrong-password": [
    422,
    "Wrong password",
    "Send the person's current password in `current-password`.",
  ],
  "url-unresolvable": [
    422,
    "URL does not resolve",
    "Use a host name that resolves in public DNS, or correct its records.",
  ],
  "invalid-text": [422, "Text cannot be stored", "Remove NUL characters and unpaired surrogates."],
  "precondition-required": [428, "Precondition required", "Send `If-Match` with the current ETag."],
  "rate-limited": [429, "Too many requests", "Retry after `Retry-After` seconds."],
  "action-limit-exceeded": [429, "Action limit exceeded", "Retry after `Retry-After` seconds."],
  "login-throttled": [429, "Too many failed log-ins", "Retry after `Retry-After` seconds."],
  "headers-too-large": [431, "Headers too large", "Send smaller headers."],
  "internal": [500, "Internal error", "Retry. If the error persists, report the request id."],
  "unavailable": [503, "Temporarily unavailable", "Retry after `Retry-After` seconds."],
} as const satisfies Record<string, readonly [status: number, title: string, remedy: string]>;

export type Code = keyof typeof codes;

/** These codes say by themselves why a document is rejected. All other codes with the status 422 need a rule. */
type SelfExplained =
  | "file-type-mismatch"
  | "form-token-invalid"
  | "proof-invalid"
  | "requirements-unmet"
  | "token-invalid"
  | "url-unresolvable"
  | "wrong-password";

/** The codes whose errors carry a rule in `meta`. */
export type RuledCode =
  | "invalid-parameter"
  | "unknown-parameter"
  | Exclude<
      { [Each in Code]: (typeof codes)[Each][0] extends 422 ? Each : never }[Code],
      SelfExplained
    >;

export type UnruledCode = Exclude<Code, RuledCode>;

type Meta = Readonly<Record<string, unknown>>;

/**
 * Makes a problem that is reported together with others. `fail` makes an error of one problem. A code that covers many rules takes
 * the broken rule, and `detail` is its sentence.
 */
export function problem(code: RuledCode, broken: Broken, source?: Source, meta?: Meta): Problem;
export function problem(code: UnruledCode, detail: string, source?: Source, meta?: Meta): Problem;
export function problem(code: Code, words: Broken | string, source?: Source, meta?: Meta): Problem {
  const [status, title] = codes[code];
  const [detail, all] =
    typeof words === "string"
      ? [words, meta]
      : [sentenceOf(words), { ...meta, ...valuesOf(words) }];
  const made: Omit<Problem, typeof MADE> = {
    status,
    code,
    title,
    detail,
    ...(source && { source }),
    ...(all && { meta: all }),
  };
  return made as Problem;
}

/** Adds a problem of a document to the list. */
export function refuse(list: Problem[], code: RuledCode, broken: Broken, pointer: string): void;
export function refuse(list: Problem[], code: UnruledCode, detail: string, pointer: string): void;
export function refuse(list: Problem[], code: Code, words: Broken | string, pointer: string): void {
  list.push(problem(code as RuledCode, words as Broken, { pointer }));
}

/** Escapes the name of a member for a JSON pointer. */
export const escapePointer = (name: string): string =>
  name.replaceAll("~", "~0").replaceAll("/", "~1");

export function fail(code: RuledCode, broken: Broken, source?: Source, meta?: Meta): ApiError;
export function fail(code: UnruledCode, detail: string, source?: Source, meta?: Meta): ApiError;
export function fail(code: Code, words: Broken | string, source?: Source, meta?: Meta): ApiError {
  return new ApiError([problem(code as RuledCode, words as Broken, source, meta)]);
}

/** The answer for an id that does not exist, is malformed, or belongs to another account. */
export const notFound = () => fail("not-found", "There is no such resource.");

/**
 * 404 at the address of a merged person, and 409 for a right that the kept person would get in their place. It names the kept person
 * to callers who can read that record.
 */
export function personMerged(status: 404 | 409, keptId: string | undefined): ApiError {
  const detail = "This person was merged into another one.";
  const meta = keptId === undefined ? undefined : { "merged-into": keptId };
  return new ApiError([{ ...problem("person-merged", detail, undefined, meta), status }]);
}

export const forbidden = (detail = "This person lacks the permission.") =>
  fail("forbidden", detail);

/** The body has more bytes than the path takes. */
export function tooLarge(bytesMax: number): ApiError {
  const kibibytes = bytesMax / 1_024;
  const limit = kibibytes < 1_024 ? `${kibibytes} KiB` : `${kibibytes / 1_024} MiB`;
  return fail("body-too-large", `Send at most ${limit}.`, { pointer: "" });
}

export const unavailable = (seconds = 1, detail = "The database is unreachable.") =>
  new ApiError([problem("unavailable", detail)], { "Retry-After": String(seconds) });

export const invalid = (pointer: string, broken: Broken) =>
  fail("invalid-attribute", broken, { pointer });

/** The value fits its schema, but not the rest of the request or the state of the resource. */
export const notAllowedHere = (hint: string): Broken => ({ rule: "not-allowed-here", hint });
