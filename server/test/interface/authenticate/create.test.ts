import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { allowIntegration, revokeIntegration } from "../../../src/access/integrations.ts";
import { setPassword } from "../../../src/access/logins.ts";
import { hashPassword } from "../../../src/access/passwords.ts";
import { accessTokenKey } from "../../../src/access/tokens.ts";
import { limits } from "../../../src/base/limits.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { hashAsTheServiceDoes } from "../../support/passwords.ts";
import { makeAccount, makeIntegration } from "../../support/make.ts";
import { codes, one, pointers, startService, type TestService } from "../../support/service.ts";
import { type Login, makeLogin, PASSWORD, whileHashesQueue } from "../../support/sign-in.ts";

let service: TestService;
let ada: Login;

before(async () => {
  service = await startService();
  ada = await makeLogin(service.db, service.account, "ada.login");
});
after(() => service.stop());

interface Answer {
  access_token: string;
  token_type: string;
  expires_in: number;
  expires_at: string;
  account: Record<string, string>;
  person: { id: string };
}

const login = (
  changes: Record<string, unknown> = {},
  headers: Record<string, string | null> = {},
) =>
  service.post(
    "/authenticate",
    { username: ada.email, password: PASSWORD, account: service.account.alias, ...changes },
    { as: null, headers: { "Content-Type": "application/json", ...headers } },
  );

/** Keeps delays from ending while passwords are hashed, which takes longer than a second on a busy machine. */
const prolongDelays = () => service.home`update counters set last_at = now() + interval '1 minute'`;

/** An error document without the members that differ between requests. */
const withoutIds = (text: string) => text.replaceAll(/"(request-)?id":"[^"]+"/g, "");

describe("POST /authenticate", () => {
  // All tests use one address, so each starts without failures.
  beforeEach(async () => {
    await service.home`delete from counters`;
  });

  test("200 · a correct password returns a working access token, the account and the person", async () => {
    const answer = await login();
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const body = JSON.parse(answer.text) as Answer;
    assert.equal(body.token_type, "Bearer");
    assert.equal(body.expires_in, 31_536_000);
    assert.match(body.expires_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { id, alias } = service.account;
    const name = one(await service.get("/v1/accounts/me")).attributes["church-name"];
    assert.deepEqual(body.account, { id, alias, "church-name": name });
    assert.deepEqual(body.person, { id: ada.id });
    const me = await service.get("/v1/people/me", { as: body.access_token });
    assert.equal(me.status, 200);
  });

  test("200 · a new token is valid for 365 days", async () => {
    const { access_token, expires_at } = JSON.parse((await login()).text) as Answer;
    const [row] = await service.db<{ days: number; at: string }[]>`
      select round(extract(epoch from expires_at - now()) / 86400, 3)::float8 as days,
        expires_at as at
      from access_tokens where token_hash = ${accessTokenKey(access_token)?.hash ?? null}`;
    assert.deepEqual({ ...row }, { days: 365, at: expires_at });
  });

  test("200 · e-mail and account ignore case, and both media types work", async () => {
    assert.equal((await login({ username: ` ${ada.email.toUpperCase()} ` })).status, 200);
    assert.equal(
      (await login({ account: ` ${service.account.alias.toUpperCase()} ` })).status,
      200,
    );
    const { email } = await makeLogin(service.db, service.account, "jos\u00e9");
    assert.equal((await login({ username: email.normalize("NFD") })).status, 200);
    for (const type of ["application/vnd.api+json", "application/json; charset=utf-8"])
      assert.equal((await login({}, { "Content-Type": type })).status, 200, type);
  });

  test("200 · correct passwords are never throttled", async () => {
    assert.equal((await login({ password: "wrong password" })).status, 401);
    for (let n = 0; n < 7; n += 1) assert.equal((await login()).status, 200, String(n));
  });

  test("503 · a login that cannot be hashed for lack of capacity is not a failure", async () => {
    assert.equal((await login({ password: "wrong one" })).status, 401);
    const failures = () => service.home<{ failures: number }[]>`
      select requests as failures from counters order by key`;
    const before = await failures();
    const answer = await whileHashesQueue(() => login());
    assert.deepEqual([answer.status, ...codes(answer)], [503, "unavailable"]);
    assert.ok(answer.headers.get("retry-after"));
    assert.deepEqual(await failures(), before);
    assert.equal((await login()).status, 200);
  });

  test("200 · last-login-at changes without a new version of the person", async () => {
    const read = () => service.db`
      select version, modified_at, last_login_at from people where id = ${ada.id}`;
    const [before] = await read();
    await login();
    const [later] = await read();
    assert.ok(later?.["last_login_at"] > (before?.["last_login_at"] ?? ""));
    assert.equal(later?.["version"], before?.["version"]);
    assert.equal(later?.["modified_at"], before?.["modified_at"]);
  });

  test("200 · a hash with outdated parameters is replaced, and existing tokens stay valid", async (t) => {
    hashAsTheServiceDoes(t);
    const old = await makeLogin(service.db, service.account, "olga");
    // From the test vectors of the reference implementation.
    const weak =
      "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
    await service.db`update person_credentials set password_hash = ${weak} where person_id = ${old.id}`;
    assert.equal((await login({ username: old.email, password: "password" })).status, 200);
    const [row] = await service.db`
      select password_hash from person_credentials where person_id = ${old.id}`;
    assert.match(row?.["password_hash"], /m=47104/);
    assert.equal((await login({ username: old.email, password: "password" })).status, 200);
    assert.equal((await service.get("/v1/people/me", { as: old.token })).status, 200);
  });

  test("401 · every failed login has the same response", async () => {
    const { db, account } = service;
    const inactive = await makeLogin(db, account, "ivan");
    await db`update people set is_active = false where id = ${inactive.id}`;
    const answers = [
      await login({ password: "wrong password" }),
      await login({ username: "nobody@nowhere.example" }),
      await login({ account: "no-such-account" }),
      // The administrator of a test account has an e-mail and no password.
      await login({ username: `ada@${account.alias}.example` }),
      await login({ username: inactive.email }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 401);
      assert.deepEqual(codes(answer), ["login-failed"]);
      assert.equal(answer.headers.get("www-authenticate"), 'Bearer realm="vestry"');
      assert.equal(withoutIds(answer.text), withoutIds(answers[0]?.text ?? ""));
    }
  });

  test("401 · an unknown e-mail takes as long as a wrong password", async (t) => {
    hashAsTheServiceDoes(t);
    const costly = await hashPassword(PASSWORD);
    const key = { accountId: service.account.id, personId: ada.id };
    await inTransaction(service.db, key.accountId, (tx) => setPassword(tx, key, costly));
    const seen = async (changes: Record<string, unknown>) => {
      await service.home`delete from counters`;
      const before = performance.now();
      await login(changes);
      return performance.now() - before;
    };
    assert.equal((await login()).status, 200);
    // Hashing dominates the time. A response without it would be about twenty times faster.
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let n = 0; n < 4; n += 1) {
      known = Math.min(known, await seen({ password: "wrong one" }));
      unknown = Math.min(unknown, await seen({ username: "x@y.example" }));
    }
    assert.ok(unknown > known / 3, `${unknown} ms against ${known} ms`);
  });

  test("401 · an e-mail of one account is unknown in another", async () => {
    const other = await makeAccount(service.db);
    assert.equal((await login({ account: other.alias })).status, 401);
  });

  test("401 · a first-party origin or a client token is required", async () => {
    for (const headers of [
      { Origin: null },
      { Origin: "https://evil.example" },
      { Origin: "null" },
    ]) {
      const answer = await login({}, headers);
      assert.equal(answer.status, 401);
      assert.deepEqual(codes(answer), ["client-token-missing"]);
      assert.deepEqual(answer.document.errors?.[0]?.source, { header: "X-SVC-API-Token" });
    }
    const forged = await login({}, { "Origin": null, "X-SVC-API-Token": `vct_${"A".repeat(43)}` });
    assert.equal(forged.status, 401);
    assert.deepEqual(codes(forged), ["client-token-invalid"]);
  });

  test("401 · the client is checked before the body", async () => {
    for (const sent of [{ username: 7 }, { extra: 1 }, { password: "12345" }]) {
      const answer = await login(sent, { Origin: null });
      assert.deepEqual([answer.status, ...codes(answer)], [401, "client-token-missing"]);
    }
  });

  test("401 · a revoked integration cannot log people in", async () => {
    const { db, account } = service;
    const { id, token } = await makeIntegration(db);
    await db`update accounts set integration_approved = true where id = ${account.id}`;
    await allowIntegration(db, { id, alias: account.alias });
    const headers = { "Origin": null, "X-SVC-API-Token": token };
    assert.equal((await login({}, headers)).status, 200);
    await revokeIntegration(service.home, { id });
    const answer = await login({}, headers);
    await db`update accounts set integration_approved = false where id = ${account.id}`;
    assert.deepEqual([answer.status, ...codes(answer)], [401, "client-token-invalid"]);
  });

  test("403 · the account must be approved and allow the integration", async () => {
    const { db, account } = service;
    const { id, token } = await makeIntegration(db);
    const headers = { "Origin": null, "X-SVC-API-Token": token };
    const outcome = async (changes = {}) => codes(await login(changes, headers))[0] ?? "ok";

    assert.equal(await outcome({ password: "wrong password" }), "login-failed");
    assert.equal(await outcome(), "church-not-approved");
    await db`update accounts set integration_approved = true where id = ${account.id}`;
    assert.equal(await outcome(), "integration-not-allowed");
    await allowIntegration(db, { id, alias: account.alias });
    assert.equal(await outcome(), "ok");
    await db`update accounts set integration_approved = false where id = ${account.id}`;
  });

  test("403 · only a correct password reveals that the account is inactive", async () => {
    const { db, account } = service;
    await db`update accounts set status = 'inactive' where id = ${account.id}`;
    const right = await login();
    const wrong = await login({ password: "wrong password" });
    await db`update accounts set status = 'active' where id = ${account.id}`;
    assert.deepEqual([right.status, ...codes(right)], [403, "account-inactive"]);
    assert.deepEqual([wrong.status, ...codes(wrong)], [401, "login-failed"]);
  });

  test("403 · a correct password for an inactive account is not a failure", async () => {
    const { db, account } = service;
    await db`update accounts set status = 'inactive' where id = ${account.id}`;
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await login()).status);
    await db`update accounts set status = 'active' where id = ${account.id}`;
    assert.deepEqual(new Set(statuses), new Set([403]));
  });

  test("413 · a body may have 16 KiB and no more", async () => {
    const filled = (bytes: number) => {
      const empty = JSON.stringify({ extra: "" });
      return service.post(
        "/authenticate",
        empty.replace('""', `"${"x".repeat(bytes - empty.length)}"`),
        {
          as: null,
          headers: { "Content-Type": "application/json" },
        },
      );
    };
    assert.equal((await filled(limits.loginBodyBytesMax)).status, 422);
    const over = await filled(limits.loginBodyBytesMax + 1);
    assert.deepEqual([over.status, ...codes(over)], [413, "body-too-large"]);
    assert.equal(limits.loginBodyBytesMax, 16 * 1_024);
  });

  test("415 · other media types are rejected", async () => {
    const answer = await login({}, { "Content-Type": "text/plain" });
    assert.equal(answer.status, 415);
    assert.match(
      answer.document.errors?.[0]?.detail ?? "",
      /application\/json or application\/vnd\.api\+json/,
    );
    assert.equal(
      (await login({}, { "Content-Type": "application/x-www-form-urlencoded" })).status,
      415,
    );
  });

  test("422 · every invalid member is reported at once", async () => {
    const answer = await login({ username: 7, password: "12345", account: undefined, extra: 1 });
    assert.equal(answer.status, 422);
    assert.deepEqual(
      new Set(pointers(answer)),
      new Set(["/account", "/extra", "/password", "/username"]),
    );
  });

  test("400 · 422 · a body that is not an object, or has unstorable text, is rejected", async () => {
    const send = (body: unknown) =>
      service.post("/authenticate", body, {
        as: null,
        headers: { "Content-Type": "application/json" },
      });
    for (const body of ["[]", "null", '"x"', "7"])
      assert.deepEqual(codes(await send(body)), ["malformed-document"], body);
    assert.deepEqual(codes(await send("{")), ["malformed-json"]);
    assert.deepEqual(codes(await send("")), ["malformed-document"]);
    for (const name of ["username", "password", "account"]) {
      const answer = await login({ [name]: "abcdef\u0000" });
      assert.equal(answer.status, 422);
      assert.deepEqual(pointers(answer), [`/${name}`]);
      assert.equal((await login({ [name]: "abcdef\ud800" })).status, 422);
    }
    assert.equal((await login({ username: "x".repeat(10_000) })).status, 422);
    assert.equal((await login({ password: "x".repeat(10_000) })).status, 422);
    assert.equal((await login({ password: "x".repeat(20_000) })).status, 413);
    for (const name of ["username", "account"])
      for (const empty of ["", " \t"])
        assert.deepEqual(pointers(await login({ [name]: empty })), [`/${name}`]);
    assert.equal((await login({ "__proto__": 1, "constructor": 2 })).status, 422);
    assert.equal((await login({ username: "' or 1=1 --", account: "%" })).status, 401);
  });

  test("429 · failures at one login increase the delay, which also applies to a correct password", async () => {
    const mary = await makeLogin(service.db, service.account, "mary");
    const wrong = () => login({ username: mary.email, password: "wrong password" });
    for (let n = 0; n < 5; n += 1) assert.equal((await wrong()).status, 401);
    await prolongDelays();
    const sixth = await wrong();
    assert.equal(sixth.status, 429);
    assert.deepEqual(codes(sixth), ["login-throttled"]);
    assert.match(sixth.headers.get("retry-after") ?? "", /^\d+$/);
    assert.equal((await login({ username: mary.email })).status, 429);
    assert.equal((await login()).status, 200);
  });

  test("429 · failures in one account do not delay the same e-mail in another", async () => {
    const { db, account } = service;
    const other = await makeAccount(db);
    const { email } = await makeLogin(db, account, "twin");
    await makeLogin(db, other, "twin", { email });
    const wrong = () => login({ username: email, password: "wrong password" });
    for (let n = 0; n < 5; n += 1) assert.equal((await wrong()).status, 401);
    await prolongDelays();
    assert.equal((await wrong()).status, 429);
    assert.equal((await login({ username: email, account: other.alias })).status, 200);
  });
});
