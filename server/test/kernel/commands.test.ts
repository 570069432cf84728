import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { makeAccount, makeIntegration, makePerson } from "../support/make.ts";
import {
  type Answer,
  codes,
  document,
  one,
  pointers,
  type RequestOptions,
  startService,
  PUBLIC_URL,
} from "../support/service.ts";
import { catalogue } from "./definitions.ts";

const service = await startService({}, catalogue);
after(() => service.stop());
const { account, db } = service;

let made = 0;

async function makeSignpost(as: string = account.administrator.token): Promise<string> {
  made += 1;
  const body = document("signposts", { url: `https://host-${made}.example/` });
  return one(await service.post("/v1/signposts", body, { as })).id;
}

const RENEWALS = "/v1/signpost-renewals";
const naming = (id: string) => ({ signpost: { data: { type: "signposts", id } } });
const renewal = (id: string, attributes: object | undefined = {}) => ({
  data: { type: "signpost-renewals", attributes, relationships: naming(id) },
});
const renew = (body: unknown, more: RequestOptions = {}) =>
  service.post(RENEWALS, body, {
    ...more,
    headers: { "Idempotency-Key": newId(), ...more.headers },
  });
const refused = (answer: Answer) => [answer.status, ...codes(answer)];
const generationOf = async (id: string) =>
  one(await service.get(`/v1/signposts/${id}`)).attributes["secret-generation"];

test("201 · a command returns the changed resource with its Location, version and secret", async () => {
  const id = await makeSignpost();
  const answer = await renew(renewal(id));
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get("location"), `${PUBLIC_URL}/v1/signposts/${id}`);
  assert.equal(answer.headers.get("etag"), '"signpost-2"');
  const { attributes, meta, type } = one(answer);
  assert.deepEqual([type, attributes["secret-generation"]], ["signposts", 2]);
  assert.match(String(meta?.["secret"]), /^secret /);
});

test("201 · attributes may be absent, and include and fields shape the response", async () => {
  const id = await makeSignpost();
  const { data } = renewal(id);
  const { attributes: _, ...bare } = data;
  for (const body of [renewal(id, {}), { data: bare }, renewal(id, { reason: "It was lost." })])
    assert.equal((await renew(body)).status, 201);
  const shaped = await service.post(
    `${RENEWALS}?include=diary&fields[signposts]=name`,
    renewal(id),
    {
      headers: { "Idempotency-Key": newId() },
    },
  );
  assert.deepEqual(Object.keys(one(shaped).attributes), ["name"]);
  assert.equal(shaped.document.included?.length, 5);
});

test("202 · a command may need no key and run later", async () => {
  const body = document("signpost-inspections", { "signpost-id": await makeSignpost() });
  const answer = await service.post("/v1/signpost-inspections", body);
  assert.equal(answer.status, 202, answer.text);
  const { attributes, id, type } = one(answer);
  assert.deepEqual([type, attributes["change"]], ["signpost-entries", "inspected"]);
  assert.equal(answer.headers.get("location"), `${PUBLIC_URL}/v1/signpost-entries/${id}`);
});

test("400 · a required key must be present and valid", async () => {
  const id = await makeSignpost();
  const none = await service.post(RENEWALS, renewal(id));
  assert.deepEqual(refused(none), [400, "idempotency-key-required"]);
  assert.deepEqual(none.document.errors?.[0]?.source, { header: "Idempotency-Key" });
  for (const key of ["", "x".repeat(129)])
    assert.deepEqual(refused(await renew(renewal(id), { headers: { "Idempotency-Key": key } })), [
      400,
      "invalid-header",
    ]);
  assert.equal(await generationOf(id), 1);
});

test("201 · a repeated request gets the first response with its secret; 409 · a different one fails", async () => {
  const id = await makeSignpost();
  const headers = { "Idempotency-Key": newId() };
  const [first, again] = [
    await renew(renewal(id), { headers }),
    await renew(renewal(id), { headers }),
  ];
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers.get("idempotent-replay"), "true");
  const other = await renew(renewal(id, { reason: "Another" }), { headers });
  assert.deepEqual(refused(other), [409, "idempotency-key-reused"]);
  assert.equal(await generationOf(id), 2);
  await renew(renewal(id));
  assert.deepEqual(refused(await renew(renewal(id), { headers })), [409, "secret-superseded"]);
});

test("201 · twenty concurrent equal requests have one effect", async () => {
  const id = await makeSignpost();
  const headers = { "Idempotency-Key": newId() };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => renew(renewal(id), { headers })),
  );
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal(answers[0]?.status, 201);
  assert.equal(await generationOf(id), 2);
});

test("422 · a resource outside the reach of the caller is absent, and nothing is stored", async () => {
  const stranger = await makeAccount(db);
  const theirs = await makeSignpost(stranger.administrator.token);
  const gone = await makeSignpost();
  const deleted = await service.delete(`/v1/signposts/${gone}`, {
    headers: { "If-Match": '"signpost-1"' },
  });
  assert.equal(deleted.status, 204);
  for (const id of [newId(), theirs, gone, "nonsense"]) {
    const key = newId();
    const answer = await renew(renewal(id), { headers: { "Idempotency-Key": key } });
    assert.deepEqual(refused(answer), [422, "invalid-relationship"], id);
    assert.match(pointers(answer)[0] ?? "", /^\/data\/relationships\/signpost\/data/);
    const rows = await db`select from idempotency_keys where key like ${`% ${key}`}`;
    assert.equal(rows.length, 0);
  }
  const { id } = one(
    await service.get(`/v1/signposts/${theirs}`, { as: stranger.administrator.token }),
  );
  assert.equal(id, theirs);
});

test("4xx · a document of another type is rejected", async () => {
  const id = await makeSignpost();
  const { data } = renewal(id);
  const wrong: [unknown, number, string][] = [
    [{}, 400, "malformed-document"],
    [{ data: { ...data, type: "signposts" } }, 409, "type-mismatch"],
    [{ data: { ...data, id: newId() } }, 403, "client-id-unsupported"],
    [renewal(id, { reason: 7 }), 422, "invalid-attribute"],
    [renewal(id, { url: "https://a.example" }), 422, "unknown-attribute"],
    [{ data: { type: data.type } }, 422, "missing-relationship"],
    [
      { data: { ...data, relationships: { ...naming(id), diary: { data: [] } } } },
      422,
      "unknown-relationship",
    ],
    [
      { data: { ...data, relationships: { signpost: { data: null } } } },
      422,
      "invalid-relationship",
    ],
    [
      { data: { ...data, relationships: { signpost: { data: { type: "people", id } } } } },
      422,
      "invalid-relationship",
    ],
  ];
  for (const [body, ...said] of wrong) assert.deepEqual(refused(await renew(body)), said);
  const missing = await service.post(
    "/v1/signpost-inspections",
    document("signpost-inspections", {}),
  );
  assert.deepEqual(refused(missing), [422, "missing-attribute"]);
  assert.equal(await generationOf(id), 1);
});

test("405 · a command accepts only POST", async () => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const answer = await service.request(method, RENEWALS);
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers.get("allow"), "POST, OPTIONS");
  }
  assert.equal((await service.get(`${RENEWALS}/${newId()}`)).status, 404);
});

/** Every way in: resources and commands ask for the same callers. */
async function ways(options: RequestOptions): Promise<Answer[]> {
  const id = await makeSignpost();
  const path = `/v1/signposts/${id}`;
  const guarded = { ...options, headers: { "If-Match": '"signpost-1"', ...options.headers } };
  return [
    await service.get("/v1/signposts", options),
    await service.get(path, options),
    await service.get(`${path}/diary`, options),
    await service.get(`${path}/relationships/diary`, options),
    await service.post("/v1/signposts", document("signposts", {}), options),
    await service.patch(path, document("signposts", { nonsense: 1 }, { id }), guarded),
    await service.delete(path, guarded),
    await renew(renewal(id), options),
  ];
}

test("401 · 403 · management needs a full administrator with only a bearer token", async () => {
  const { token: clientToken } = await makeIntegration(db);
  const person = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const cases: [RequestOptions, number, string][] = [
    [{ as: null }, 401, "credentials-missing"],
    [{ as: "nonsense" }, 401, "credentials-invalid"],
    [{ as: person.token }, 403, "forbidden"],
    [{ headers: { "X-SVC-API-Token": clientToken } }, 403, "client-token-unsupported"],
    [
      { headers: { "X-SVC-API-Token": clientToken, "Origin": null } },
      403,
      "client-token-unsupported",
    ],
    [{ headers: { Origin: "https://elsewhere.example" } }, 403, "origin-not-allowed"],
  ];
  for (const [options, ...said] of cases)
    for (const answer of await ways(options)) assert.deepEqual(refused(answer), said);
});

test("200 · management needs no Origin", async () => {
  const answers = await ways({ headers: { Origin: null } });
  // The rejection names the member that was sent.
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 422, 422, 204, 422]);
});
