import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import {
  confirm,
  invite,
  logIn,
  requestReset,
  revealed,
  sendMails,
  tokenIn,
} from "../../support/invitations.ts";
import { freshDatabase } from "../../support/database.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { makeAccount, makeIntegration, makePerson } from "../../support/make.ts";
import { codes, document, one, startService, type TestService } from "../../support/service.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";

let service: TestService;
before(async () => {
  const database = await freshDatabase("its worker sends the letters of every account");
  service = await startService({ database, sendsMail: true });
});
after(() => service.stop());
beforeEach(async () => {
  await service.home`delete from counters`;
  await service.db`delete from pgboss.job`;
  await service.home`delete from pgboss.job`;
});

/** The people to whom mails are queued. */
const queued = async (db = service.db) =>
  (
    await db<{ personId: string | null }[]>`
      select data ->> 'personId' as "personId" from pgboss.job
      where name = 'password-reset-mails' order by created_on`
  ).map(({ personId }) => personId);

/** The letters about log-ins that were queued. */
const letters = async () =>
  (
    await service.db<{ notice: string; personId: string }[]>`
      select data ->> 'notice' as notice, data ->> 'personId' as "personId" from pgboss.job
      where name = 'login-letters' order by created_on`
  ).map(({ notice, personId }) => [notice, personId]);

test("202 · the response and its work are the same for every address", async () => {
  const { account, db } = service;
  const known = await makeLogin(db, account, "known");
  const withoutLogin = await makePerson(db, account.id, { email: "invited@church.example" });
  const inactive = await makeLogin(db, account, "inactive");
  await db`
    update people set is_active = false where account_id = ${account.id} and id = ${inactive.id}`;
  const answers = [
    await requestReset(service, known.email),
    await requestReset(service, ` ${known.email.toUpperCase()} `),
    await requestReset(service, "nobody@church.example"),
    await requestReset(service, "invited@church.example"),
    await requestReset(service, inactive.email),
    await requestReset(service, known.email, { account: "no-such-account" }),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 202);
    const { attributes, type } = one(answer);
    assert.deepEqual([type, attributes], ["password-resets", { status: "received" }]);
    assert.equal(answer.headers.get("content-type"), "application/vnd.api+json");
  }
  assert.equal(new Set(answers.map((answer) => one(answer).id)).size, answers.length);
  const lengths = new Set(answers.map(({ text }) => text.length));
  assert.equal(lengths.size, 1);
  assert.deepEqual(await queued(), [known.id, known.id, null, null, null, null]);
  assert.ok(withoutLogin.id);
});

test("202 · without an account, each account of the address sends a link, and an unknown address the same work", async () => {
  const other = await makeAccount(service.db);
  const email = "both@church.example";
  const [here, there] = [
    await makeLogin(service.db, service.account, "both", { email }),
    await makeLogin(service.db, other, "both", { email }),
  ];
  const inactive = await makeAccount(service.db);
  await makeLogin(service.db, inactive, "both", { email });
  await service.db`update accounts set status = 'inactive' where id = ${inactive.id}`;
  const reset = (username: string) =>
    service.post("/v1/password-resets", document("password-resets", { username }), { as: null });
  assert.equal((await reset(" BOTH@church.example")).status, 202);
  assert.deepEqual(new Set(await queued()), new Set([here.id, there.id]));
  assert.equal((await reset("nobody@church.example")).status, 202);
  assert.deepEqual(
    (await queued(service.home)).filter((one) => one === null),
    [null],
  );
});

test("202 · the mail arrives, and its link sets the password", async (context) => {
  const server = await startMailServer();
  context.after(() => server.stop());
  sendMails(context, service, server);
  const person = await makeLogin(service.db, service.account, "maria", { fullName: "María Núñez" });
  const next = server.next();
  await requestReset(service, "nobody@church.example");
  await requestReset(service, person.email);
  const mail = await next;
  assert.match(mail.subject ?? "", /^Your password for Church/);
  assert.deepEqual(mail.to, [{ name: "María Núñez", address: person.email }]);
  const [link = ""] = /http:\/\/localhost\/set-password#\S+/.exec(mail.text ?? "") ?? [];
  const letter = server.next();
  assert.equal((await confirm(service, tokenIn(link), "a new sentence")).status, 204);
  assert.equal((await logIn(service, person.email, "a new sentence")).status, 200);
  assert.match((await letter).subject ?? "", /^Your password for Church .* was changed$/);
  assert.deepEqual((await letter).to, mail.to);
  assert.equal(server.tries(), 2);
});

test("204 · a person gets a letter about another password, and none about the first one", async () => {
  const { account, db } = service;
  const person = await makeLogin(db, account, "changes");
  const words = { "current-password": PASSWORD, "new-password": "a new sentence" };
  const change = document("password-changes", words);
  assert.equal(
    (await service.post("/v1/password-changes", change, { as: person.token })).status,
    204,
  );
  assert.deepEqual(await letters(), [["password-changed", person.id]]);

  const invited = await makePerson(db, account.id, { email: "first@church.example" });
  const link = await invite(service, invited.id);
  assert.equal((await confirm(service, revealed(link).token, "a new sentence")).status, 204);
  assert.equal((await letters()).length, 1);
});

test("200 · both addresses get a letter about the new one, which the former one does not name", async (context) => {
  const server = await startMailServer();
  context.after(() => server.stop());
  sendMails(context, service, server);
  const { account, db } = service;
  const person = await makeLogin(db, account, "moves");
  const change = (id: string, email: string) =>
    service.patch(`/v1/people/${id}`, document("people", { email }, { id }));
  assert.equal((await change(person.id, "moved@church.example")).status, 200);
  while (server.received.length < 2) await server.next();
  const byAddress = new Map(server.received.map((mail) => [mail.to?.[0]?.address, mail]));
  const [former, current] = [byAddress.get(person.email), byAddress.get("moved@church.example")];
  assert.match(former?.text ?? "", new RegExp(`${person.email} is no longer the address`));
  assert.ok(!former?.text?.includes("moved@"));
  assert.match(current?.text ?? "", /now log in with moved@church\.example/);

  // The same address in other letters, and the address of a person without a log-in, are no change of a log-in.
  assert.equal((await change(person.id, "Moved@church.example")).status, 200);
  const without = await makePerson(db, account.id, { email: "without@church.example" });
  assert.equal((await change(without.id, "other@church.example")).status, 200);
  assert.equal((await letters()).length, 2);
});

test("202 · without outgoing mail the response is the same", async () => {
  const without = await startService();
  const person = await makeLogin(without.db, without.account, "known");
  assert.equal((await requestReset(without, person.email)).status, 202);
  await without.stop();
});

test("401 · a caller is a first party or an integration, and GET is 405", async () => {
  const refused = await requestReset(service, "x@church.example", { headers: { Origin: null } });
  assert.deepEqual([refused.status, codes(refused)], [401, ["client-token-missing"]]);
  assert.equal((await service.get("/v1/password-resets", { as: null })).status, 405);
});

test("202 · an integration that the account does not allow causes no mail", async () => {
  const { account, db } = service;
  const person = await makeLogin(db, account, "integrated");
  const { id, token } = await makeIntegration(db);
  const headers = { "Origin": null, "X-SVC-API-Token": token };
  assert.equal((await requestReset(service, person.email, { headers })).status, 202);
  await db`update accounts set integration_approved = true where id = ${account.id}`;
  await db`insert into account_integrations (account_id, integration_id) values (${account.id}, ${id})`;
  assert.equal((await requestReset(service, person.email, { headers })).status, 202);
  assert.deepEqual(await queued(), [null, person.id]);
});

test("422 · both names are required texts", async () => {
  for (const [attributes, code] of [
    [{ account: "x" }, "missing-attribute"],
    [{ username: "", account: "x" }, "invalid-attribute"],
    [{ username: "x".repeat(255), account: "x" }, "invalid-attribute"],
    [{ username: 7, account: "x" }, "invalid-attribute"],
    [{ username: "x", account: "x", password: "y" }, "unknown-attribute"],
    [{ username: "a\u0000b", account: "x" }, "invalid-text"],
  ] as const) {
    const answer = await service.post(
      "/v1/password-resets",
      document("password-resets", attributes),
      {
        as: null,
      },
    );
    assert.deepEqual([answer.status, codes(answer)], [422, [code]]);
  }
});

test("429 · an address gets a limited number of mails in an hour, whether or not it is known", async () => {
  const person = await makeLogin(service.db, service.account, "popular");
  for (const email of [person.email, "unpopular@church.example"]) {
    await service.home`delete from counters`;
    for (let n = 0; n < limits.usernameLookupsPerEmailPerHour; n += 1)
      assert.equal((await requestReset(service, email)).status, 202);
    const answer = await requestReset(service, email);
    assert.deepEqual([answer.status, codes(answer)], [429, ["rate-limited"]]);
    assert.ok(Number(answer.headers.get("retry-after")) > 60);
  }
});
