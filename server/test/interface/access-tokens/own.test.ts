import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { makeToken } from "../../support/make.ts";
import { codes, ids, many, startService, type TestService } from "../../support/service.ts";
import { cookieFor, inSession } from "../../support/session.ts";
import { type Login, makeLogin, PASSWORD } from "../../support/sign-in.ts";

let service: TestService;
let person: Login;
let cookie: string;
before(async () => {
  service = await startService({ throttleKey: Buffer.alloc(32, 6) });
  person = await makeLogin(service.db, service.account, "mary");
  cookie = await cookieFor(service, person.email, {}, { "User-Agent": "X11; Linux Firefox/152.0" });
});
after(() => service.stop());

const list = (query = "") => service.get(`/v1/access-tokens${query}`, inSession(cookie));

describe("GET /v1/access-tokens", () => {
  test("200 · the caller's own, the current one first", async () => {
    const answer = await list();
    assert.equal(answer.status, 200);
    const [current, bearer, ...others] = many(answer);
    assert.equal(others.length, 0);
    assert.deepEqual(
      [current, bearer].map((each) => [
        each?.attributes["kind"],
        each?.attributes["device"],
        each?.attributes["is-current"],
      ]),
      [
        ["browser", "Firefox on Linux", true],
        ["bearer", null, false],
      ],
    );
    assert.match(String(current?.attributes["last-used-at"]), /T\d\d:00:00.000Z$/);
    assert.doesNotMatch(answer.text, /v[ab]t_/);
    const asBearer = await service.get("/v1/access-tokens", { as: person.token });
    assert.equal(many(asBearer)[0]?.id, bearer?.id);
    // The administrator sees no token of another person.
    const seen = await service.get("/v1/access-tokens");
    assert.ok(ids(seen).every((id) => id !== current?.id && id !== bearer?.id));
  });

  test("200 · a log-in of a program has its name, and expired tokens are left out", async () => {
    const { email } = await makeLogin(service.db, service.account, "programs");
    const login = { username: email, password: PASSWORD, account: service.account.alias };
    const logIn = async () =>
      JSON.parse(
        (
          await service.post("/authenticate", JSON.stringify(login), {
            as: null,
            headers: { "Content-Type": "application/json", "User-Agent": "curl/8.19.0" },
          })
        ).text,
      ) as { access_token: string; person: { id: string } };
    const { access_token: as, person: owner } = await logIn();
    const devices = async () =>
      many(await service.get("/v1/access-tokens", { as })).map(
        ({ attributes }) => attributes["device"],
      );
    assert.deepEqual(await devices(), ["curl", null]);
    await service.db`
      update access_tokens set expires_at = now()
      where account_id = ${service.account.id} and person_id = ${owner.id} and device is null`;
    assert.deepEqual(await devices(), ["curl"]);
  });

  test("200 · pages, and nothing else, can be asked for", async () => {
    await makeToken(service.db, service.account.id, person.id);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => list(`?page[size]=1&page[number]=${page}`)),
    );
    assert.equal(new Set(pages.flatMap(ids)).size, 3);
    assert.deepEqual(pages[0]?.document.meta, { total: 3, page: 1, size: 1 });
    const wrong = await list("?sort=device");
    assert.deepEqual([wrong.status, codes(wrong)], [400, ["unknown-parameter"]]);
  });
});

describe("DELETE /v1/access-tokens/:id", () => {
  test("204 · ends one token, and a session by its own id", async () => {
    const doomed = await cookieFor(service, person.email);
    const [own] = ids(await service.get("/v1/access-tokens", inSession(doomed)));
    assert.equal((await service.delete(`/v1/access-tokens/${own}`, inSession(cookie))).status, 204);
    assert.equal((await service.get("/session", inSession(doomed))).status, 401);
    assert.equal((await service.get("/session", inSession(cookie))).status, 200);
    assert.equal((await service.delete(`/v1/access-tokens/${own}`, inSession(cookie))).status, 404);
    const last = await cookieFor(service, person.email);
    assert.equal((await service.delete("/v1/access-tokens/current", inSession(last))).status, 204);
    assert.equal((await service.get("/session", inSession(last))).status, 401);
  });

  test("404 · another person's, also for a full administrator", async () => {
    const [own] = ids(await list());
    for (const id of [own, "x", service.account.id]) {
      const answer = await service.delete(`/v1/access-tokens/${id}`);
      assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]]);
    }
    assert.equal((await list()).status, 200);
  });
});
