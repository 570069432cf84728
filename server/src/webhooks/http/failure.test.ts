import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, type FailureReason, SendFailure, type Stage } from "./failure.ts";

const stages: readonly Stage[] = ["resolving", "connecting", "securing", "answering"];
const reasonOf = (error: unknown, stage: Stage = "connecting") => failureOf(error, stage).reason;
const coded = (code: string, address?: string) =>
  Object.assign(new Error("it did not work"), { code, address });

const reasons: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: "connection-refused",
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
  EADDRNOTAVAIL: "system-network",
  ENOBUFS: "system-network",
  ENOMEM: "system-network",
  EACCES: "system-network",
  EPERM: "system-network",
};

for (const [code, reason] of Object.entries(reasons))
  test(`${code} is ${reason} at every stage`, () => {
    for (const stage of stages) assert.equal(reasonOf(coded(code), stage), reason);
  });

test("an IPv6 receiver that no address of this machine can reach is connection-refused", () => {
  assert.equal(reasonOf(coded("EADDRNOTAVAIL", "2001:db8::1")), "connection-refused");
  assert.equal(reasonOf(coded("EADDRNOTAVAIL", "192.0.2.1")), "system-network");
});

test("among several failed addresses, a shortage of descriptors counts first and a network failure last", () => {
  const all = (...codes: string[]) => new AggregateError(codes.map((code) => coded(code)));
  assert.equal(reasonOf(all("ECONNREFUSED", "EMFILE")), "system-descriptors");
  assert.equal(reasonOf(all("EADDRNOTAVAIL", "ETIMEDOUT", "ECONNREFUSED")), "timeout");
  assert.equal(reasonOf(all("EADDRNOTAVAIL", "ENOBUFS")), "system-network");
  assert.equal(reasonOf(all()), "system-fault");
});

test("unknown errors of the handshake are tls-failure, and so are later errors of TLS", () => {
  for (const code of [
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_SSL_WRONG_VERSION_NUMBER",
  ])
    assert.equal(reasonOf(coded(code), "securing"), "tls-failure");
  for (const code of ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "ERR_TLS_X", "EPROTO"])
    assert.equal(reasonOf(coded(code), "answering"), "tls-failure");
});

test("errors of the parser are failures of the receiver", () => {
  assert.equal(reasonOf(coded("HPE_HEADER_OVERFLOW"), "answering"), "response-headers-too-large");
  assert.equal(reasonOf(coded("HPE_INVALID_EOF_STATE"), "answering"), "connection-reset");
  assert.equal(reasonOf(coded("HPE_INVALID_CONSTANT"), "answering"), "protocol-error");
});

test("an unforeseen error is a failure of the service", () => {
  for (const stage of stages)
    for (const error of [new TypeError("x is not a function"), "thrown", undefined])
      assert.equal(reasonOf(error, stage), "system-fault");
  assert.equal(reasonOf(coded("EINVAL"), "connecting"), "system-fault");
  assert.equal(reasonOf(coded("CERT_HAS_EXPIRED"), "answering"), "system-fault");
});

test("a SendFailure is kept as it is; other errors name the stage and the code for the operator", () => {
  const judged = new SendFailure("dns-private-address", "resolving: private");
  assert.equal(failureOf(judged, "answering"), judged);
  assert.equal(
    failureOf(coded("ECONNREFUSED"), "connecting").message,
    "connecting: ECONNREFUSED it did not work",
  );
});
