import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  activeEndpoint,
  encryptElsewhere,
  newKey,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
} from "../../support/endpoints.ts";
import {
  type Answer,
  codes,
  document,
  one,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";
import { observed } from "../../support/engine.ts";
import { together } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

// An account may ask ten times in 48 hours, so each test starts with an empty count.
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

/** Moves the last rotation 48 hours into the past. */
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

test("201 · a rotation returns the new generation and shows the new secret once", async () => {
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

test("201 · a rotation changes neither the status nor the configuration version", async () => {
  const { id } = await activeEndpoint(service);
  await rotate(id, 1);
  const after = await readEndpoint(service, id);
  assert.deepEqual(
    [after["status"], after["configuration-version"], after["secret-generation"]],
    ["active", 2, 2],
  );
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

test("201 · one of eight equal concurrent requests rotates, and all return its secret", async () => {
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

test("201 · after 48 hours another rotation is possible and the first secret is deleted", async () => {
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

test("409 · a replay does not reveal a secret that is no longer valid", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  await rotate(id, 1, { headers });
  await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  const answer = await rotate(id, 1, { headers });
  assert.deepEqual([answer.status, codes(answer)], [409, ["secret-superseded"]]);
  assert.ok(!answer.text.includes("whsec_"));
});

test("409 · a replay does not reveal a secret whose overlap has ended", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  await rotate(id, 1, { headers });
  await endOverlap(id);
  assert.equal((await rotate(id, 2)).status, 201);
  assert.equal(
    (await rotate(id, 1, { headers })).status,
    201,
    "the secret signs during the overlap",
  );
  await endOverlap(id);
  const answer = await rotate(id, 1, { headers });
  assert.deepEqual([answer.status, codes(answer)], [409, ["secret-superseded"]]);
  assert.ok(!answer.text.includes("whsec_"));
});

test("409 · a replay after a day does not reveal the secret", async () => {
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

test("409 · a rotation is rejected during the overlap of the previous one", async () => {
  const { id } = await activeEndpoint(service);
  await rotate(id, 1);
  const answer = await rotate(id, 2);
  assert.deepEqual([answer.status, codes(answer)], [409, ["secret-overlap-active"]]);
  assert.ok(!answer.text.includes("whsec_"));
  assert.equal((await readEndpoint(service, id))["secret-generation"], 2);
});

test("422 · an endpoint sent as an attribute is rejected with a hint to send a relationship", async () => {
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

test("429 · one rotation per endpoint in 48 hours, even if a new URL ended the overlap", async () => {
  const { id } = await activeEndpoint(service);
  await rotate(id, 1);
  await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  const answer = await rotate(id, 3);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  assert.ok(!answer.text.includes("whsec_"));
  const seconds = Number(answer.headers.get("retry-after"));
  assert.ok(seconds > 47 * 3_600 && seconds <= 48 * 3_600, String(seconds));
});

test("429 · ten rotations per account in 48 hours", async () => {
  for (let some = 0; some < 10; some += 1)
    assert.equal((await rotate((await postEndpoint(service)).id, 1)).status, 201);
  const { id } = await postEndpoint(service);
  const answer = await rotate(id, 1);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  assert.equal((await readEndpoint(service, id))["secret-generation"], 1);
});

test("503 · a replay on a node without the key reveals nothing and logs the key's id", async () => {
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
