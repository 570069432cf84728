import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newPasswordToken } from "../../../src/access/tokens.ts";
import { newResetToken } from "../../../src/features/sign-in/passwords/password-tokens.ts";
import { confirm, invite, logIn, revealed } from "../../support/invitations.ts";
import { makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  pointers,
  startService,
  type TestService,
} from "../../support/service.ts";
import { makeLogin, PASSWORD, whileHashesQueue } from "../../support/sign-in.ts";
import { together } from "../../support/together.ts";

let service: TestService;
before(async () => {
  service = await startService();
  // Files that ran before may have failed from the same address.
  await service.home`delete from counters`;
});
after(() => service.stop());

const password = "a long and private sentence";
let made = 0;

/** A person with a log-in and a token that resets the password. */
async function withToken() {
  made += 1;
  const { account, db } = service;
  const person = await makeLogin(db, account, `person-${made}`);
  const token = await newResetToken(db, { accountId: account.id, personId: person.id });
  assert.ok(token);
  return { ...person, resetToken: token.token };
}

test("204 · sets the password and revokes every access token of the person", async () => {
  const person = await withToken();
  assert.equal((await service.get("/v1/people/me", { as: person.token })).status, 200);
  const answer = await confirm(service, person.resetToken, password);
  assert.deepEqual([answer.status, answer.text], [204, ""]);
  assert.equal((await service.get("/v1/people/me", { as: person.token })).status, 401);
  assert.equal((await logIn(service, person.email, PASSWORD)).status, 401);
  assert.equal((await logIn(service, person.email, password)).status, 200);
});

test("204 · a token works once, also for requests at the same time", async () => {
  const person = await withToken();
  const answers = await together(
    service.db,
    service.account.id,
    Array.from({ length: 4 }, (_, n) => () => confirm(service, person.resetToken, `sentence ${n}`)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [204, 422, 422, 422],
  );
  const winner = statuses.indexOf(204);
  assert.equal((await logIn(service, person.email, `sentence ${winner}`)).status, 200);
});

test("204 · every other link of the person ends", async () => {
  const person = await withToken();
  const invitation = revealed(await invite(service, person.id));
  assert.equal((await confirm(service, person.resetToken, password)).status, 204);
  const used = await confirm(service, invitation.token, password);
  assert.deepEqual([used.status, codes(used)], [422, ["token-invalid"]]);
});

test("422 · the next mail ends the reset of the one before, and no invitation", async () => {
  const person = await withToken();
  const invitation = revealed(await invite(service, person.id));
  const { account, db } = service;
  const next = await newResetToken(db, { accountId: account.id, personId: person.id });
  const former = await confirm(service, person.resetToken, password);
  assert.deepEqual([former.status, codes(former)], [422, ["token-invalid"]]);
  const [left] = await db<{ links: number }[]>`
    select count(*)::int as links from password_tokens where person_id = ${person.id}`;
  assert.equal(left?.links, 2, invitation.token);
  assert.equal((await confirm(service, next?.token ?? "", password)).status, 204);
});

test("422 · a wrong, expired or foreign token and one of a person who changed", async () => {
  const { account, db } = service;
  const expired = await withToken();
  await db`
    update password_tokens set expires_at = now()
    where account_id = ${account.id} and person_id = ${expired.id}`;
  const inactive = await withToken();
  await service.patch(`/v1/people/${inactive.id}`, {
    data: { type: "people", id: inactive.id, attributes: { "is-active": false } },
  });
  const moved = await withToken();
  await service.patch(`/v1/people/${moved.id}`, {
    data: { type: "people", id: moved.id, attributes: { email: "moved@church.example" } },
  });
  const deleted = await withToken();
  assert.equal((await service.delete(`/v1/people/${deleted.id}`)).status, 204);
  const tokens = {
    wrong: newPasswordToken(account.id).token,
    foreign: newPasswordToken("019b7e4c-4a50-7c1e-9d53-6a2f1c8e7b30").token,
    malformed: "vpt_short",
    access: account.administrator.token,
    text: "' or 1=1 --",
    expired: expired.resetToken,
    inactive: inactive.resetToken,
    moved: moved.resetToken,
    deleted: deleted.resetToken,
  };
  for (const [name, token] of Object.entries(tokens)) {
    const answer = await confirm(service, token, password);
    assert.deepEqual([answer.status, codes(answer)], [422, ["token-invalid"]], name);
    assert.deepEqual(pointers(answer), ["/data/attributes/token"]);
    assert.ok(!answer.text.includes(token), name);
  }
});

test("422 · an invalid password keeps the token", async () => {
  const person = await withToken();
  for (const wrong of ["short", "x".repeat(141), 7, null, "nul\u0000nul"]) {
    const answer = await confirm(service, person.resetToken, wrong as string);
    assert.equal(answer.status, 422, String(wrong));
    assert.deepEqual(pointers(answer), ["/data/attributes/new-password"]);
  }
  const empty = await service.post(
    "/v1/password-reset-confirmations",
    document("password-reset-confirmations", {}),
    { as: null },
  );
  assert.deepEqual(codes(empty), ["missing-attribute", "missing-attribute"]);
  assert.equal((await confirm(service, person.resetToken, password)).status, 204);
});

test("422 · the length is that of the account, and the names of the person are known", async () => {
  const { account, db } = service;
  const person = await withToken();
  const set = (least: number | null) =>
    service.patch(
      `/v1/accounts/${account.id}`,
      document("accounts", { settings: { "password-length-min": least } }, { id: account.id }),
    );
  const refused = async (wrong: string) => {
    const [error] = (await confirm(service, person.resetToken, wrong)).document.errors ?? [];
    return [error?.meta?.["rule"], error?.meta?.["limit"] ?? error?.meta?.["part"]];
  };
  const [named] = await db<{ name: string }[]>`
    select full_name as name from people where account_id = ${account.id} and id = ${person.id}`;
  assert.deepEqual(await refused("1234567"), ["min-length", 8]);
  assert.deepEqual(await refused("Senha12345"), ["too-common", "list"]);
  assert.deepEqual(await refused(`${named?.name} 2026!`), ["too-common", "names"]);
  assert.deepEqual(await refused(`from ${account.alias}`), ["too-common", "church"]);
  assert.equal((await set(12)).status, 200);
  assert.deepEqual(await refused("zq4 m8 lo x"), ["min-length", 12]);
  assert.equal((await set(6)).status, 200);
  assert.equal((await confirm(service, person.resetToken, "zq4m8l")).status, 204);
  assert.equal((await logIn(service, person.email, "zq4m8l")).status, 200);
  assert.equal((await set(5)).status, 422);
  assert.equal((await set(null)).status, 200);
});

test("503 · while many people log in, a token is kept", async () => {
  const person = await withToken();
  const answer = await whileHashesQueue(() => confirm(service, person.resetToken, password));
  assert.equal(answer.status, 503);
  assert.equal((await confirm(service, person.resetToken, password)).status, 204);
});

test("403 · an inactive account tells only the holder of a token", async () => {
  const person = await withToken();
  await service.db`update accounts set status = 'inactive' where id = ${service.account.id}`;
  const right = await confirm(service, person.resetToken, password);
  assert.deepEqual([right.status, codes(right)], [403, ["account-inactive"]]);
  const wrong = await confirm(service, newPasswordToken(service.account.id).token, password);
  assert.equal(wrong.status, 422);
  await service.db`update accounts set status = 'active' where id = ${service.account.id}`;
  assert.equal((await confirm(service, person.resetToken, password)).status, 204);
});

test("401 · a caller is a first party or an integration, and GET is 405", async () => {
  const person = await withToken();
  const refused = await confirm(service, person.resetToken, password, {
    headers: { Origin: "https://evil.example" },
  });
  assert.deepEqual([refused.status, codes(refused)], [401, ["client-token-missing"]]);
  const read = await service.get("/v1/password-reset-confirmations", { as: null });
  assert.equal(read.status, 405);
});

test("429 · wrong tokens count like wrong passwords of an address", async () => {
  const { account } = service;
  const guesses = [];
  for (let n = 0; n < 30; n += 1)
    guesses.push(await confirm(service, newPasswordToken(account.id).token, password));
  const last = guesses.at(-1);
  assert.deepEqual([last?.status, last && codes(last)], [429, ["login-throttled"]]);
  assert.ok(Number(last?.headers.get("retry-after")) > 0);
  await service.home`delete from counters`;
});

test("422 · setting a password otherwise ends the links", async () => {
  const person = await withToken();
  const changed = await service.post(
    "/v1/password-changes",
    document("password-changes", { "current-password": PASSWORD, "new-password": password }),
    { as: person.token },
  );
  assert.equal(changed.status, 204);
  assert.equal((await confirm(service, person.resetToken, "another sentence")).status, 422);
  const someone = await makePerson(service.db, service.account.id);
  assert.equal((await invite(service, someone.id)).status, 409);
});
