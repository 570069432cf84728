import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeChurch, makePerson } from "../../support/make.ts";
import { codes, etag, ids, one, startService, PUBLIC_URL } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { church, db } = service;
const other = await makeChurch(db);

test("200 · a church reads itself, by id and as me, also a plain member", async () => {
  const member = await makePerson(db, church.id);
  for (const as of [church.administrator.token, member.token])
    for (const id of [church.id, "me"]) {
      const answer = await service.get(`/v1/accounts/${id}`, { as });
      assert.equal(answer.status, 200);
      assert.partialDeepStrictEqual(one(answer), {
        type: "accounts",
        id: church.id,
        attributes: {
          "alias": church.alias,
          "status": "active",
          "integration-approved": false,
          "settings": {},
          "custom-properties": {},
          "features": {},
          "legal-acceptances": [],
        },
        links: { self: `${PUBLIC_URL}/v1/accounts/${church.id}` },
      });
      assert.match(etag(answer), /^"\d+-[\w-]+"$/);
    }
});

test("200 · the list has the one account", async () => {
  const answer = await service.get("/v1/accounts");
  assert.deepEqual(ids(answer), [church.id]);
  assert.equal(answer.document.meta?.["total"], 1);
});

test("404 · another church, or none", async () => {
  for (const id of [other.id, newId(), other.alias, church.administrator.id, "ME", "mine"])
    for (const more of ["", "/created-by", "/relationships/modified-by"]) {
      const answer = await service.get(`/v1/accounts/${id}${more}`);
      assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"]);
    }
});

test("405 · accounts are made and removed by the operator", async () => {
  const created = await service.post("/v1/accounts", { data: { type: "accounts" } });
  assert.deepEqual([created.status, created.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
  const removed = await service.delete(`/v1/accounts/${church.id}`);
  assert.deepEqual(
    [removed.status, removed.headers.get("allow")],
    [405, "GET, HEAD, PATCH, OPTIONS"],
  );
});
