import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  activeEndpoint,
  encryptElsewhere,
  newKey,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
} from "../../support/endpoints.ts";
import { makeAccount } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  one,
  pointers,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";
import { observed } from "../../support/engine.ts";
import { together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

// Ten of an account are few: each test has them for itself.
test.beforeEach(() => db`delete from webhook_actions where account_id = ${account.id}`);

const rotate = (
  id: string,
  generation: unknown,
  options: Parameters<typeof service.post>[2] = {},
): Promise<Answer> =>
  service.post(
    "/v1/webhook-endpoint-secret-rotations",
    document(
      "webhook-endpoint-secret-rotations",
      { "secret-generation": generation },
      { relationships: { endpoint: { data: { type: "webhook-endpoints", id } } } },
    ),
    { headers: newKey(), ...options },
  );

const secretOf = (answer: Answer) => String(one(answer).meta?.["secret"]);

/** As if the 48 hours of the last rotation were over. */
async function endOverlap(id: string): Promise<void> {
  await db`
    update webhook_endpoints set secret_overlap_until = now() - interval '1 second'
    where account_id = ${account.id} and id = ${id}`;
  await db`
    update webhook_secrets set valid_until = now() - interval '1 second'
    where account_id = ${account.id} and endpoint_id = ${id} and valid_until is not null`;
  await db`
    update webhook_actions set asked_at = now() - interval '48 hours'
    where account_id = ${account.id} and endpoint_id = ${id}`;
}

test("201 · the new generation and the new secret, once", async () => {
  const { id, secret } = await activeEndpoint(service);
  const answer = await rotate(id, 1);
  assert.equal(answer.status, 201, answer.text);
  const { attributes, id: rotation, relationships, type } = one(answer);
  assert.equal(type, "webhook-endpoint-secret-rotations");
  assert.equal(attributes["secret-generation"], 2);
  assert.deepEqual(relationships["endpoint"]?.data, { type: "webhook-endpoints", id });
  assert.match(secretOf(answer), /^whsec_[\w+/]{43}=$/);
  assert.notEqual(secretOf(answer), secret);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  const { "created-at": created, "previous-valid-until": until } = attributes as Record<
    string,
    string
  >;
  assert.equal(Date.parse(until ?? "") - Date.parse(created ?? ""), 48 * 3_600_000);
  const path = `/v1/webhook-endpoint-secret-rotations/${rotation}`;
  assert.equal(answer.headers.get("location"), PUBLIC_URL + path);
  const read = await service.get(path);
  assert.deepEqual(one(read).attributes, attributes);
  assert.equal(one(read).meta, undefined);
});

test("201 · the configuration's version stays, and the endpoint goes on", async () => {
  const { id } = await activeEndpoint(service);
  await rotate(id, 1);
  const after = await readEndpoint(service, id);
  assert.deepEqual(
    [after["status"], after["configuration-version"], after["secret-generation"]],
    ["active", 2, 2],
  );
});

test("201 · in any live state", async () => {
  const pending = await postEndpoint(service);
  assert.equal((await rotate(pending.id, 1)).status, 201);
  const paused = await activeEndpoint(service);
  await patchEndpoint(service, paused.id, { status: "paused" });
  assert.equal((await rotate(paused.id, 1)).status, 201);
});

test("201 · a replay with the same key and request returns the same secret", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  const first = await rotate(id, 1, { headers });
  const again = await rotate(id, 1, { headers });
  assert.deepEqual([again.status, again.document], [201, first.document]);
  assert.equal(again.headers.get("idempotent-replay"), "true");
  assert.equal((await readEndpoint(service, id))["secret-generation"], 2);
});

test("201 · eight equal requests at once rotate once", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  const answers = await together(
    db,
    account.id,
    Array.from({ length: 8 }, () => () => rotate(id, 1, { headers })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(secretOf)).size, 1);
  assert.equal((await readEndpoint(service, id))["secret-generation"], 2);
});

test("201 · after 48 hours the next one is possible, and the first secret is gone", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  await rotate(id, 1, { headers });
  await endOverlap(id);
  assert.equal((await rotate(id, 2)).status, 201);
  const generations = await db`
    select generation from webhook_secrets where account_id = ${account.id} and endpoint_id = ${id} order by 1`;
  assert.deepEqual(
    generations.map((row) => row["generation"]),
    [2, 3],
  );
});

test("409 · a replay whose secret signs nothing any more reveals none", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  await rotate(id, 1, { headers });
  await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  const answer = await rotate(id, 1, { headers });
  assert.deepEqual([answer.status, codes(answer)], [409, ["secret-superseded"]]);
  assert.ok(!answer.text.includes("whsec_"));
});

test("409 · a replay that differs, or of another person, reveals none", async () => {
  const [one, other] = [await activeEndpoint(service), await activeEndpoint(service)];
  const headers = newKey();
  await rotate(one.id, 1, { headers });
  for (const answer of [
    await rotate(one.id, 2, { headers }),
    await rotate(other.id, 1, { headers }),
  ]) {
    assert.deepEqual([answer.status, codes(answer)], [409, ["idempotency-key-reused"]]);
    assert.ok(!answer.text.includes("whsec_"));
  }
});

test("409 · a replay after a day reveals none", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  await rotate(id, 1, { headers });
  await db`
    update idempotency_keys set created_at = now() - interval '25 hours'
    where account_id = ${account.id} and key = ${headers["Idempotency-Key"]}`;
  const answer = await rotate(id, 1, { headers });
  assert.deepEqual([answer.status, codes(answer)], [409, ["stale-secret-generation"]]);
  assert.ok(!answer.text.includes("whsec_"));
});

test("409 · while an overlap is active", async () => {
  const { id } = await activeEndpoint(service);
  await rotate(id, 1);
  const answer = await rotate(id, 2);
  assert.deepEqual([answer.status, codes(answer)], [409, ["secret-overlap-active"]]);
  assert.ok(!answer.text.includes("whsec_"));
  assert.equal((await readEndpoint(service, id))["secret-generation"], 2);
});

test("409 · a generation that is not the current one", async () => {
  const { id } = await activeEndpoint(service);
  const answer = await rotate(id, 7);
  assert.deepEqual([answer.status, codes(answer)], [409, ["stale-secret-generation"]]);
  assert.deepEqual(pointers(answer), ["/data/attributes/secret-generation"]);
});

test("400 · without a key", async () => {
  const { id } = await activeEndpoint(service);
  const answer = await rotate(id, 1, { headers: {} });
  assert.deepEqual([answer.status, codes(answer)], [400, ["idempotency-key-required"]]);
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
    const answer = await rotate(id, 1, { as, headers: newKey() });
    assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]]);
  }
});

test("422 · an endpoint that is named as an attribute: this route takes a relationship, and says so", async () => {
  const { id } = await activeEndpoint(service);
  const type = "webhook-endpoint-secret-rotations";
  const answer = await service.post(
    `/v1/${type}`,
    document(type, { "secret-generation": 1, "endpoint-id": id }),
    { headers: newKey() },
  );
  assert.deepEqual(codes(answer), ["unknown-attribute", "missing-relationship"]);
  assert.match(answer.document.errors?.[0]?.detail ?? "", /Send the relationship "endpoint"\.$/);
});

test("422 · the generation and the endpoint are needed", async () => {
  const answer = await service.post(
    "/v1/webhook-endpoint-secret-rotations",
    document("webhook-endpoint-secret-rotations", {}),
    { headers: newKey() },
  );
  assert.deepEqual(codes(answer), ["missing-attribute", "missing-relationship"]);
  const { id } = await activeEndpoint(service);
  assert.equal((await rotate(id, "1")).status, 422);
});

test("429 · one of an endpoint in 48 hours, though a URL has ended its overlap", async () => {
  const { id } = await activeEndpoint(service);
  await rotate(id, 1);
  await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  const answer = await rotate(id, 3);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  assert.ok(!answer.text.includes("whsec_"));
  const seconds = Number(answer.headers.get("retry-after"));
  assert.ok(seconds > 47 * 3_600 && seconds <= 48 * 3_600, String(seconds));
});

test("429 · ten of an account in 48 hours", async () => {
  for (let some = 0; some < 10; some += 1)
    assert.equal((await rotate((await postEndpoint(service)).id, 1)).status, 201);
  const { id } = await postEndpoint(service);
  const answer = await rotate(id, 1);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  assert.equal((await readEndpoint(service, id))["secret-generation"], 1);
});

test("503 · a replay on a node that lacks the key, which the log names; with it the same secret again", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  const first = await rotate(id, 1, { headers });
  const restore = await encryptElsewhere(db, account, id);
  const unreadable = observed("secret-unreadable");
  const answer = await rotate(id, 1, { headers });
  assert.deepEqual([answer.status, codes(answer)], [503, ["unavailable"]]);
  assert.equal(answer.headers.get("retry-after"), "30");
  assert.ok(!answer.text.includes("whsec_") && !answer.text.includes("elsewhere"));
  const [told] = await unreadable;
  assert.deepEqual([told?.accountId, told?.endpointId, told?.keyId], [account.id, id, "elsewhere"]);
  await restore();
  assert.deepEqual((await rotate(id, 1, { headers })).document, first.document);
});
