import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  activeEndpoint,
  encryptElsewhere,
  newKey,
  patchEndpoint,
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

test("409 · a replay does not reveal a secret that is no longer valid", async () => {
  const { id } = await activeEndpoint(service);
  const headers = newKey();
  await rotate(id, 1, { headers });
  await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  const answer = await rotate(id, 1, { headers });
  assert.deepEqual([answer.status, codes(answer)], [409, ["secret-superseded"]]);
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
