import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf } from "./node-errors.ts";

const nodeError = (code: string, syscall?: string) =>
  Object.assign(new Error(code), { code, ...(syscall && { syscall }) });

const cases: readonly [code: string, failure: string, syscall?: string][] = [
  ["ECONNREFUSED", "connection-refused", "connect"],
  ["EHOSTUNREACH", "connection-refused", "connect"],
  ["ENETUNREACH", "connection-refused", "connect"],
  ["ECONNRESET", "connection-reset", "read"],
  ["EPIPE", "connection-reset", "write"],
  ["UND_ERR_SOCKET", "connection-reset"],
  ["ETIMEDOUT", "timeout", "connect"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
  ["ENOTFOUND", "dns-failure", "getaddrinfo"],
  ["ENODATA", "dns-failure", "queryA"],
  ["ESERVFAIL", "dns-failure", "queryAaaa"],
  ["ETIMEOUT", "dns-failure", "queryA"],
  ["EAI_AGAIN", "dns-failure", "getaddrinfo"],
  ["ECONNREFUSED", "system-resolver", "queryA"],
  ["EMFILE", "system-resources", "getaddrinfo"],
  ["EPROTO", "tls-failure", "write"],
  ["CERT_HAS_EXPIRED", "tls-failure"],
  ["CERT_NOT_YET_VALID", "tls-failure"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls-failure"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls-failure"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls-failure"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls-failure"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "tls-failure"],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls-failure"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "tls-failure"],
  ["HPE_HEADER_OVERFLOW", "response-headers-too-large"],
  ["HPE_INVALID_CONSTANT", "protocol-error"],
  ["HPE_INVALID_CHUNK_SIZE", "protocol-error"],
  ["EMFILE", "system-resources", "connect"],
  ["ENOBUFS", "system-resources"],
  ["EPERM", "system-network", "connect"],
  ["ERR_INVALID_ARG_TYPE", "system-error"],
  ["", "system-error"],
];

for (const [code, failure, syscall] of cases)
  test(`${code || "an error without a code"}${syscall ? ` of ${syscall}` : ""} is ${failure}`, () => {
    assert.equal(failureOf(nodeError(code, syscall)), failure);
  });

test("what a client wraps is found", () => {
  const inner = nodeError("ECONNRESET");
  assert.equal(failureOf(new TypeError("fetch failed", { cause: inner })), "connection-reset");
  const several = new AggregateError([nodeError("ECONNREFUSED"), nodeError("ETIMEDOUT")]);
  assert.equal(failureOf(several), "connection-refused");
});

test("an expired timer is a timeout", () => {
  assert.equal(failureOf(new DOMException("late", "TimeoutError")), "timeout");
});

test("what is no error, or causes itself, is ours", () => {
  const round = new Error("round");
  round.cause = round;
  for (const thrown of [undefined, null, "ECONNRESET", 7, {}, round])
    assert.equal(failureOf(thrown), "system-error");
});
