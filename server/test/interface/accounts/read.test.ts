import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makePerson } from "../../support/make.ts";
import { etag, one, startService, PUBLIC_URL } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

test("200 · every person of an account reads it, by id and as me", async () => {
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
