import type { Failure } from "./attempt-codes.ts";

/**
 * What an error of Node's network modules, of OpenSSL or of the HTTP parser means for an attempt. An error that is not
 * known here is ours: a fault in this program must cost no receiver an attempt.
 */
export function failureOf(error: unknown): Failure {
  for (const each of causes(error)) {
    const failure = ofOne(each);
    if (failure) return failure;
  }
  return "system-error";
}

interface NodeError {
  readonly code: string;
  readonly name: string;
  readonly syscall: string;
}

/** The error, then what caused it: clients wrap, and several addresses make an AggregateError. */
function* causes(error: unknown, depth = 0): Generator<NodeError> {
  if (!(error instanceof Error) || depth > DEPTH_MAX) return;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  yield { code: text(code), name: error.name, syscall: text(syscall) };
  yield* causes(error.cause, depth + 1);
  if (error instanceof AggregateError)
    for (const each of error.errors.slice(0, DEPTH_MAX)) yield* causes(each, depth + 1);
}

const DEPTH_MAX = 8;
const text = (value: unknown) => (typeof value === "string" ? value : "");

function ofOne({ code, name, syscall }: NodeError): Failure | undefined {
  if (name === "TimeoutError") return "timeout";
  // The resolver's own errors share names with those of sockets.
  if (/^(query|getaddrinfo|getHostByAddr)/.test(syscall)) return ofResolver(code);
  const known = byCode[code];
  if (known) return known;
  return byPattern.find(([pattern]) => pattern.test(code))?.[1];
}

function ofResolver(code: string): Failure {
  // No resolver answers at all, or it cannot be asked. A receiver's broken zone looks different: SERVFAIL, a time-out.
  return byResolver[code] ?? "dns-failure";
}

const byResolver: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: "system-resolver",
  ECANCELLED: "system-resolver",
  EDESTRUCTION: "system-resolver",
  ENOTINITIALIZED: "system-resolver",
  ENOMEM: "system-resources",
  EFILE: "system-resolver",
  EMFILE: "system-resources",
  ENFILE: "system-resources",
  EAI_MEMORY: "system-resources",
  EAI_SYSTEM: "system-resolver",
};

const byCode: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: "connection-refused",
  EHOSTUNREACH: "connection-refused",
  ENETUNREACH: "connection-refused",
  EHOSTDOWN: "connection-refused",

  ECONNRESET: "connection-reset",
  ECONNABORTED: "connection-reset",
  EPIPE: "connection-reset",
  UND_ERR_SOCKET: "connection-reset",

  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",

  ENOTFOUND: "dns-failure",
  ENODATA: "dns-failure",

  HPE_HEADER_OVERFLOW: "response-headers-too-large",
  UND_ERR_HEADERS_OVERFLOW: "response-headers-too-large",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "response-body-too-large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "protocol-error",

  // OpenSSL gives up on bytes that are no TLS.
  EPROTO: "tls-failure",
  HOSTNAME_MISMATCH: "tls-failure",
  OUT_OF_MEM: "system-resources",

  EMFILE: "system-resources",
  ENFILE: "system-resources",
  ENOMEM: "system-resources",
  ENOBUFS: "system-resources",
  EADDRNOTAVAIL: "system-resources",
  EACCES: "system-network",
  EPERM: "system-network",
  ENETDOWN: "system-network",
};

const byPattern: readonly (readonly [RegExp, Failure])[] = [
  [/^HPE_/, "protocol-error"],
  [/^(ERR_TLS|ERR_SSL|ERR_OSSL)_/, "tls-failure"],
  // How OpenSSL names what is wrong with a certificate or with a list of revoked ones.
  [/^(CERT|CRL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERROR_IN_C|PATH_LENGTH|INVALID_(CA|PURPOSE))/, "tls-failure"],
];
