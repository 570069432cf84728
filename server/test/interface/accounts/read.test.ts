import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import { codes, etag, ids, one, startService, PUBLIC_URL } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const other = await makeAccount(db);

test("200 · an account reads itself, by id and as me, also a plain member", async () => {
  const member = await makePerson(db, account.id);
  for (const as of [account.administrator.token, member.token])
    for (const id of [account.id, "me"]) {
      const answer = await service.get(`/v1/accounts/${id}`, { as });
      assert.equal(answer.status, 200);
      assert.partialDeepStrictEqual(one(answer), {
        type: "accounts",
        id: account.id,
        attributes: {
          "alias": account.alias,
          "status": "active",
          "integration-approved": false,
          "settings": {},
          "custom-properties": {},
          "features": {},
          "legal-acceptances": [],
        },
        links: { self: `${PUBLIC_URL}/v1/accounts/${account.id}` },
      });
      assert.match(etag(answer), /^"\d+-[\w-]+"$/);
    }
});

test("200 · the list has the one account", async () => {
  const answer = await service.get("/v1/accounts");
  assert.deepEqual(ids(answer), [account.id]);
  assert.equal(answer.document.meta?.["total"], 1);
});

test("404 · another account, or none", async () => {
  for (const id of [other.id, newId(), other.alias, account.administrator.id, "ME", "mine"])
    for (const more of ["", "/created-by", "/relationships/modified-by"]) {
      const answer = await service.get(`/v1/accounts/${id}${more}`);
      assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"]);
    }
});

test("405 · accounts are made and removed by the operator", async () => {
  const created = await service.post("/v1/accounts", { data: { type: "accounts" } });
  assert.deepEqual([created.status, created.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
  const removed = await service.delete(`/v1/accounts/${account.id}`);
  assert.deepEqual(
    [removed.status, removed.headers.get("allow")],
    [405, "GET, HEAD, PATCH, OPTIONS"],
  );
});
