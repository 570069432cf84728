import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { codes, startService, type TestService } from "../../support/service.ts";
import { cookieFor, inSession } from "../../support/session.ts";
import { makeLogin } from "../../support/sign-in.ts";

let service: TestService;
before(async () => {
  service = await startService({ throttleKey: Buffer.alloc(32, 4) });
});
after(() => service.stop());

describe("DELETE /session", () => {
  test("204 · the session ends, and the browser forgets the cookie", async () => {
    const { email, token } = await makeLogin(service.db, service.account, "leaves");
    const cookie = await cookieFor(service, email);
    const answer = await service.delete("/session", inSession(cookie));
    assert.equal(answer.status, 204);
    assert.equal(
      answer.headers.get("set-cookie"),
      "vestry=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0",
    );
    assert.equal((await service.get("/v1/people/me", inSession(cookie))).status, 401);
    assert.equal((await service.get("/v1/people/me", { as: token })).status, 200);
  });

  test("204 · without a session, and again", async () => {
    const { email } = await makeLogin(service.db, service.account, "again");
    const cookie = await cookieFor(service, email);
    for (const each of [cookie, cookie, "vestry=", "other=1"])
      assert.equal((await service.delete("/session", inSession(each))).status, 204);
  });

  test("403 · another site cannot log a person out", async () => {
    const { email } = await makeLogin(service.db, service.account, "stays");
    const cookie = await cookieFor(service, email);
    const headers = { "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    const answer = await service.delete("/session", inSession(cookie, { headers }));
    assert.deepEqual([answer.status, codes(answer)], [403, ["cross-site-request"]]);
    assert.equal((await service.get("/session", inSession(cookie))).status, 200);
  });
});
