import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { newInvitationToken } from "../../../src/features/sign-in/passwords/password-tokens.ts";
import { freshDatabase } from "../../support/database.ts";
import { confirm, invite } from "../../support/invitations.ts";
import { makeAssignment, makePerson, makeToken } from "../../support/make.ts";
import { grant } from "../../support/roles.ts";
import {
  type Answer,
  codes,
  document,
  etag,
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
