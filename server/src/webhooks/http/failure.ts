import { isIPv6 } from "node:net";

/** Why an attempt brought no answer. outcome.ts decides what that means for the delivery. */
export type FailureReason =
  | "timeout"
  | "connection-refused"
  | "connection-reset"
  | "dns-failure"
  | "dns-private-address"
  | "tls-failure"
  | "response-headers-too-large"
  | "response-body-too-large"
  | "protocol-error"
  | SystemReason;

/** The service could not try, so nothing is known about the receiver. */
export type SystemReason =
  | "system-resolver"
  | "system-descriptors"
  | "system-network"
  | "system-fault";

/** The stages of an attempt, in order. A kept connection begins at `answering`. */
export type Stage = "resolving" | "connecting" | "securing" | "answering";

export class SendFailure extends Error {
  readonly reason: FailureReason;

  /** The detail is for the operator's log. It may name addresses that the account must not learn. */
  constructor(reason: FailureReason, detail: string) {
    super(detail);
    this.name = "SendFailure";
    this.reason = reason;
  }
}

const REASONS: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: "connection-refused",
  // No route to the receiver, or no support for its address family on this machine. Publishing reachable addresses is
  // the receiver's task. Counted as our own failure, such a delivery would wait until it expires.
  EHOSTUNREACH: "connection-refused",
  EHOSTDOWN: "connection-refused",
  ENETUNREACH: "connection-refused",
  EAFNOSUPPORT: "connection-refused",
  ETIMEDOUT: "timeout",
  ECONNRESET: "connection-reset",
  ECONNABORTED: "connection-reset",
  EPIPE: "connection-reset",
  EMFILE: "system-descriptors",
  ENFILE: "system-descriptors",
  // This machine has no free port or memory, or its firewall refuses.
  EADDRNOTAVAIL: "system-network",
  ENOBUFS: "system-network",
  ENOMEM: "system-network",
  EACCES: "system-network",
  EPERM: "system-network",

  HPE_HEADER_OVERFLOW: "response-headers-too-large",
  // The connection ended before the answer did.
  HPE_INVALID_EOF_STATE: "connection-reset",
};

export function failureOf(error: unknown, stage: Stage): SendFailure {
  if (error instanceof SendFailure) return error;
  if (error instanceof AggregateError) return mostTelling(error.errors, stage);
  const code = codeOf(error);
  const detail = `${stage}: ${code ?? ""} ${error instanceof Error ? error.message : String(error)}`;
  return new SendFailure(reasonOf(error, code, stage), detail);
}

function reasonOf(error: unknown, code: string | undefined, stage: Stage): FailureReason {
  if (code === undefined) return "system-fault";
  // With IPv6 disabled, no address of this machine can reach an IPv6 receiver.
  if (code === "EADDRNOTAVAIL" && isIPv6(addressOf(error))) return "connection-refused";
  const reason = REASONS[code];
  if (reason) return reason;
  if (code.startsWith("HPE_")) return "protocol-error";
  // During the handshake every other error is about TLS: alerts, records and certificates.
  return stage === "securing" || isAboutTls(code) ? "tls-failure" : "system-fault";
}

/** Every address failed. A shortage of descriptors explains the others, and the receiver's failures come before ours. */
function mostTelling(errors: readonly unknown[], stage: Stage): SendFailure {
  const rank = ({ reason }: SendFailure) =>
    reason === "system-descriptors" ? 0 : reason.startsWith("system-") ? 2 : 1;
  const failures = errors.map((error) => failureOf(error, stage));
  return (
    failures.sort((a, b) => rank(a) - rank(b))[0] ??
    new SendFailure("system-fault", `${stage}: failed without an error`)
  );
}

const codeOf = (error: unknown) => textIn(error, "code");
const addressOf = (error: unknown) => textIn(error, "address") ?? "";

function textIn(error: unknown, name: "code" | "address"): string | undefined {
  const value = error instanceof Error && name in error ? error[name as keyof Error] : undefined;
  return typeof value === "string" ? value : undefined;
}

const isAboutTls = (code: string) => /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code);
