import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, type FailureReason, SendFailure, type Stage } from "./failure.ts";

const stages: readonly Stage[] = ["resolving", "connecting", "securing", "answering"];
const reasonOf = (error: unknown, stage: Stage = "connecting") => failureOf(error, stage).reason;
const coded = (code: string) => Object.assign(new Error("it did not work"), { code });

const reasons: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: "connection-refused",
  EHOSTUNREACH: "connection-refused",
  ENETUNREACH: "connection-refused",
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
  test(`${code} is ${reason}, at whatever stage`, () => {
    for (const stage of stages) assert.equal(reasonOf(coded(code), stage), reason);
  });

test("what else is said of a connection while it is secured is about TLS, and later what is called so", () => {
  for (const code of [
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_SSL_WRONG_VERSION_NUMBER",
  ])
    assert.equal(reasonOf(coded(code), "securing"), "tls-failure");
  for (const code of ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "ERR_TLS_X", "EPROTO"])
    assert.equal(reasonOf(coded(code), "answering"), "tls-failure");
});

test("what nobody foresaw is our own fault, and never the receiver's", () => {
  for (const stage of stages)
    for (const error of [new TypeError("x is not a function"), "thrown", undefined])
      assert.equal(reasonOf(error, stage), "system-fault");
  assert.equal(reasonOf(coded("EINVAL"), "connecting"), "system-fault");
  assert.equal(reasonOf(coded("CERT_HAS_EXPIRED"), "answering"), "system-fault");
});

test("what has been judged stays as it was; the operator reads where it happened and how it was called", () => {
  const judged = new SendFailure("dns-private-address", "resolving: private");
  assert.equal(failureOf(judged, "answering"), judged);
  assert.equal(
    failureOf(coded("ECONNREFUSED"), "connecting").message,
    "connecting: ECONNREFUSED it did not work",
  );
});
