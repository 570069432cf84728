import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { setPassword } from "../../../src/access/logins.ts";
import { hashPassword } from "../../../src/access/passwords.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { freshDatabase } from "../../support/database.ts";
import { makeAccount, type TestAccount } from "../../support/make.ts";
import {
  codes,
  pointers,
  PUBLIC_URL,
  startService,
  type TestService,
} from "../../support/service.ts";
import { cookieFor, cookieOf, inSession, PAGE, postSession } from "../../support/session.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";

interface Bootstrap {
  person: { id: string };
  account: { id: string; alias: string };
  session: { "expires-at": string; remember: boolean };
}

let service: TestService;
before(async () => {
  service = await startService({
    database: await freshDatabase("it moves counted failures in time"),
    origins: [PUBLIC_URL],
  });
});
after(() => service.stop());

const bootstrap = (text: string) => JSON.parse(text) as Bootstrap;
const alias = () => service.account.alias;

describe("POST /session", () => {
  test("200 · a page of the service logs in with a cookie that no script reads", async () => {
    const { email, id } = await makeLogin(service.db, service.account, "cora");
    const answer = await postSession(service, {
      username: ` ${email.toUpperCase()}`,
      password: PASSWORD,
      account: alias(),
    });
    assert.equal(answer.status, 200);
    const [cookie = "", device = ""] = answer.headers.getSetCookie();
    assert.match(cookie, /^vestry=vbt_[\w-]{64}; HttpOnly; SameSite=Strict; Path=\/$/);
    assert.match(
      device,
      /^vestry-device=[\w.-]{45}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=31536000$/,
    );
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.match(answer.headers.get("vary") ?? "", /^Origin, Cookie\b/);
    assert.equal(answer.headers.get("access-control-allow-credentials"), null);
    assert.doesNotMatch(answer.text, /vbt_/);
    const { account, person, session } = bootstrap(answer.text);
    assert.deepEqual([account.id, person.id], [service.account.id, id]);
    assert.equal(session.remember, false);
    const hours = (Date.parse(session["expires-at"]) - Date.now()) / 3_600_000;
    assert.ok(hours > 11.9 && hours <= 12, String(hours));

    const me = await service.get("/v1/people/me", inSession(cookieOf(answer)));
    assert.equal(me.status, 200);
    assert.match(me.headers.get("vary") ?? "", /^Origin, Cookie\b/);
    assert.equal(me.headers.get("cache-control"), "private, no-cache");
  });

  test("200 · a remembered session lasts 30 days, and its cookie survives the browser", async () => {
    const { email } = await makeLogin(service.db, service.account, "rema");
    const answer = await postSession(service, {
      username: email,
      password: PASSWORD,
      account: alias(),
      remember: true,
    });
    assert.match(answer.headers.getSetCookie()[0] ?? "", /; Max-Age=7776000$/);
    const { session } = bootstrap(answer.text);
    assert.equal(session.remember, true);
    const days = (Date.parse(session["expires-at"]) - Date.now()) / 86_400_000;
    assert.ok(days > 29.9 && days <= 30, String(days));
  });

  test("200 · each log-in makes a new token and ends the session of the browser", async () => {
    const first = await makeLogin(service.db, service.account, "fixa");
    const second = await makeLogin(service.db, service.account, "fixb");
    const old = await cookieFor(service, first.email);
    const fresh = await cookieFor(service, second.email, {}, { Cookie: old });
    assert.notEqual(fresh, old);
    assert.equal((await service.get("/session", inSession(old))).status, 401);
    assert.equal((await service.get("/session", inSession(fresh))).status, 200);
  });

  test("200 · a chosen cookie is never adopted", async () => {
    const { email } = await makeLogin(service.db, service.account, "fixc");
    const planted = `vestry=vbt_${"A".repeat(64)}`;
    const fresh = await cookieFor(service, email, {}, { Cookie: planted });
    assert.notEqual(fresh, planted);
    assert.equal((await service.get("/session", inSession(planted))).status, 401);
  });

  test("401 · every failure is the same", async () => {
    const { email } = await makeLogin(service.db, service.account, "wrong");
    const account = alias();
    for (const body of [
      { username: email, password: "not this one", account },
      { username: email, password: "not this one" },
      { username: email, password: PASSWORD, account: "nowhere" },
      { username: "nobody@nowhere.example", password: PASSWORD, account },
      { username: "nobody@nowhere.example", password: PASSWORD },
    ]) {
      const answer = await postSession(service, body);
      assert.deepEqual([answer.status, codes(answer)], [401, ["login-failed"]]);
      assert.equal(answer.headers.get("set-cookie"), null);
      assert.equal(
        answer.document.errors?.[0]?.detail,
        "Username, password and account do not belong together.",
      );
    }
  });

  test("403 · the right password of an inactive account", async () => {
    const account = await makeAccount(service.db);
    const { email } = await makeLogin(service.db, account, "inactive");
    await service.db`update accounts set status = 'inactive' where id = ${account.id}`;
    for (const more of [{}, { account: account.alias }]) {
      const answer = await postSession(service, { username: email, password: PASSWORD, ...more });
      assert.deepEqual([answer.status, codes(answer)], [403, ["account-inactive"]]);
    }
  });

  describe("without an account", () => {
    const email = "twice@both.example";
    let other: TestAccount;
    before(async () => {
      other = await makeAccount(service.db);
      for (const account of [service.account, other])
        await makeLogin(service.db, account, "twice", { email });
    });

    test("200 · one account needs no choice", async () => {
      const { email: sole } = await makeLogin(service.db, other, "sole");
      const answer = await postSession(service, { username: sole, password: PASSWORD });
      assert.equal(answer.status, 200);
      assert.equal(bootstrap(answer.text).account.alias, other.alias);
    });

    test("409 · several accounts are named, and the choice logs in", async () => {
      const answer = await postSession(service, { username: email, password: PASSWORD });
      assert.deepEqual([answer.status, codes(answer)], [409, ["choose-account"]]);
      assert.equal(answer.headers.get("set-cookie"), null);
      const accounts = await service.db`
        select alias, church_name as name from accounts
        where id = any(${[service.account.id, other.id]}::uuid[]) order by alias`;
      assert.deepEqual(answer.document.errors?.[0]?.meta["accounts"], [...accounts]);
      const chosen = await postSession(service, {
        username: email,
        password: PASSWORD,
        account: other.alias,
      });
      assert.equal(bootstrap(chosen.text).account.alias, other.alias);
    });

    test("401 · a wrong password names no account", async () => {
      const answer = await postSession(service, { username: email, password: "wrong password" });
      assert.deepEqual([answer.status, codes(answer)], [401, ["login-failed"]]);
      assert.doesNotMatch(answer.text, new RegExp(other.alias));
    });

    test("200 · the right password is no failure in an account with another password", async () => {
      const mixed = "mixed@both.example";
      await makeLogin(service.db, service.account, "mixed", { email: mixed });
      const { id } = await makeLogin(service.db, other, "mixed", { email: mixed });
      const hash = await hashPassword("another password");
      const key = { accountId: other.id, personId: id };
      await inTransaction(service.db, other.id, (tx) => setPassword(tx, key, hash));
      for (let count = 0; count <= limits.loginFailuresFree; count++) {
        const answer = await postSession(service, { username: mixed, password: PASSWORD });
        assert.equal(bootstrap(answer.text).account.alias, service.account.alias);
      }
      const answer = await postSession(service, { username: mixed, password: "another password" });
      assert.equal(bootstrap(answer.text).account.alias, other.alias);
    });

    test("429 · guesses count like those of POST /authenticate", async () => {
      const guessed = "guessed@both.example";
      for (const account of [service.account, other])
        await makeLogin(service.db, account, "guessed", { email: guessed });
      const guess = (body: Record<string, unknown>, path = "/session") =>
        service.post(path, JSON.stringify({ username: guessed, password: "wrong!", ...body }), {
          as: null,
          headers: { ...PAGE, "Content-Type": "application/json" },
        });
      const half = Math.ceil(limits.loginFailuresFree / 2);
      for (let count = 0; count < half; count++) assert.equal((await guess({})).status, 401);
      const account = other.alias;
      for (let count = half; count < limits.loginFailuresFree; count++)
        assert.equal((await guess({ account }, "/authenticate")).status, 401);
      // A failure in the future keeps the delay from ending while the test runs.
      await service.home`update counters set last_at = now() + interval '1 minute'`;
      for (const throttled of [
        await guess({ account }),
        await guess({ account }, "/authenticate"),
      ]) {
        assert.deepEqual([throttled.status, codes(throttled)], [429, ["login-throttled"]]);
        assert.ok(Number(throttled.headers.get("retry-after")) > 0);
      }
    });
  });

  test("200 · a browser that has logged in as the person does not wait for the failures of others", async () => {
    const { email } = await makeLogin(service.db, service.account, "known");
    const { email: other } = await makeLogin(service.db, service.account, "beside");
    const login = { username: email, password: PASSWORD, account: alias() };
    const cookies = (await postSession(service, login)).headers.getSetCookie();
    const device = cookies.find((one) => one.startsWith("vestry-device="))?.split(";")[0] ?? "";
    // The same network fails at this log-in and at many others.
    const wrong = { ...login, password: "wrong!" };
    for (let count = 0; count < limits.loginFailuresFree; count++)
      assert.equal((await postSession(service, wrong)).status, 401);
    await service.home`
      update counters set requests = 40, last_at = now() + interval '1 minute' where requests > 1`;
    assert.equal((await postSession(service, login)).status, 429);
    const here = (body: object) => postSession(service, body, { Cookie: device });
    assert.equal((await here({ ...login, username: other })).status, 429);
    assert.equal((await here(wrong)).status, 401);
    assert.equal((await here(login)).status, 200);
    for (let count = 0; count < limits.loginFailuresFree; count++)
      assert.equal((await here(wrong)).status, 401);
    await service.home`update counters set last_at = now() + interval '1 minute'`;
    assert.equal((await here(login)).status, 429, "its own failures count");
    await service.home`delete from counters`;
  });

  test("422 · every wrong member is named", async () => {
    const pointersOf = async (body: unknown) => {
      const answer = await postSession(service, body);
      return [answer.status, ...pointers(answer)];
    };
    const login = { username: "ana@x.example", password: PASSWORD };
    assert.deepEqual(await pointersOf({}), [422, "/username", "/password"]);
    assert.deepEqual(await pointersOf({ ...login, account: 7 }), [422, "/account"]);
    assert.deepEqual(await pointersOf({ ...login, account: "" }), [422, "/account"]);
    assert.deepEqual(await pointersOf({ ...login, remember: "yes" }), [422, "/remember"]);
    assert.deepEqual(await pointersOf({ ...login, extra: 1 }), [422, "/extra"]);
    assert.deepEqual(await pointersOf([login]), [400, ""]);
  });
});
