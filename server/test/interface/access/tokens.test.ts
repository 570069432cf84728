import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { type TestAccount, makeAccount, makePerson, makeToken } from "../../support/make.ts";
import {
  codes,
  document,
  pointers,
  type RequestOptions,
  startService,
  type TestService,
} from "../../support/service.ts";
import { type Login, makeLogin, PASSWORD, whileHashesQueue } from "../../support/sign-in.ts";

let service: TestService;
let other: TestAccount;

before(async () => {
  service = await startService();
  other = await makeAccount(service.db);
});
after(() => service.stop());

let made = 0;
const makeOne = (): Promise<Login> => makeLogin(service.db, service.account, `person-${++made}`);
const works = async (token: string) =>
  (await service.get("/v1/people/me", { as: token })).status === 200;

describe("DELETE /v1/access-tokens/current", () => {
  test("204 · ends only the current token", async () => {
    const person = await makeOne();
    const second = await makeToken(service.db, service.account.id, person.id);
    const answer = await service.delete("/v1/access-tokens/current", { as: person.token });
    assert.equal(answer.status, 204);
    assert.equal(answer.text, "");
    assert.equal(await works(person.token), false);
    assert.equal(await works(second), true);
  });

  test("401 · a token cannot end twice", async () => {
    const person = await makeOne();
    await service.delete("/v1/access-tokens/current", { as: person.token });
    const answer = await service.delete("/v1/access-tokens/current", { as: person.token });
    assert.equal(answer.status, 401);
    assert.equal((await service.delete("/v1/access-tokens/current", { as: null })).status, 401);
  });

  test("405 · a token cannot be read", async () => {
    const answer = await service.get("/v1/access-tokens/current");
    assert.equal(answer.status, 405);
    assert.match(answer.headers.get("allow") ?? "", /DELETE/);
  });
});

describe("POST /v1/password-changes", () => {
  beforeEach(async () => {
    await service.home`delete from counters`;
  });

  const NEW = "a brand new password";
  const change = (as: string, attributes: Record<string, unknown>, headers = {}) =>
    service.post("/v1/password-changes", document("password-changes", attributes), { as, headers });
  const logIn = async (email: string, password: string) =>
    (
      await service.post(
        "/authenticate",
        { username: email, password, account: service.account.alias },
        { as: null },
      )
    ).status;

  test("204 · ends the old password and the other tokens, and keeps the current token", async () => {
    const person = await makeOne();
    const second = await makeToken(service.db, service.account.id, person.id);
    const answer = await change(person.token, {
      "current-password": PASSWORD,
      "new-password": NEW,
    });
    assert.equal(answer.status, 204);
    assert.equal(await logIn(person.email, PASSWORD), 401);
    assert.equal(await logIn(person.email, NEW), 200);
    assert.equal(await works(person.token), true);
    assert.equal(await works(second), false);
  });

  test("204 · correct passwords are never throttled", async () => {
    const { token } = await makeOne();
    const words = [PASSWORD, ...Array.from({ length: 7 }, (_, n) => `password ${n}`)];
    for (const [n, word] of words.slice(1).entries()) {
      const answer = await change(token, { "current-password": words[n], "new-password": word });
      assert.equal(answer.status, 204, answer.text);
    }
  });

  test("204 · a repeated request changes nothing, and no password is stored", async () => {
    const person = await makeOne();
    const attributes = { "current-password": PASSWORD, "new-password": NEW };
    const headers = { "Idempotency-Key": newId() };
    assert.equal((await change(person.token, attributes, headers)).status, 204);
    const again = await change(person.token, attributes, headers);
    assert.equal(again.status, 204);
    assert.equal(again.headers.get("idempotent-replay"), "true");
    const different = await change(
      person.token,
      { ...attributes, "new-password": "another one" },
      headers,
    );
    assert.deepEqual(codes(different), ["idempotency-key-reused"]);
    const kept = await service.db`select * from idempotency_keys`;
    assert.ok(!JSON.stringify(kept).includes(NEW));
  });

  test("422 · a wrong current password changes nothing and keeps the token", async () => {
    const person = await makeOne();
    for (const wrong of ["not this one", "x", "y".repeat(500_000)]) {
      const answer = await change(person.token, { "current-password": wrong, "new-password": NEW });
      assert.equal(answer.status, 422);
      assert.deepEqual(codes(answer), ["wrong-password"]);
      assert.deepEqual(pointers(answer), ["/data/attributes/current-password"]);
    }
    assert.equal(await works(person.token), true);
    assert.equal(await logIn(person.email, PASSWORD), 200);
  });

  test("422 · a common password, and one with a name of the person, cannot be set", async () => {
    const person = await makeOne();
    for (const [password, part] of [
      ["12345678", "list"],
      [person.email, "names"],
    ]) {
      const answer = await change(person.token, {
        "current-password": PASSWORD,
        "new-password": password,
      });
      assert.deepEqual(pointers(answer), ["/data/attributes/new-password"]);
      const { meta } = answer.document.errors?.[0] ?? {};
      assert.deepEqual([meta?.["rule"], meta?.["part"]], ["too-common", part]);
    }
    assert.equal(await logIn(person.email, PASSWORD), 200);
  });

  test("422 · a person without a login has no password to change", async () => {
    const { token } = await makePerson(service.db, service.account.id);
    const answer = await change(token, { "current-password": PASSWORD, "new-password": NEW });
    assert.deepEqual(codes(answer), ["wrong-password"]);
  });

  test("422 · every invalid member is reported with its pointer", async () => {
    const { token } = await makeOne();
    for (const password of ["1234567", "x".repeat(141), "abcdef\ud800", "abcdef\u0000"]) {
      const answer = await change(token, {
        "current-password": PASSWORD,
        "new-password": password,
      });
      assert.equal(answer.status, 422);
      assert.deepEqual(pointers(answer), ["/data/attributes/new-password"]);
    }
    const answer = await change(token, { "new-password": 7, "hint": "dog" });
    assert.deepEqual(
      new Set(pointers(answer)),
      new Set([
        "/data/attributes/current-password",
        "/data/attributes/hint",
        "/data/attributes/new-password",
      ]),
    );
    const wrong = { "new-password": "x".repeat(141), "zz": 1 };
    const body = { ...document("password-changes", wrong), "more": 1 };
    assert.deepEqual(
      new Set(pointers(await service.post("/v1/password-changes", body, { as: token }))),
      new Set([
        "/more",
        "/data/attributes/current-password",
        "/data/attributes/zz",
        "/data/attributes/new-password",
      ]),
    );
  });

  test("422 · one of two concurrent changes succeeds", async () => {
    const person = await makeOne();
    const answers = await Promise.all(
      ["first new one", "second new one"].map((password) =>
        change(person.token, { "current-password": PASSWORD, "new-password": password }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204, 422]));
  });

  test("4xx · a malformed document is rejected", async () => {
    const { token } = await makeOne();
    const send = async (body: unknown, headers = {}) => {
      const answer = await service.post("/v1/password-changes", body, { as: token, headers });
      return [answer.status, ...codes(answer), ...pointers(answer)];
    };
    assert.deepEqual(await send("{"), [400, "malformed-json", ""]);
    assert.deepEqual(await send([]), [400, "malformed-document", ""]);
    assert.deepEqual(await send({ data: null }), [400, "malformed-document", "/data"]);
    assert.deepEqual(await send({ data: {} }), [400, "malformed-document", "/data/type"]);
    const other = { data: { type: "people" } };
    assert.deepEqual(await send(other), [409, "type-mismatch", "/data/type"]);
    const named = { data: { type: "password-changes", id: "1" } };
    assert.deepEqual(await send(named), [403, "client-id-unsupported", "/data/id"]);
    const json = { "Content-Type": "application/json" };
    assert.deepEqual(await send({}, json), [415, "unsupported-media-type", undefined]);
  });

  test("503 · a request that cannot be hashed for lack of capacity is not a failed guess", async () => {
    const person = await makeOne();
    const attributes = { "current-password": PASSWORD, "new-password": NEW };
    const answer = await whileHashesQueue(() => change(person.token, attributes));
    assert.deepEqual([answer.status, ...codes(answer)], [503, "unavailable"]);
    const rows = await service.home<
      { failures: number }[]
    >`select requests as failures from counters`;
    assert.deepEqual(
      rows.map(({ failures }) => failures),
      [0, 0],
    );
    assert.equal((await change(person.token, attributes)).status, 204);
  });

  test("429 · wrong current passwords are throttled", async () => {
    const { token } = await makeOne();
    const guess = () => change(token, { "current-password": "wrong one", "new-password": NEW });
    for (let n = 0; n < 5; n += 1) assert.equal((await guess()).status, 422);
    let answer = await guess();
    // A busy machine sits the first second out; the next delays are longer.
    for (let n = 0; n < 5 && answer.status === 422; n += 1) answer = await guess();
    assert.equal(answer.status, 429);
    assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d?$/);
  });
});

test("406 · an unsupported Accept is rejected", async () => {
  const { token } = await makeOne();
  const headers = { Accept: "application/vnd.api+json;version=1" };
  for (const type of ["password-changes", "access-token-revocations"]) {
    const answer = await service.post(`/v1/${type}`, document(type, {}), { as: token, headers });
    assert.deepEqual([answer.status, ...codes(answer)], [406, "not-acceptable"], type);
  }
});

describe("POST /v1/access-token-revocations", () => {
  const revoke = (personId: unknown, options: RequestOptions = {}, attributes?: object) =>
    service.post(
      "/v1/access-token-revocations",
      {
        data: {
          type: "access-token-revocations",
          ...(attributes && { attributes }),
          relationships: { person: { data: { type: "people", id: personId } } },
        },
      },
      options,
    );

  test("204 · a full administrator ends all tokens of another person", async () => {
    const person = await makeOne();
    const second = await makeToken(service.db, service.account.id, person.id);
    const answer = await revoke(person.id);
    assert.equal(answer.status, 204);
    assert.equal(await works(person.token), false);
    assert.equal(await works(second), false);
    assert.equal(await works(service.account.administrator.token), true);
  });

  test("204 · a person ends their own tokens, including the current one", async () => {
    const person = await makeOne();
    assert.equal((await revoke(person.id, { as: person.token })).status, 204);
    assert.equal(await works(person.token), false);
  });

  test("204 · with keep-current, a person ends all tokens but the current one", async () => {
    const person = await makeOne();
    const second = await makeToken(service.db, service.account.id, person.id);
    const answer = await revoke(person.id, { as: person.token }, { "keep-current": true });
    assert.equal(answer.status, 204);
    assert.equal(await works(person.token), true);
    assert.equal(await works(second), false);
    const wrong = await revoke(person.id, { as: person.token }, { "keep-current": "yes" });
    assert.deepEqual([wrong.status, ...pointers(wrong)], [422, "/data/attributes/keep-current"]);
  });

  test("403 · an administrator cannot end the tokens of a person of higher rank", async () => {
    const administrativeStatus = "administrator";
    const half = (name: string) =>
      makeLogin(service.db, service.account, name, { administrativeStatus });
    const [{ token: as }, equal, person] = [await half("half"), await half("too"), await makeOne()];
    for (const { id, token } of [person, equal]) {
      assert.equal((await revoke(id, { as })).status, 204);
      assert.equal(await works(token), false);
    }
    const full = service.account.administrator;
    const refused = await revoke(full.id, { as });
    assert.deepEqual([refused.status, ...codes(refused)], [403, "forbidden"]);
    assert.deepEqual(pointers(refused), ["/data/relationships/person"]);
    assert.equal(await works(full.token), true);
    assert.equal((await revoke(newId(), { as })).status, 404);
  });

  test("403 · a member cannot end another person's tokens, and learns nothing about the person", async () => {
    const [person, victim] = [await makeOne(), await makeOne()];
    for (const id of [victim.id, newId(), "x", other.administrator.id])
      assert.deepEqual(codes(await revoke(id, { as: person.token })), ["forbidden"]);
    assert.equal(await works(victim.token), true);
  });

  test("404 · unknown, malformed and foreign people are absent", async () => {
    for (const id of [other.administrator.id, newId(), "x", ""]) {
      const answer = await revoke(id);
      assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"]);
      assert.deepEqual(pointers(answer), ["/data/relationships/person"]);
    }
    assert.equal(await works(other.administrator.token), true);
  });

  test("204 · a repeated request does not end later tokens", async () => {
    const person = await makeOne();
    const headers = { "Idempotency-Key": newId() };
    assert.equal((await revoke(person.id, { headers })).status, 204);
    const later = await makeToken(service.db, service.account.id, person.id);
    const again = await revoke(person.id, { headers });
    assert.deepEqual([again.status, again.headers.get("idempotent-replay")], [204, "true"]);
    assert.equal(await works(later), true);
    const another = await revoke((await makeOne()).id, { headers });
    assert.deepEqual([another.status, ...codes(another)], [409, "idempotency-key-reused"]);
  });

  test("422 · the person is required, and nothing else is allowed", async () => {
    const send = async (members: object) =>
      pointers(
        await service.post("/v1/access-token-revocations", {
          data: { type: "access-token-revocations", ...members },
        }),
      );
    const person = "/data/relationships/person";
    assert.deepEqual(await send({}), [person]);
    assert.deepEqual(await send({ relationships: { person: null } }), [person]);
    assert.deepEqual(await send({ relationships: { person: { data: [] } } }), [person]);
    assert.deepEqual(
      await send({ relationships: { person: { data: { type: "cells", id: "x" } } } }),
      [person],
    );
    assert.deepEqual(await send({ attributes: { all: true } }), ["/data/attributes/all", person]);
  });
});
