import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAccount } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  one,
  type RequestOptions,
  startService,
  type TestService,
} from "../../support/service.ts";
import { cookieOf, postSession } from "../../support/session.ts";
import { noise } from "../../support/images.ts";
import { type Login, makeLogin, PASSWORD } from "../../support/sign-in.ts";

const OWN = "https://church.example";
/** A site of the same operator, whose pages may call with a bearer. Its requests also carry the cookie. */
const SIBLING = "https://www.church.example";

let service: TestService;
let secretary: Login;
let cookie: string;
let photo: Buffer;
before(async () => {
  photo = await noise(8, 8).png().toBuffer();
  service = await startService({
    publicUrl: OWN,
    origins: [OWN, SIBLING],
    throttleKey: Buffer.alloc(32, 5),
  });
  secretary = await makeLogin(service.db, service.account, "sec", {
    administrativeStatus: "full-administrator",
  });
  const login = { username: secretary.email, password: PASSWORD };
  cookie = cookieOf(await postSession(service, login, page));
});
after(() => service.stop());

type Sent = Record<string, string | null>;
const page = { "Origin": OWN, "Sec-Fetch-Site": "same-origin" };
/** Browsers leave out `Origin` in reads of the same origin. */
const pageRead = { "Origin": null, "Sec-Fetch-Site": "same-origin" };

/** The headers of requests that pages of other sites make a browser send, with the cookie. */
const attacks: readonly [string, Sent][] = [
  ["another site", { "Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
  ["another site in an old browser", { Origin: "https://evil.example" }],
  ["a sibling site", { "Origin": SIBLING, "Sec-Fetch-Site": "same-site" }],
  ["a sibling site in an old browser", { Origin: SIBLING }],
  ["the same host without TLS", { Origin: "http://church.example" }],
  ["the same host on another port", { Origin: `${OWN}:8443` }],
  ["a longer name", { Origin: `${OWN}.evil.example` }],
  ["a sandboxed frame", { "Origin": "null", "Sec-Fetch-Site": "cross-site" }],
  ["a forged site", { "Origin": OWN, "Sec-Fetch-Site": "same-site" }],
];

const send = (method: string, path: string, headers: Sent, options: RequestOptions = {}) =>
  service.request(method, path, {
    as: null,
    ...options,
    headers: { Cookie: cookie, ...headers },
  });
const tag = (name: string) => document("tags", { name });
const isRefused = (answer: Answer, name: string) => {
  assert.deepEqual([answer.status, codes(answer)], [403, ["cross-site-request"]], name);
  assert.equal(answer.headers.get("access-control-allow-credentials"), null, name);
};
const tags = async () => (await service.get("/v1/tags")).document.meta?.["total"];

describe("the cookie of a session", () => {
  test("200 · has the prefix that binds it to this host and to TLS", async () => {
    const login = { username: secretary.email, password: PASSWORD, remember: true };
    const answer = await postSession(service, login, page);
    assert.match(
      answer.headers.getSetCookie()[0] ?? "",
      /^__Host-vestry=vbt_[\w-]{64}; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=\d+$/,
    );
    assert.match(answer.headers.getSetCookie()[1] ?? "", /^__Host-vestry-device=.*; Secure;/);
  });

  test("201 · a page of the service reads and writes, webhooks included", async () => {
    assert.equal((await send("GET", "/v1/people/me", pageRead)).status, 200);
    assert.equal((await send("HEAD", "/v1/people/me", pageRead)).status, 200);
    assert.equal(
      (await send("GET", "/v1/people/me", { "Origin": null, "Sec-Fetch-Site": "none" })).status,
      200,
    );
    assert.equal((await send("POST", "/v1/tags", page, { body: tag("Choir") })).status, 201);
    assert.equal((await send("GET", "/v1/webhook-endpoints", pageRead)).status, 200);
    assert.equal((await send("GET", "/v1/webhook-event-types", pageRead)).status, 200);
  });

  for (const [name, headers] of attacks)
    test(`403 · ${name} can neither write nor read`, async () => {
      const count = await tags();
      const { id } = secretary;
      const change = { data: { type: "people", id, attributes: { occupation: "Robbed" } } };
      for (const [method, path, body] of [
        ["POST", "/v1/tags", tag("Stolen")],
        ["PATCH", `/v1/people/${id}`, change],
        ["DELETE", `/v1/people/${id}`, undefined],
        ["POST", "/session", { username: secretary.email, password: PASSWORD }],
        ["DELETE", "/session", undefined],
        ["DELETE", "/v1/access-tokens/current", undefined],
        ["PUT", `/v1/people/${id}/photo`, photo],
        ["GET", "/v1/people", undefined],
        ["GET", "/session", undefined],
        ["GET", "/v1/webhook-endpoints", undefined],
      ] as const) {
        const type = path.endsWith("photo") ? "image/png" : "application/vnd.api+json";
        const sent = { ...headers, ...(body !== undefined && { "Content-Type": type }) };
        isRefused(await send(method, path, sent, { body }), `${method} ${path}`);
      }
      assert.equal((await send("GET", "/session", pageRead)).status, 200);
      assert.equal(await tags(), count);
    });

  test("403 · a write without Origin", async () => {
    for (const site of [{}, { "Sec-Fetch-Site": "same-origin" }, { "Sec-Fetch-Site": "none" }]) {
      const headers = { Origin: null, ...site };
      isRefused(await send("POST", "/v1/tags", headers, { body: tag("No origin") }), "POST");
      isRefused(await send("DELETE", `/v1/people/${secretary.id}`, headers), "DELETE");
    }
  });

  test("415 · no form of HTML can send a document", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
    ])
      for (const [headers, path] of [
        [page, "/v1/tags"],
        [page, "/session"],
        [{ Origin: SIBLING }, "/v1/tags"],
      ] as const) {
        const body = JSON.stringify(tag("Form"));
        const sent = { ...headers, "Content-Type": type };
        assert.equal((await send("POST", path, sent, { body })).status, 415, `${type} ${path}`);
      }
  });

  test("200 · the method of a request cannot be overridden", async () => {
    const name = secretary.id;
    const headers = { ...pageRead, "X-HTTP-Method-Override": "DELETE" };
    assert.equal((await send("GET", `/v1/people/${name}`, headers)).status, 200);
    assert.equal((await send("GET", `/v1/people/${name}?_method=DELETE`, pageRead)).status, 400);
    assert.equal((await send("GET", `/v1/people/${name}`, pageRead)).status, 200);
  });

  test("the other credentials of a request count alone", async () => {
    const other = await makeLogin(service.db, service.account, "other");
    const me = (as: string | null, headers: Sent) =>
      service.get("/v1/people/me", { as, headers: { Cookie: cookie, ...headers } });
    assert.equal(one(await me(other.token, page)).id, other.id);
    const invalid = await me(`vat_${"A".repeat(64)}`, page);
    assert.deepEqual([invalid.status, codes(invalid)], [401, ["credentials-invalid"]]);
    const [, token = ""] = cookie.split("=");
    assert.equal((await me(token, page)).status, 401);
    const integration = await me(null, { ...page, "X-SVC-API-Token": "x" });
    assert.deepEqual(codes(integration), ["credentials-missing"]);
    const bearer = { Cookie: `__Host-vestry=${secretary.token}`, ...pageRead };
    assert.equal((await service.get("/v1/people/me", { as: null, headers: bearer })).status, 401);
  });

  test("404 · the cookie of one account reaches no other", async () => {
    const elsewhere = await makeAccount(service.db);
    const { id } = elsewhere.administrator;
    assert.equal((await send("GET", `/v1/people/${id}`, pageRead)).status, 404);
    // The stored hash covers the account in the token.
    const account = Buffer.from(elsewhere.id.replaceAll("-", ""), "hex");
    const [name, token = ""] = cookie.split("=");
    const bytes = Buffer.from(token.slice(4), "base64url");
    const forged = `${name}=vbt_${Buffer.concat([account, bytes.subarray(16)]).toString("base64url")}`;
    const answer = await send("GET", "/v1/people/me", { ...pageRead, Cookie: forged });
    assert.equal(answer.status, 401);
  });

  test("401 · a cookie that a sibling site planted has no effect", async () => {
    const attacker = await makeLogin(service.db, service.account, "attacker");
    const login = { username: attacker.email, password: PASSWORD };
    const [, planted = ""] = cookieOf(await postSession(service, login, page)).split("=");
    const get = (cookies: string) => send("GET", "/v1/people/me", { ...pageRead, Cookie: cookies });
    // Without the prefix, which only this host can set.
    assert.equal((await get(`vestry=${planted}`)).status, 401);
    assert.equal(one(await get(`vestry=${planted}; ${cookie}`)).id, secretary.id);
    assert.equal(one(await get(`${cookie}; ${cookie}`)).id, secretary.id);
    assert.equal((await get(`__Host-vestry=${planted}; ${cookie}`)).status, 401);
  });

  test("401 · a page of another person neither reads nor writes with the cookie that replaced its own", async () => {
    const count = await tags();
    const other = await makeLogin(service.db, service.account, "second-tab");
    const login = { username: other.email, password: PASSWORD };
    const replaced = cookieOf(await postSession(service, login, page));
    const from = (person: string) => ({ ...page, "Cookie": replaced, "Vestry-Person": person });
    for (const [method, path, body] of [
      ["POST", "/v1/tags", tag("Not mine")],
      ["PUT", `/v1/people/${other.id}/photo`, photo],
      ["GET", "/v1/people/me", undefined],
      ["GET", "/v1/webhook-endpoints", undefined],
    ] as const) {
      const type = path.endsWith("photo") ? { "Content-Type": "image/png" } : {};
      for (const person of [secretary.id, newId(), "me", ""]) {
        const answer = await send(method, path, { ...from(person), ...type }, { body });
        assert.deepEqual([answer.status, codes(answer)], [401, ["other-person"]], path);
      }
    }
    assert.equal(await tags(), count);
    assert.equal((await send("GET", "/v1/people/me", from(other.id))).status, 200);
  });

  test("204 · a preflight never allows credentials", async () => {
    for (const origin of [SIBLING, OWN, "https://evil.example"]) {
      const answer = await send("OPTIONS", "/v1/tags", {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      });
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get("access-control-allow-credentials"), null);
      assert.notEqual(answer.headers.get("access-control-allow-origin"), "*");
    }
  });

  test("200 · an upload counts, and another site cannot repeat a request by its key", async () => {
    const path = `/v1/people/${secretary.id}/photo`;
    const type = { ...page, "Content-Type": "image/png" };
    assert.equal((await send("PUT", path, type, { body: photo })).status, 200);

    const key = { "Idempotency-Key": newId() };
    const first = await send("POST", "/v1/tags", { ...page, ...key }, { body: tag("Once") });
    assert.equal(first.status, 201);
    const again = await send("POST", "/v1/tags", { ...page, ...key }, { body: tag("Once") });
    assert.equal(again.headers.get("idempotent-replay"), "true");
    assert.equal(again.headers.get("set-cookie"), null);
    const foreign = { Origin: SIBLING, ...key };
    isRefused(await send("POST", "/v1/tags", foreign, { body: tag("Once") }), "replay");
  });
});
