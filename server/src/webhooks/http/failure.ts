/** How an attempt fails that brings no answer. What it means for the delivery is outcome.ts's to say. */
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

/** The service could not try: nothing is known about the receiver. */
export type SystemReason =
  | "system-resolver"
  | "system-descriptors"
  | "system-network"
  | "system-fault";

/** What an attempt does one after the other. A kept connection begins at `answering`. */
export type Stage = "resolving" | "connecting" | "securing" | "answering";

export class SendFailure extends Error {
  readonly reason: FailureReason;

  /** The detail is for the operator's log: it may name addresses that are none of the tenant's business. */
  constructor(reason: FailureReason, detail: string) {
    super(detail);
    this.name = "SendFailure";
    this.reason = reason;
  }
}

const REASONS: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: "connection-refused",
  // The way there ends before the receiver. Its addresses are its own to keep reachable, and a family that this
  // machine has no route for is no reason to wait for ever without using an attempt.
  EHOSTUNREACH: "connection-refused",
  ENETUNREACH: "connection-refused",
  ETIMEDOUT: "timeout",
  ECONNRESET: "connection-reset",
  ECONNABORTED: "connection-reset",
  EPIPE: "connection-reset",
  EMFILE: "system-descriptors",
  ENFILE: "system-descriptors",
  // No free port, no memory, or a firewall of this machine.
  EADDRNOTAVAIL: "system-network",
  ENOBUFS: "system-network",
  ENOMEM: "system-network",
  EACCES: "system-network",
  EPERM: "system-network",
};

export function failureOf(error: unknown, stage: Stage): SendFailure {
  if (error instanceof SendFailure) return error;
  const code = codeOf(error);
  const detail = `${stage}: ${code ?? ""} ${error instanceof Error ? error.message : String(error)}`;
  const reason = code === undefined ? undefined : REASONS[code];
  if (reason) return new SendFailure(reason, detail);
  // Whatever else a socket says after it is connected, it says about TLS: alerts, records, certificates.
  if (code !== undefined && (stage === "securing" || isAboutTls(code)))
    return new SendFailure("tls-failure", detail);
  return new SendFailure("system-fault", detail);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

const isAboutTls = (code: string) => /^(ERR_SSL_|ERR_TLS_|EPROTO$)/.test(code);
