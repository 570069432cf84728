import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { type ErrorCode, type ErrorFormat, type Rule, ruleOf, type VestryError } from "@vestry/sdk";
import { type ReactNode, useState } from "react";
import { fieldOf, type ProblemCause } from "../data/problems.ts";
import { now } from "../ui/clock.ts";
import { formatDate, formatList, formatMoment, formatNumber } from "../ui/format.ts";
import { waitOf } from "./wait.ts";

/**
 * An error in the language of the reader, made from its code and its rule. The words of the service are English, and stand where
 * the app has no sentence of its own.
 */
export function ProblemSentence({ problem }: { problem: ProblemCause }) {
  return useRule(problem) ?? codeWords(problem) ?? <span lang="en">{problem.detail}</span>;
}

/** After a longer wait, the time stands in place of the minutes. */
const WAIT_TOLD_SECONDS = 600;

/** Statuses of requests that the app must not send. */
const FAULTS: ReadonlySet<number> = new Set([400, 405, 406, 413, 415, 417, 428, 431]);

/** The first error of a response. A fault of the app or the service names its request, so that it can be found. */
export function FailureSentence({ error }: { error: VestryError }) {
  const [problem] = error.errors;
  const [failedAt] = useState(now);
  if (
    error.status === 429 &&
    error.retryAfter !== undefined &&
    error.retryAfter > WAIT_TOLD_SECONDS
  ) {
    const then = formatMoment(new Date(failedAt + error.retryAfter * 1_000).toISOString());
    return <Trans>This was done as often as it may be. It is possible again on {then}.</Trans>;
  }
  if (error.status === 429 && error.retryAfter !== undefined)
    return <TooMany seconds={error.retryAfter} />;
  if (FAULTS.has(error.status) && problem !== undefined && problem.source?.parameter === undefined)
    return (
      <Trans>
        This is a fault of the app. Report it with the number{" "}
        <code dir="ltr">{error.requestId ?? "–"}</code>.
      </Trans>
    );
  return problem === undefined ? (
    <span lang="en">{error.detail}</span>
  ) : (
    <ProblemSentence problem={problem} />
  );
}

function TooMany({ seconds }: { seconds: number }) {
  const { count, unit } = waitOf(seconds);
  return unit === "minute" ? (
    <Plural
      value={count}
      one="Too many requests. Try again in # minute."
      other="Too many requests. Try again in # minutes."
    />
  ) : (
    <Plural
      value={count}
      one="Too many requests. Try again in # second."
      other="Too many requests. Try again in # seconds."
    />
  );
}

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function useRule(problem: ProblemCause): ReactNode {
  const { t } = useLingui();
  const broken = ruleOf(problem);
  const given = broken !== undefined && "limit" in broken ? broken.limit : 0;
  const limit = numberOf(given);
  const number = formatNumber(limit);
  const day = typeof given === "string" ? formatDate(given, "long") : "";
  switch (broken?.rule) {
    case "required":
      return <Trans>This is needed.</Trans>;
    case "not-blank":
      return <Trans>This must not be empty.</Trans>;
    case "read-only":
      return <Trans>This cannot be changed.</Trans>;
    case "max-length":
      return <Plural value={limit} one="At most # character." other="At most # characters." />;
    case "min-length":
      return <Plural value={limit} one="At least # character." other="At least # characters." />;
    case "too-common":
      return <PasswordWords part={broken.part} />;
    case "max-items":
      return <Plural value={limit} one="At most # entry." other="At most # entries." />;
    case "min-items":
      return <Plural value={limit} one="At least # entry." other="At least # entries." />;
    case "max":
      return <Trans>At most {number}.</Trans>;
    case "min":
      return <Trans>At least {number}.</Trans>;
    case "type":
    case "format": {
      const formats: Partial<Record<ErrorFormat | "integer" | "number", string>> = {
        email: t`This is not an e-mail address, such as ana@example.org.`,
        phone: t`This is not a telephone number. Write it with the code of the country, such as +351 912 345 678.`,
        date: t`This is not a day. Enter the day, the month and a year of four digits.`,
        "day-of-year": t`This is not a day of the year. Enter the day and the month.`,
        timestamp: t`This is not a day and a time.`,
        url: t`This is not a web address. It begins with https://.`,
        "webhook-url": t`This must be a public address that begins with https://, without a password and without a #.`,
        integer: t`This is not a whole number.`,
        number: t`This is not a number.`,
        "one-line": t`This must be one line of text.`,
        text: t`This text has characters that cannot be stored.`,
      };
      const needed = broken.rule === "format" ? broken.format : broken.type;
      return Object.hasOwn(formats, needed)
        ? formats[needed as keyof typeof formats]
        : t`This is not written in the right form.`;
    }
    case "one-of":
      return <Trans>Choose one of the list.</Trans>;
    case "in-the-future":
      return <Trans>This day must not be in the future.</Trans>;
    case "too-late":
      return <Trans>Not later than {day}.</Trans>;
    case "too-early":
      return <Trans>Not earlier than {day}.</Trans>;
    case "repeated":
      return <Trans>This is in the list twice.</Trans>;
    case "not-found":
      return <Trans>This is not there any more, or not yours to see.</Trans>;
    case "after":
      return <Trans>This must be later than the other day or time.</Trans>;
    case "not-below":
      return <Trans>This must not be earlier or less than the other value.</Trans>;
    case "not-allowed-here":
      return <Trans>This does not go with the other values.</Trans>;
    case "unknown":
    case undefined:
      return undefined;
  }
}

function PasswordWords({ part }: Pick<Extract<Rule, { rule: "too-common" }>, "part">) {
  switch (part) {
    case "list":
      return <Trans>Many people use this password. Choose one that is harder to guess.</Trans>;
    case "names":
      return <Trans>The password must not contain your name.</Trans>;
    case "email":
      return <Trans>The password must not contain your e-mail address.</Trans>;
    case "church":
      return <Trans>The password must not contain the name of your church.</Trans>;
  }
}

function codeWords(problem: ProblemCause): ReactNode {
  const { code, meta = {} } = problem;
  const limit = numberOf(meta["limit"]);
  const allowed = Array.isArray(meta["allowed"]) ? formatList(meta["allowed"].map(String)) : "";
  const known = code as ErrorCode;
  switch (known) {
    case "stale-version":
      return <Trans>A colleague has changed this in the meantime. Look at it again.</Trans>;
    case "already-exists":
      return fieldOf(problem) === "email" ? (
        <Trans>Another person of this church has this e-mail address.</Trans>
      ) : (
        <Trans>This exists already.</Trans>
      );
    case "credentials-missing":
    case "credentials-invalid":
      return <Trans>Your session has ended. Log in again, then save.</Trans>;
    case "other-person":
      return <Trans>Another person has logged in with this browser.</Trans>;
    case "login-failed":
      return <Trans>The e-mail address or the password is wrong.</Trans>;
    case "wrong-password":
      return <Trans>This is not your password.</Trans>;
    case "account-inactive":
      return <Trans>This church is not active. Its operator can change that.</Trans>;
    case "token-invalid":
    case "link-invalid":
      return <Trans>This link has expired or has been used. Ask for a new one.</Trans>;
    case "forbidden":
      return <Trans>You may not do this. An administrator of your church can change that.</Trans>;
    case "cross-site-request":
    case "origin-not-allowed":
      return <Trans>The browser sent this from another page. Open the app again.</Trans>;
    case "not-found":
      return <Trans>This is not there any more, or not yours to see.</Trans>;
    case "person-found":
      return <Trans>The church has a person who may have sent this.</Trans>;
    case "person-merged":
      return <Trans>This person was merged with another record.</Trans>;
    case "person-anonymized":
      return <Trans>This person was anonymized. The record stays as it is.</Trans>;
    case "last-full-administrator":
      return (
        <Trans>
          This is the last full administrator. Make another person a full administrator first.
        </Trans>
      );
    case "deleting-oneself":
      return <Trans>You cannot delete your own record. Another full administrator can.</Trans>;
    case "email-missing":
      return <Trans>This person needs an e-mail address first: it is the log-in name.</Trans>;
    case "address-unconfirmed":
      return (
        <Trans>
          A colleague with fewer rights typed this e-mail address. Somebody who holds all rights of
          this person must confirm it first.
        </Trans>
      );
    case "custom-property-in-use":
      return <Trans>Records have a value in this field. Archive it and make a new one.</Trans>;
    case "invalid-transition":
      return allowed === "" ? (
        <Trans>This cannot follow the present state.</Trans>
      ) : (
        <Trans>This cannot follow the present state. Possible now: {allowed}.</Trans>
      );
    case "limit-reached":
      return limit > 0 ? (
        <Plural
          value={limit}
          one="There can be at most #. Remove it first."
          other="There can be at most #. Remove one first."
        />
      ) : (
        <Trans>There are as many as there can be. Remove one first.</Trans>
      );
    case "still-referenced":
      return <Trans>Other records still use this.</Trans>;
    case "participant-elsewhere":
      return <Trans>This person takes part in another group. End that membership first.</Trans>;
    case "cell-closed":
      return <Trans>This group is closed. Reopen it first.</Trans>;
    case "cell-has-children":
      return <Trans>This group has groups below it. Move or close them first.</Trans>;
    case "report-closed":
      return <Trans>The time to correct this report is over. Ask your supervisor.</Trans>;
    case "requests-closed":
      return <Trans>No requests are accepted here at present.</Trans>;
    case "form-closed":
      return <Trans>This form takes no more answers.</Trans>;
    case "form-version-changed":
      return <Trans>The form has changed in the meantime. Open it again.</Trans>;
    case "class-full":
      return <Trans>This class is full.</Trans>;
    case "class-not-open":
      return <Trans>This class is not open.</Trans>;
    case "enrollment-closed":
      return <Trans>Only staff enroll people in this course.</Trans>;
    case "enrollment-not-active":
      return <Trans>This enrollment is not active.</Trans>;
    case "not-eligible-to-graduate":
      return <Trans>Something is still missing before the graduation.</Trans>;
    case "requirements-unmet":
      return <Trans>This person does not meet all requirements of the course.</Trans>;
    case "session-cancelled":
      return <Trans>This session is canceled.</Trans>;
    case "body-too-large":
      return <Trans>This file is too large. At most 5 MB.</Trans>;
    case "file-type-mismatch":
    case "unsupported-media-type":
      return <Trans>This file cannot be used. JPEG, PNG or WebP.</Trans>;
    case "invalid-text":
      return <Trans>This text has characters that cannot be stored.</Trans>;
    case "rate-limited":
    case "action-limit-exceeded":
    case "login-throttled":
      return <Trans>Too many requests. Wait a moment and try again.</Trans>;
    case "unavailable":
    case "internal":
    case "request-timeout":
      return <Trans>The service has a problem. What you entered is still here. Try again.</Trans>;
    case "conflict":
      return (
        <Trans>Another change came at the same moment, and nothing was saved. Try again.</Trans>
      );
    case "secret-superseded":
      return <Trans>This link was replaced or used. Make a new one.</Trans>;
    case "choose-account":
      return <Trans>Which church?</Trans>;
    case "missing-attribute":
    case "missing-relationship":
      return <Trans>This is needed.</Trans>;
    case "invalid-attribute":
    case "invalid-relationship":
      return <Trans>This value cannot be used.</Trans>;
    case "read-only-attribute":
      return <Trans>This cannot be changed.</Trans>;
    case "malformed-request":
    case "malformed-json":
    case "malformed-document":
    case "too-deep":
    case "invalid-parameter":
    case "unknown-parameter":
    case "invalid-header":
    case "idempotency-key-required":
    case "idempotency-key-reused":
    case "too-many-included":
    case "client-token-missing":
    case "client-token-invalid":
    case "client-token-unsupported":
    case "client-id-unsupported":
    case "method-not-allowed":
    case "not-acceptable":
    case "type-mismatch":
    case "id-mismatch":
    case "unknown-attribute":
    case "unknown-relationship":
    case "range-not-satisfiable":
    case "position-expired":
    case "reach-changed":
    case "expectation-failed":
    case "precondition-required":
    case "headers-too-large":
      return <Trans>This is a fault of the app. Reload the page and try again.</Trans>;
    case "duplicate-url":
      return <Trans>Another endpoint has this address.</Trans>;
    case "too-many-endpoints":
      return <Trans>There are as many endpoints as there can be. Delete one first.</Trans>;
    case "url-unresolvable":
      return <Trans>The name of this host does not resolve. Check the address.</Trans>;
    case "endpoint-not-verified":
      return <Trans>The address of the endpoint is not verified. Verify it first.</Trans>;
    case "endpoint-paused":
      return <Trans>The endpoint is paused. Resume it first.</Trans>;
    case "endpoint-security-paused":
      return <Trans>The address of the endpoint is not public. Change the URL first.</Trans>;
    case "endpoint-not-subscribed":
      return <Trans>The endpoint does not get events of this type.</Trans>;
    case "endpoint-deleted":
      return <Trans>The endpoint was deleted.</Trans>;
    case "stale-secret-generation":
      return <Trans>A colleague has replaced the secret in the meantime. Look at it again.</Trans>;
    case "secret-overlap-active":
      return (
        <Trans>
          The last rotation is less than 48 hours ago. To replace the secret at once, set the URL
          again.
        </Trans>
      );
    case "delivery-not-production":
      return <Trans>Only events are delivered again. Send a new test instead.</Trans>;
    case "delivery-not-failed":
      return <Trans>Only what failed or was not sent is delivered again.</Trans>;
    case "event-expired":
      return <Trans>The event is no longer kept.</Trans>;
    // The app is no integration, and does not call the public area.
    case "church-not-approved":
    case "integration-not-allowed":
    case "form-token-invalid":
    case "form-token-used":
    case "proof-invalid":
      return undefined;
    default:
      // A proxy in front of the service answers without a code of the service.
      return String(known satisfies never).startsWith("http-5") ? (
        <Trans>The service has a problem. What you entered is still here. Try again.</Trans>
      ) : undefined;
  }
}
