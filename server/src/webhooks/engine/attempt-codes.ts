/**
 * Everything that can end an attempt badly, besides an HTTP status: whose failure it was and what to do about it. Codes
 * are public and stable. The sentences are read by whoever runs the receiver: they name no address of ours and repeat
 * nothing the receiver sent.
 *
 *   retryable  theirs, may pass
 *   permanent  theirs, will not pass
 *   refused    theirs, and we shall not call that place again
 *   system     ours: uses no attempt and does not count against the receiver's health
 */
export const failures = {
  "timeout": {
    kind: "retryable",
    message:
      "The receiver had not answered completely after 10 seconds. Answer 2xx at once and do the work afterwards.",
  },
  "connection-refused": {
    kind: "retryable",
    message:
      "No connection could be made to the receiver. See that it runs and that its firewall lets this port through.",
  },
  "connection-reset": {
    kind: "retryable",
    message:
      "The receiver closed the connection before its answer was complete. Look into its log for a crash, and at the proxy in front of it.",
  },
  "dns-failure": {
    kind: "retryable",
    message:
      "The receiver's host name did not resolve. Check its DNS records and that the domain has not expired.",
  },
  "dns-private-address": {
    kind: "refused",
    message:
      "The receiver's address is not public, so nothing was sent. If the URL has a host name, correct its DNS records; if it has the address itself, use a public one, or ask the operator to allow this one. Then set the URL again and verify it.",
  },
  "tls-failure": {
    kind: "retryable",
    message:
      "No trusted TLS connection could be made. Check that the certificate is valid today, names this host, comes with its chain, and that TLS 1.2 or newer is on.",
  },
  "response-headers-too-large": {
    kind: "permanent",
    message: "The headers of the answer exceed 16 KiB. Answer with fewer and smaller headers.",
  },
  "response-body-too-large": {
    kind: "permanent",
    message: "The body of the answer exceeds 4 KiB. Answer with a small body or with none.",
  },
  "challenge-missing": {
    kind: "permanent",
    message:
      'The answer to the verification lacks the challenge. Answer 2xx with the JSON {"meta": {"challenge": "…"}} and in it the challenge that was sent.',
  },
  "challenge-mismatch": {
    kind: "permanent",
    message:
      "The answer to the verification has another challenge. Send back the one of this very message, unchanged.",
  },
  "protocol-error": {
    kind: "retryable",
    message:
      "What came back is not valid HTTP/1.1. See that the URL and its port lead to a web server.",
  },
  "system-secret": {
    kind: "system",
    message:
      "The service cannot decrypt the signing secret, so nothing was sent. It tries again; the operator must restore the encryption key.",
  },
  "system-resolver": {
    kind: "system",
    message:
      "The service's own DNS resolver does not work, so nothing was sent. It tries again; nothing is wrong with the receiver.",
  },
  "system-network": {
    kind: "system",
    message:
      "The service cannot open connections just now, so nothing was sent. It tries again; the operator should look at its memory, ports and firewall.",
  },
  "system-descriptors": {
    kind: "system",
    message:
      "The service has run out of connections. It tries again; nothing is wrong with the receiver.",
  },
  "system-database": {
    kind: "system",
    message:
      "The service's database could not be reached. It tries again; nothing is wrong with the receiver.",
  },
  "system-fault": {
    kind: "system",
    message:
      "The service failed by itself. It tries again; the operator finds the error in the log.",
  },
} as const satisfies Record<
  string,
  { kind: "retryable" | "permanent" | "refused" | "system"; message: string }
>;

export type Failure = keyof typeof failures;
type FailureOf<Kind> = {
  [Code in Failure]: (typeof failures)[Code]["kind"] extends Kind ? Code : never;
}[Failure];

export type HttpCode = `http-${number}`;
export type RetryableCode = HttpCode | FailureOf<"retryable">;
export type PermanentCode = HttpCode | FailureOf<"permanent">;
export type RefusedCode = FailureOf<"refused">;
export type SystemCode = FailureOf<"system">;
export type AttemptCode = HttpCode | Failure;

/** What the code means and what to do, in a sentence or two. */
export function failureMessage(code: AttemptCode): string {
  return isFailure(code) ? failures[code].message : httpMessage(code.slice(5));
}

export const isFailure = (code: string): code is Failure => Object.hasOwn(failures, code);

/** Only for statuses that end an attempt badly. */
function httpMessage(number: string): string {
  const status = number.padStart(3, "0");
  const advice = httpAdvice[status] ?? httpAdvice[`${status[0]}xx`] ?? "Answer 2xx.";
  return `The receiver answered ${status}. ${advice}`;
}

const LOGIN = "Let this path be called without a login: the signature says who is calling.";

/**
 * By status, or by the class of those that have no word of their own. A status has three digits: one below 100, which some
 * receiver may answer, is of no class, as those above 599 are.
 */
export const httpAdvice: Readonly<Record<string, string>> = {
  401: `Most likely it verifies with another secret, as after a change of the URL or a rotation. ${LOGIN}`,
  403: `${LOGIN} See that no firewall or bot protection refuses it.`,
  404: "Check the path of the endpoint's URL.",
  405: "Accept POST at this path.",
  408: "It gave up waiting for the request, which is sent again.",
  410: "If this receiver is gone for good, delete the endpoint.",
  413: "Accept bodies of up to 128 KiB.",
  415: "Accept the content type application/vnd.api+json.",
  429: "It is sent again later. Answer with Retry-After to say when.",

  "1xx": "That does not end a request. Answer 2xx.",
  "3xx": "Redirects are not followed. Set the endpoint's URL to the final one.",
  "4xx": "Look into its log for why it refuses the message.",
  "5xx": "It is sent again later. Look into the receiver's log for its error.",
};
