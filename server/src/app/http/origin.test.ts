import assert from "node:assert/strict";
import { test } from "node:test";
import { isPreflight, originHeaders, originOf, preflightHeaders } from "./origin.ts";
import { securityHeaders } from "./security-headers.ts";

const own = "https://vestry.example";
const origins = new Set([own, "https://app.example"]);

test("a first-party origin may read answers and the headers it needs", () => {
  const headers = originHeaders("https://app.example", origins);
  assert.equal(headers["Access-Control-Allow-Origin"], "https://app.example");
  assert.match(
    headers["Access-Control-Expose-Headers"] ?? "",
    /ETag.*RateLimit.*Idempotent-Replay/,
  );
  assert.equal(headers["Vary"], "Origin");
});

for (const origin of [
  undefined,
  "null",
  "https://evil.example",
  "https://app.example.evil.example",
  "*",
])
  test(`an origin that is not on the list (${origin}) may read nothing`, () => {
    assert.deepEqual(originHeaders(origin, origins), { Vary: "Origin" });
    assert.deepEqual(Object.keys(preflightHeaders(origin, origins)), ["Vary"]);
  });

test("a preflight response allows methods and headers, but not the client token", () => {
  const headers = preflightHeaders("https://app.example", origins);
  assert.match(headers["Access-Control-Allow-Methods"] ?? "", /PATCH/);
  assert.match(headers["Access-Control-Allow-Headers"] ?? "", /If-Match/);
  assert.doesNotMatch(headers["Access-Control-Allow-Headers"] ?? "", /token|\*/i);
  // The service sets the request id and ignores the client's.
  assert.doesNotMatch(headers["Access-Control-Allow-Headers"] ?? "", /x-request-id/i);
  assert.equal(headers["Access-Control-Allow-Credentials"], undefined);
});

test("an OPTIONS request that asks for no method is no preflight", () => {
  assert.equal(isPreflight("OPTIONS", "PATCH"), true);
  assert.equal(isPreflight("OPTIONS", undefined), false);
  assert.equal(isPreflight("GET", "PATCH"), false);
});

test("a GET of the service's own page, which browsers send without Origin, is first-party", () => {
  assert.equal(originOf({ "sec-fetch-site": "same-origin" }, own), own);
  assert.equal(originOf({ referer: `${own}/docs` }, own), own);
});

test("a GET of another page or a program is not first-party", () => {
  assert.equal(originOf({}, own), undefined);
  assert.equal(
    originOf({ "sec-fetch-site": "cross-site", "referer": `${own}/docs` }, own),
    undefined,
  );
  assert.equal(originOf({ referer: `${own}.evil.example/` }, own), undefined);
  assert.equal(
    originOf({ "origin": "https://evil.example", "sec-fetch-site": "same-origin" }, own),
    "https://evil.example",
  );
});

test("Strict-Transport-Security is sent only over TLS", () => {
  assert.ok(securityHeaders("https://vestry.example")["Strict-Transport-Security"]);
  assert.equal(securityHeaders("http://localhost:8080")["Strict-Transport-Security"], undefined);
});
