import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { confirm, invite, revealed } from "../../support/invitations.ts";
import { makePerson } from "../../support/make.ts";
import { codes, one, pointers, startService, type TestService } from "../../support/service.ts";
import { PAGE } from "../../support/session.ts";

let service: TestService;
before(async () => {
  service = await startService();
  // Files that ran before may have failed from the same address.
  await service.home`delete from counters`;
});
after(() => service.stop());

const readLink = (token: string, headers: Record<string, string> = {}) =>
  service.post(
    "/session/password-link",
    { token },
    { as: null, headers: { ...PAGE, "Content-Type": "application/json", ...headers } },
  );

async function invited(name: string) {
  const email = `${name}@church.example`;
  const person = await makePerson(service.db, service.account.id, { email });
  return { email, ...revealed(await invite(service, person.id)) };
}

describe("POST /session/password-link", () => {
  test("200 · names the church and the log-in, as often as it is asked, and leaves the token as it is", async () => {
    const { email, token } = await invited("asked");
    for (let count = 0; count < 2; count++) {
      const answer = await readLink(token);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get("cache-control"), "no-store");
      const { account, ...link } = JSON.parse(answer.text) as { account: { name: string } };
      assert.deepEqual(link, { "username": email, "password-length-min": 8 });
      const { "church-name": name } = one(await service.get("/v1/accounts/me")).attributes ?? {};
      assert.deepEqual(account, { alias: service.account.alias, name });
    }
    assert.equal((await confirm(service, token, "a long and private sentence")).status, 204);
  });

  test("422 · a token that is unknown or used", async () => {
    const { token } = await invited("used");
    await confirm(service, token, "a long and private sentence");
    for (const wrong of [token, `${token.slice(0, -1)}x`, "x"]) {
      const answer = await readLink(wrong);
      assert.deepEqual([answer.status, ...codes(answer)], [422, "token-invalid"]);
      assert.deepEqual(pointers(answer), ["/token"]);
    }
  });

  test("429 · wrong tokens from one address are throttled with wrong passwords, and right ones do not count", async () => {
    await service.home`delete from counters`;
    const { token } = await invited("guessed");
    for (let count = 0; count < 30; count++) assert.equal((await readLink(token)).status, 200);
    const statuses = [];
    for (let count = 0; count < 25; count++) statuses.push((await readLink(`x${count}`)).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [422, 429]);
    await service.home`delete from counters`;
  });

  test("403 · another site cannot ask", async () => {
    const { token } = await invited("asked-elsewhere");
    const answer = await readLink(token, {
      "Origin": "https://evil.example",
      "Sec-Fetch-Site": "cross-site",
    });
    assert.deepEqual([answer.status, ...codes(answer)], [403, "cross-site-request"]);
  });
});
