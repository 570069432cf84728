import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { allowIntegration } from "../../../src/access/integrations.ts";
import { makePerson, makeIntegration } from "../../support/make.ts";
import { openPublicArea, visitorOf, WEBSITE } from "../../support/visits.ts";
import { codes, FIRST_PARTY, startService, type TestService } from "../../support/service.ts";

let service: TestService;
before(async () => {
  service = await startService({ rateLimits: true, visitorLimits: true, publicUrl: FIRST_PARTY });
});
after(() => service.stop());

describe("browsers", () => {
  test("204 · a preflight request succeeds for a first-party origin and for no other", async () => {
    const ask = (origin: string) =>
      service.request("OPTIONS", "/v1/people/me", {
        as: null,
        headers: { "Origin": origin, "Access-Control-Request-Method": "PATCH" },
      });
    const first = await ask(FIRST_PARTY);
    assert.equal(first.status, 204);
    assert.equal(first.headers.get("access-control-allow-origin"), FIRST_PARTY);
    assert.equal(
      first.headers.get("access-control-allow-methods"),
      "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    );
    const sent = (first.headers.get("access-control-allow-headers") ?? "").split(", ");
    for (const name of [
      "Accept",
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "If-None-Match",
    ])
      assert.ok(sent.includes(name), name);
    const foreign = await ask("https://evil.example");
    assert.equal(foreign.headers.get("access-control-allow-origin"), null);
    assert.equal(foreign.headers.get("access-control-allow-methods"), null);
  });

  test("401 · a first-party page can read an error, and another page cannot", async () => {
    const first = await service.get("/v1/people/me", { as: null });
    assert.equal(first.status, 401);
    assert.equal(first.headers.get("access-control-allow-origin"), FIRST_PARTY);
    assert.equal(first.headers.get("vary"), "Origin");
    const shown = (first.headers.get("access-control-expose-headers") ?? "").split(", ");
    for (const name of [
      "ETag",
      "Location",
      "X-Request-Id",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
    ])
      assert.ok(shown.includes(name), name);
    const headers = { Origin: "https://evil.example" };
    const foreign = await service.get("/v1/people/me", { as: null, headers });
    assert.equal(foreign.headers.get("access-control-allow-origin"), null);
    assert.equal(foreign.headers.get("vary"), "Origin");
  });

  test("200 · a same-origin GET without Origin is first-party", async () => {
    const own = { "Origin": null, "Sec-Fetch-Site": "same-origin" };
    assert.equal((await service.get("/v1/people/me", { headers: own })).status, 200);
    const cross = { "Origin": null, "Sec-Fetch-Site": "cross-site" };
    assert.deepEqual(codes(await service.get("/v1/people/me", { headers: cross })), [
      "client-token-missing",
    ]);
  });

  test("200 · responses forbid shared caches, content sniffing and frames", async () => {
    const { headers } = await service.get("/v1/people/me");
    assert.equal(headers.get("cache-control"), "private, no-cache");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  });
});

describe("rate limits", () => {
  test("200 · 300 requests in 20 seconds for each access token, 3,000 in a minute for each client token", async () => {
    const { db, account } = service;
    const { id, token } = await makeIntegration(db);
    await db`update accounts set integration_approved = true where id = ${account.id}`;
    await allowIntegration(db, { id, alias: account.alias });
    const { token: as } = await makePerson(db, account.id);
    const headers = { "Origin": null, "X-SVC-API-Token": token };
    const answer = await service.get("/v1/people/me", { as, headers });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get("ratelimit-policy"), '"user";q=300;w=20, "client";q=3000;w=60');
    assert.equal(answer.headers.get("ratelimit"), '"user";r=299;t=20, "client";r=2999;t=60');
  });

  test("401 · X-Forwarded-For counts only from a trusted proxy", async () => {
    const remaining = async (resource: TestService, address: string) => {
      const headers = { "X-Forwarded-For": address };
      const { headers: said } = await resource.get("/v1/people/me", { as: null, headers });
      return Number(/^"address";r=(\d+)/.exec(said.get("ratelimit") ?? "")?.[1]);
    };
    const first = await remaining(service, "192.0.2.1");
    assert.equal(await remaining(service, "192.0.2.2"), first - 1);
    const behind = await startService({ rateLimits: true, trustedProxies: ["127.0.0.1"] });
    try {
      for (const [address, left] of [
        ["192.0.2.1", 119],
        ["192.0.2.2", 119],
        ["192.0.2.1", 118],
        ["2001:db8::1", 119],
        ["2001:db8::2", 118],
      ] as const)
        assert.equal(await remaining(behind, address), left, address);
    } finally {
      await behind.stop();
    }
  });

  test("429 · an address has 60 requests to the public area in 10 seconds, and a page can read the refusal", async () => {
    const { account, db } = service;
    await openPublicArea(db, account.id);
    const visit = () => service.get("/p/v1/accounts/me", visitorOf(account.id));
    const first = await visit();
    assert.equal(first.status, 200, first.text);
    assert.equal(first.headers.get("ratelimit"), '"public";r=59;t=10');
    let answer = first;
    for (let n = 1; answer.status === 200 && n <= 90; n += 1) answer = await visit();
    assert.deepEqual([answer.status, ...codes(answer)], [429, "rate-limited"]);
    assert.equal(answer.document.errors?.[0]?.meta?.["limit"], "reads");
    const seconds = Number(answer.headers.get("retry-after"));
    assert.ok(seconds > 0 && seconds <= 10);
    assert.equal(answer.headers.get("access-control-allow-origin"), WEBSITE);
    assert.equal((await service.get("/v1/people/me")).status, 200, "other routes go on");
    const preflight = () =>
      service.request("OPTIONS", "/p/v1/cells", {
        as: null,
        headers: { "Origin": WEBSITE, "Access-Control-Request-Method": "GET" },
      });
    let asked = await preflight();
    assert.equal(asked.status, 204);
    for (let n = 1; asked.status === 204 && n <= 60; n += 1) asked = await preflight();
    assert.equal(asked.status, 429);
  });

  test("429 · requests without credentials count by address, and do not block known callers", async () => {
    assert.equal((await service.get("/v1/people/me")).status, 200);
    let answer = await service.get("/v1/people/me", { as: null });
    for (let n = 0; answer.status === 401 && n < 200; n += 1)
      answer = await service.get("/v1/people/me", { as: null });
    assert.equal(answer.status, 429);
    assert.deepEqual(codes(answer), ["rate-limited"]);
    const seconds = Number(answer.headers.get("retry-after"));
    assert.ok(seconds > 0 && seconds <= 60);
    assert.equal(answer.headers.get("ratelimit-policy"), '"address";q=120;w=60');
    assert.equal(answer.headers.get("ratelimit"), `"address";r=0;t=${seconds}`);

    const known = await service.get("/v1/people/me");
    assert.equal(known.status, 200);
    assert.match(known.headers.get("ratelimit") ?? "", /^"user";r=29\d;t=\d+$/);
    const unknown = await service.get("/v1/people/me", { as: `vat_${"A".repeat(64)}` });
    assert.equal(unknown.status, 429);
  });
});
