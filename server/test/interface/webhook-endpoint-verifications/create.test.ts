import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  activeEndpoint,
  newKey,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
} from "../../support/endpoints.ts";
import { makeAccount } from "../../support/make.ts";
import {
  codes,
  document,
  many,
  one,
  pointers,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const ask = (
  endpointId: unknown,
  version: unknown,
  options: Parameters<typeof service.post>[2] = {},
) =>
  service.post(
    "/v1/webhook-endpoint-verifications",
    document("webhook-endpoint-verifications", {
      "endpoint-id": endpointId,
      "configuration-version": version,
    }),
    { headers: newKey(), ...options },
  );

const verifications = async (id: string) =>
  many(await service.get(`/v1/webhook-deliveries?filter[endpoint]=${id}&sort=created-at`)).map(
    ({ attributes }) => [attributes["status"], attributes["suppression-reason"]].join(),
  );

test("202 · queues a verification, and answers its delivery", async () => {
  const { id } = await postEndpoint(service);
  const answer = await ask(id, 1);
  assert.equal(answer.status, 202, answer.text);
  const { attributes, id: delivery, relationships, type } = one(answer);
  assert.equal(type, "webhook-deliveries");
  assert.equal(answer.headers.get("location"), `${PUBLIC_URL}/v1/webhook-deliveries/${delivery}`);
  assert.deepEqual(
    [attributes["kind"], attributes["status"], attributes["attempt-count"]],
    ["verification", "pending", 0],
  );
  assert.deepEqual(relationships["endpoint"]?.data, { type: "webhook-endpoints", id });
  assert.equal(relationships["event"]?.data, null);
  const { "created-at": created, "expires-at": expires } = attributes as Record<string, string>;
  assert.equal(Date.parse(expires ?? "") - Date.parse(created ?? ""), 15 * 60_000);
});

test("202 · the newest one alone can activate: older ones are superseded", async () => {
  const { id } = await postEndpoint(service);
  await ask(id, 1);
  await ask(id, 1);
  assert.deepEqual(await verifications(id), [
    "suppressed,verification-superseded",
    "suppressed,verification-superseded",
    "pending,",
  ]);
  const challenges = await db`
    select distinct challenge, id from webhook_controls where account_id = ${account.id} and endpoint_id = ${id}`;
  assert.equal(challenges.length, 3);
});

test("202 · an active endpoint stays active meanwhile, and its version the same", async () => {
  const { id } = await activeEndpoint(service);
  assert.equal((await ask(id, 2)).status, 202);
  const after = await readEndpoint(service, id);
  assert.deepEqual([after["status"], after["configuration-version"]], ["active", 2]);
});

test("202 · the same key with the same request answers the same delivery, and counts once", async () => {
  const { id } = await postEndpoint(service);
  const headers = newKey();
  const first = await ask(id, 1, { headers });
  for (let more = 0; more < 9; more += 1) {
    const again = await ask(id, 1, { headers });
    assert.deepEqual([again.status, one(again).id], [202, one(first).id]);
    assert.equal(again.headers.get("idempotent-replay"), "true");
  }
  assert.equal((await verifications(id)).length, 2);
});

test("202 · twenty equal requests at once queue one", async () => {
  const { id } = await postEndpoint(service);
  const headers = newKey();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(id, 1, { headers })));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  assert.equal(new Set(answers.map((answer) => one(answer).id)).size, 1);
  assert.equal((await verifications(id)).length, 2);
});

test("400 · without a key, with an empty one, with one of 129 characters", async () => {
  const { id } = await postEndpoint(service);
  const missing = await ask(id, 1, { headers: {} });
  assert.deepEqual([missing.status, codes(missing)], [400, ["idempotency-key-required"]]);
  for (const key of ["", "x".repeat(129)]) {
    const answer = await ask(id, 1, { headers: { "Idempotency-Key": key } });
    assert.deepEqual([answer.status, codes(answer)], [400, ["invalid-header"]]);
  }
  assert.equal((await ask(id, 1, { headers: { "Idempotency-Key": "x".repeat(128) } })).status, 202);
});

test("404 · an endpoint that is absent, malformed, deleted or another account's", async () => {
  const gone = await postEndpoint(service);
  await service.delete(`/v1/webhook-endpoints/${gone.id}`, { headers: { "If-Match": gone.etag } });
  const mine = await postEndpoint(service);
  const other = await makeAccount(db);
  for (const [id, as] of [
    [newId(), account.administrator.token],
    ["nothing", account.administrator.token],
    [gone.id, account.administrator.token],
    [mine.id, other.administrator.token],
  ] as const) {
    const answer = await ask(id, 1, { as, headers: newKey() });
    assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]]);
    assert.deepEqual(pointers(answer), ["/data/attributes/endpoint-id"]);
  }
});

test("409 · a version that is not the current one", async () => {
  const { id } = await postEndpoint(service);
  await patchEndpoint(service, id, { name: "Newer" });
  for (const version of [1, 3]) {
    const answer = await ask(id, version);
    assert.deepEqual([answer.status, codes(answer)], [409, ["stale-version"]]);
    assert.deepEqual(pointers(answer), ["/data/attributes/configuration-version"]);
  }
});

test("409 · a paused endpoint is resumed, not verified", async () => {
  const { id } = await activeEndpoint(service);
  await patchEndpoint(service, id, { status: "paused" });
  const answer = await ask(id, 3);
  assert.deepEqual([answer.status, codes(answer)], [409, ["endpoint-paused"]]);
});

test("409 · the same key for another endpoint", async () => {
  const [one, other] = [await postEndpoint(service), await postEndpoint(service)];
  const headers = newKey();
  assert.equal((await ask(one.id, 1, { headers })).status, 202);
  const answer = await ask(other.id, 1, { headers });
  assert.deepEqual([answer.status, codes(answer)], [409, ["idempotency-key-reused"]]);
});

test("422 · an endpoint that is named as a relationship: this route takes an attribute, and says so", async () => {
  const { id } = await postEndpoint(service);
  const type = "webhook-endpoint-verifications";
  const endpoint = { data: { type: "webhook-endpoints", id } };
  const answer = await service.post(
    `/v1/${type}`,
    document(type, { "configuration-version": 1 }, { relationships: { endpoint } }),
    { headers: newKey() },
  );
  assert.deepEqual(codes(answer), ["missing-attribute", "unknown-relationship"]);
  assert.match(answer.document.errors?.[1]?.detail ?? "", /Send the attribute "endpoint-id"\.$/);
});

test("422 · both attributes are needed, and of their types", async () => {
  const empty = await service.post(
    "/v1/webhook-endpoint-verifications",
    document("webhook-endpoint-verifications", {}),
    { headers: newKey() },
  );
  assert.deepEqual(codes(empty), ["missing-attribute", "missing-attribute"]);
  const wrong = await ask(7, "1");
  assert.equal(wrong.status, 422);
  assert.deepEqual(pointers(wrong), [
    "/data/attributes/endpoint-id",
    "/data/attributes/configuration-version",
  ]);
});

test("429 · five of an endpoint in an hour; what creation and a URL cause does not count", async () => {
  const { id } = await postEndpoint(service);
  await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  assert.equal((await ask(id, 1)).status, 409, "what is refused does not count either");
  for (let some = 0; some < 5; some += 1) assert.equal((await ask(id, 2)).status, 202);
  const answer = await ask(id, 2);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  const seconds = Number(answer.headers.get("retry-after"));
  assert.ok(seconds > 3_500 && seconds <= 3_600, String(seconds));
  // The URL can be set all the same, and is verified.
  const moved = await patchEndpoint(service, id, { url: `https://again.example/${id}` }, newKey());
  assert.equal(moved.status, 200);
  assert.equal((await verifications(id)).at(-1), "pending,");
});

test("503 · when the limits cannot be checked nothing is sent", async () => {
  const { id } = await postEndpoint(service);
  await db`alter table webhook_actions rename to mislaid`;
  const answer = await ask(id, 1);
  await db`alter table mislaid rename to webhook_actions`;
  assert.deepEqual([answer.status, codes(answer)], [503, ["unavailable"]]);
  assert.ok(Number(answer.headers.get("retry-after")) >= 1);
  assert.deepEqual(await verifications(id), ["pending,"]);
});
