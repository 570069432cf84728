import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { revokeIntegration } from "../../../src/access/integrations.ts";
import { syncLogin } from "../../../src/access/logins.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { type TestAccount, makeAccount, makeIntegration } from "../../support/make.ts";
import { codes, one, startService, type TestService } from "../../support/service.ts";
import { makeLogin } from "../../support/sign-in.ts";

let service: TestService;
let second: TestAccount;
const email = "both@x.example";

before(async () => {
  service = await startService();
  second = await makeAccount(service.db);
  await makeLogin(service.db, service.account, "both", { email });
  await makeLogin(service.db, second, "both", { email: "Both@X.example" });
});
after(() => service.stop());

const lookUp = (username: unknown, headers: Record<string, string | null> = {}) =>
  service.post(
    "/authenticate-username",
    { username },
    {
      as: null,
      headers: { "Content-Type": "application/json", ...headers },
    },
  );

const aliases = (text: string) =>
  (JSON.parse(text) as { accounts: { alias: string; name: string }[] }).accounts.map(
    ({ alias }) => alias,
  );

describe("POST /authenticate-username", () => {
  // All tests use one address, so each starts without failures.
  beforeEach(async () => {
    await service.home`delete from counters`;
  });

  test("200 · returns every account in which the e-mail is a username, ignoring case", async () => {
    const answer = await lookUp("BOTH@x.example");
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.deepEqual(new Set(aliases(answer.text)), new Set([service.account.alias, second.alias]));
    const named = new Map(
      await Promise.all(
        [service.account, second].map(async ({ administrator, alias }) => {
          const account = await service.get("/v1/accounts/me", { as: administrator.token });
          return [alias, one(account).attributes["church-name"]] as const;
        }),
      ),
    );
    for (const account of (JSON.parse(answer.text) as { accounts: { alias: string }[] }).accounts)
      assert.deepEqual(account, { alias: account.alias, name: named.get(account.alias) });
  });

  test("200 · includes inactive accounts", async () => {
    const { db } = service;
    await db`update accounts set status = 'inactive' where id = ${second.id}`;
    const answer = await lookUp(email);
    await db`update accounts set status = 'active' where id = ${second.id}`;
    assert.ok(aliases(answer.text).includes(second.alias));
  });

  test("401 · an integration needs a valid client token", async () => {
    const { db } = service;
    const { id, token } = await makeIntegration(db);
    const headers = { "Origin": null, "X-SVC-API-Token": token };
    assert.equal((await lookUp(email, headers)).status, 200);
    await revokeIntegration(service.home, { id });
    const answer = await lookUp(email, headers);
    assert.deepEqual([answer.status, ...codes(answer)], [401, "client-token-invalid"]);
  });

  test("200 · a changed e-mail replaces the old username", async () => {
    const { db, account } = service;
    const person = await makeLogin(db, account, "before");
    await inTransaction(db, account.id, async (tx) => {
      await tx`update people set email = 'After@x.example' where id = ${person.id}`;
      await syncLogin(tx, { accountId: account.id, personId: person.id });
    });
    assert.deepEqual(aliases((await lookUp("after@x.example")).text), [account.alias]);
    assert.equal((await lookUp(person.email)).status, 401);
  });

  test("401 · an unknown e-mail has the same response in every case", async () => {
    for (const username of [
      "nobody@x.example",
      `ada@${service.account.alias}.example`,
      "%",
      "' or true --",
    ]) {
      const answer = await lookUp(username);
      assert.equal(answer.status, 401);
      assert.deepEqual(codes(answer), ["login-failed"]);
    }
  });

  test("401 · the e-mail of a deleted person is unknown", async () => {
    const person = await makeLogin(service.db, service.account, "gone");
    assert.equal((await service.delete(`/v1/people/${person.id}`)).status, 204);
    assert.equal((await lookUp(person.email)).status, 401);
  });

  test("429 · the eleventh look-up of an unknown e-mail within an hour is rejected", async () => {
    for (let n = 0; n < 10; n += 1) assert.equal((await lookUp("nobody@x.example")).status, 401);
    const answer = await lookUp("nobody@x.example");
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers.get("retry-after")) > 3_500);
  });
});
