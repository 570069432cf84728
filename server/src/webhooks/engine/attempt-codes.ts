/**
 * Every failure of an attempt except HTTP statuses. Codes are public and stable. Operators of receivers read the
 * messages, so a message contains no address of this service and nothing that the receiver sent.
 *
 *   retryable  a failure of the receiver that may pass
 *   permanent  a failure of the receiver that will not pass
 *   refused    the address is not allowed, so the endpoint is paused
 *   system     a failure of this service: it uses no attempt and does not count against the receiver's health
 */
export const failures = {
  "timeout": {
    kind: "retryable",
    message:
      "The receiver did not send a complete response within 10 seconds. Respond with 2xx first and process the message afterwards.",
  },
  "connection-refused": {
    kind: "retryable",
    message:
      "The connection to the receiver failed. Check that the receiver runs, that its firewall allows this port, and that a host with IPv6 addresses has an IPv4 address too.",
  },
  "connection-reset": {
    kind: "retryable",
    message:
      "The receiver closed the connection before its response was complete. Check its log for a crash, and check the proxy in front of it.",
  },
  "dns-failure": {
    kind: "retryable",
    message:
      "The receiver's host name did not resolve. Check its DNS records and check that the domain has not expired.",
  },
  "dns-private-address": {
    kind: "refused",
    message:
      "The receiver's address is not public, so nothing was sent. Correct its DNS records, use a public address, or ask the operator to allow this one. Then set the URL again and verify it.",
  },
  "tls-failure": {
    kind: "retryable",
    message:
      "The TLS connection failed. Check that the certificate is valid today, names this host and includes its chain, and that TLS 1.2 or newer is enabled.",
  },
  "response-headers-too-large": {
    kind: "permanent",
    message: "The response headers exceed 16 KiB. Send fewer or smaller headers.",
  },
  "response-body-too-large": {
    kind: "permanent",
    message: "The response body exceeds 4 KiB. Send a small body or none.",
  },
  "challenge-missing": {
    kind: "permanent",
    message:
      'The response to the verification contains no challenge. Respond with 2xx and the JSON {"meta": {"challenge": "…"}}, with the challenge of the message.',
  },
  "challenge-mismatch": {
    kind: "permanent",
    message:
      "The response to the verification contains a different challenge. Return the challenge of this message unchanged.",
  },
  "protocol-error": {
    kind: "retryable",
    message:
      "The response is not valid HTTP/1.1. Check that the URL and its port belong to a web server.",
  },
  "system-secret": {
    kind: "system",
    message:
      "The service cannot decrypt the signing secret, so nothing was sent. It will retry. The operator must restore the encryption key.",
  },
  "system-resolver": {
    kind: "system",
    message:
      "The service's DNS resolver does not work, so nothing was sent. It will retry. The receiver is not at fault.",
  },
  "system-network": {
    kind: "system",
    message:
      "The service cannot open connections, so nothing was sent. It will retry. The operator should check memory, ports and firewall.",
  },
  "system-descriptors": {
    kind: "system",
    message:
      "The service has no free file descriptors. It will retry. The receiver is not at fault.",
  },
  "system-database": {
    kind: "system",
    message: "The service's database is unreachable. It will retry. The receiver is not at fault.",
  },
  "system-fault": {
    kind: "system",
    message: "The service failed. It will retry. The log contains the error.",
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

/** Explains the code and the next step, in a sentence or two. */
export function failureMessage(code: AttemptCode): string {
  return isFailure(code) ? failures[code].message : httpMessage(code.slice(5));
}

const isFailure = (code: string): code is Failure => Object.hasOwn(failures, code);

/** Only for statuses that fail an attempt. */
function httpMessage(number: string): string {
  const status = number.padStart(3, "0");
  const advice = httpAdvice[status] ?? httpAdvice[`${status[0]}xx`] ?? "Respond with 2xx.";
  return `The receiver answered ${status}. ${advice}`;
}

const LOGIN =
  "Allow requests to this path without a log-in, because the signature authenticates the sender.";

/**
 * Advice by status, or by class for other statuses. Statuses below 100 and above 599 belong to no class. Some receivers
 * send them.
 */
export const httpAdvice: Readonly<Record<string, string>> = {
  401: `The receiver probably verifies with an old secret, for example after a change of the URL or a rotation. ${LOGIN}`,
  403: `${LOGIN} Check that no firewall or bot protection rejects it.`,
  404: "Check the path of the endpoint's URL.",
  405: "Accept POST at this path.",
  408: "The receiver timed out while it waited for the request. The service will retry.",
  410: "If this receiver is gone for good, delete the endpoint.",
  413: "Accept bodies of up to 128 KiB.",
  415: "Accept the content type application/vnd.api+json.",
  429: "The service will retry later. Send Retry-After to set the time.",

  "1xx": "This status does not complete a request. Respond with 2xx.",
  "3xx": "Redirects are not followed. Set the endpoint's URL to the final address.",
  "4xx": "Check the receiver's log for the reason.",
  "5xx": "The service will retry later. Check the receiver's log for the error.",
};
