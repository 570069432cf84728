import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  newInvitationToken,
  newResetToken,
} from "../../../src/features/sign-in/passwords/password-tokens.ts";
import { makeOpenClass } from "../../support/courses.ts";
import { freshDatabase } from "../../support/database.ts";
import { confirm, invite, logIn, revealed } from "../../support/invitations.ts";
import { makeAssignment, makePerson, makeToken } from "../../support/make.ts";
import { grant } from "../../support/roles.ts";
import {
  type Answer,
  codes,
  document,
  etag,
  identifiers,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

/** Acts that are lawful one by one, and together would give a caller the rights of another person. */

const database = await freshDatabase("no worker sends the invitations");
const service = await startService({ database, sendsMail: true });
after(() => service.stop());
const { account, db } = service;
const password = "a long and private sentence";
const mail = { delivery: "email" };
const refusedWith = (answer: Answer) => [answer.status, ...codes(answer)];
const patch = (id: string, attributes: Record<string, unknown>, as?: string) =>
  service.patch(`/v1/people/${id}`, document("people", attributes, { id }), as ? { as } : {});

/** A person of these rights, who has typed the e-mail address of a person without rights. */
async function addressOf(setter: { role?: string; administrativeStatus?: "administrator" }) {
  const { administrativeStatus, role } = setter;
  const by = await makePerson(db, account.id, administrativeStatus ? { administrativeStatus } : {});
  if (role) await makeAssignment(db, account.id, { personId: by.id, role });
  const email = `${newId()}@church.example`;
  const body = document("people", { "full-name": "Rita Lopes", email });
  const person = await service.post("/v1/people", body, { as: by.token });
  assert.equal(person.status, 201, person.text);
  return { by, email, id: one(person).id };
}

test("409 · a person outranks the caller who typed the address, until a caller of enough rights saves it", async () => {
  const { by: secretary, email, id } = await addressOf({ role: "secretary" });
  const as = secretary.token;
  assert.equal((await invite(service, id, mail, { as })).status, 201);
  assert.equal((await grant(service, { role: "pastor", personId: id })).status, 201);
  for (const options of [{ as }, {}]) {
    const answer = await invite(service, id, mail, options);
    assert.deepEqual(refusedWith(answer), [409, "address-unconfirmed"]);
    assert.deepEqual(pointers(answer), ["/data/relationships/person"]);
  }
  assert.equal((await patch(id, { email }, as)).status, 200);
  assert.deepEqual(refusedWith(await invite(service, id, mail, { as })), [
    409,
    "address-unconfirmed",
  ]);
  const shown = await service.get(`/v1/people/${id}?meta[may]=true`, { as });
  assert.partialDeepStrictEqual(one(shown).meta, {
    may: { actions: { "invite": "address-unconfirmed", "invite-by-link": false } },
  });
  const before = await service.get(`/v1/people/${id}`);
  const confirmed = await patch(id, { email });
  assert.deepEqual([confirmed.status, etag(confirmed)], [200, etag(before)]);
  assert.equal((await invite(service, id, mail, { as })).status, 201);
});

test("201 · the person confirms the address, and a later save by the office takes nothing back", async () => {
  const { by: secretary, email, id } = await addressOf({ role: "secretary" });
  const role = await grant(service, { role: "pastor", personId: id });
  const as = await makeToken(db, account.id, id);
  assert.equal((await patch(id, { email: email.toUpperCase() }, as)).status, 200);
  assert.equal((await invite(service, id, mail)).status, 201);
  assert.equal((await service.delete(`/v1/role-assignments/${one(role).id}`)).status, 204);
  assert.equal((await patch(id, { email }, secretary.token)).status, 200);
  await makeAssignment(db, account.id, { personId: id, role: "pastor" });
  assert.equal((await invite(service, id, mail)).status, 201);
});

test("409 · the rights count that the caller who typed the address holds now", async () => {
  const { by: administrator, id } = await addressOf({ administrativeStatus: "administrator" });
  await makeAssignment(db, account.id, { personId: id, role: "pastor" });
  const invited = await invite(service, id, mail);
  assert.equal(invited.status, 201);
  const key = { accountId: account.id, invitationId: one(invited).id };
  const { token } = (await newInvitationToken(db, key)) as { token: string };
  assert.equal((await patch(administrator.id, { "is-active": false })).status, 200);
  assert.deepEqual(refusedWith(await confirm(service, token, password)), [422, "token-invalid"]);
  assert.deepEqual(refusedWith(await invite(service, id, mail)), [409, "address-unconfirmed"]);
  assert.equal((await service.delete(`/v1/people/${administrator.id}`)).status, 204);
  assert.deepEqual(refusedWith(await invite(service, id, mail)), [409, "address-unconfirmed"]);
});

test("403 · a higher administrative status is refused before the address", async () => {
  const { by: secretary, id } = await addressOf({ role: "secretary" });
  assert.equal((await patch(id, { "administrative-status": "administrator" })).status, 200);
  const answer = await invite(service, id, mail, { as: secretary.token });
  assert.deepEqual(refusedWith(answer), [403, "forbidden"]);
  assert.deepEqual(refusedWith(await invite(service, id, mail)), [409, "address-unconfirmed"]);
});

const accessToken = (answer: Answer) =>
  (JSON.parse(answer.text) as { access_token: string }).access_token;

/** A secretary has made a person's link and has set the password with it. The token is the one that the secretary kept. */
async function takenOver() {
  const { by: secretary, email, id } = await addressOf({ role: "secretary" });
  const link = await invite(service, id, { delivery: "link" }, { as: secretary.token });
  assert.equal((await confirm(service, revealed(link).token, password)).status, 204);
  const kept = await logIn(service, email, password);
  assert.equal(kept.status, 200);
  return { secretary, email, id, token: accessToken(kept) };
}

test("200 · a log-in ends with a gain of rights if a caller of fewer rights can know its password", async () => {
  const { email, id, token } = await takenOver();
  const changed = await patch(id, { "administrative-status": "full-administrator" });
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.document.meta, { "log-in-ended": true });
  assert.equal(one(changed).attributes["has-login"], false);
  assert.equal(etag(changed), etag(await service.get(`/v1/people/${id}`)));
  assert.equal((await service.get("/v1/people/me", { as: token })).status, 401);
  assert.equal((await logIn(service, email, password)).status, 401);
  const link = await invite(service, id);
  assert.equal((await confirm(service, revealed(link).token, password)).status, 204);
  assert.equal((await logIn(service, email, password)).status, 200);
});

test("200 · the response to a change of links says that a log-in ended", async () => {
  const { id, token } = await takenOver();
  const { classId } = await makeOpenClass(db, account.id);
  const path = `/v1/course-classes/${classId}/relationships/teachers`;
  const answer = await service.post(path, identifiers("people", [id]));
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.document.meta, { "total": 1, "log-in-ended": true });
  assert.equal((await service.get("/v1/people/me", { as: token })).status, 401);
});

test("201 · a change of the password while logged in does not clear the maker of the link", async () => {
  const { email, id, token } = await takenOver();
  const next = "another long and private sentence";
  const passwords = { "current-password": password, "new-password": next };
  const body = document("password-changes", passwords);
  assert.equal((await service.post("/v1/password-changes", body, { as: token })).status, 204);
  const granted = await grant(service, { role: "pastor", personId: id });
  assert.deepEqual([granted.status, granted.document.meta], [201, { "log-in-ended": true }]);
  assert.equal((await logIn(service, email, next)).status, 401);
});

test("201 · a reset by mail clears the maker of the link if the address is confirmed", async () => {
  const reset = async (personId: string) => {
    const made = await newResetToken(db, { accountId: account.id, personId });
    assert.equal((await confirm(service, made?.token ?? "", password)).status, 204);
  };
  const confirmed = await takenOver();
  assert.equal((await patch(confirmed.id, { email: confirmed.email })).status, 200);
  await reset(confirmed.id);
  const kept = await grant(service, { role: "pastor", personId: confirmed.id });
  assert.deepEqual([kept.status, kept.document.meta], [201, undefined]);
  assert.equal((await logIn(service, confirmed.email, password)).status, 200);

  const unconfirmed = await takenOver();
  await reset(unconfirmed.id);
  const ended = await grant(service, { role: "pastor", personId: unconfirmed.id });
  assert.deepEqual(ended.document.meta, { "log-in-ended": true });
});

test("201 · a log-in stays if the person outranks no maker of its link", async () => {
  const { email, id } = await addressOf({ administrativeStatus: "administrator" });
  const link = await invite(service, id);
  assert.equal((await confirm(service, revealed(link).token, password)).status, 204);
  const changed = await patch(id, { "administrative-status": "full-administrator" });
  assert.deepEqual([changed.status, changed.document.meta], [200, undefined]);
  assert.equal((await logIn(service, email, password)).status, 200);
});
