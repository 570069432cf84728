import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  activeEndpoint,
  newKey,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
} from "../../support/endpoints.ts";
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

test("202 · a request queues a verification and returns its delivery", async () => {
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

test("202 · an active endpoint stays active at the same version while it is verified again", async () => {
  const { id } = await activeEndpoint(service);
  assert.equal((await ask(id, 2)).status, 202);
  const after = await readEndpoint(service, id);
  assert.deepEqual([after["status"], after["configuration-version"]], ["active", 2]);
});

test("409 · a stale configuration version is rejected", async () => {
  const { id } = await postEndpoint(service);
  await patchEndpoint(service, id, { name: "Newer" });
  for (const version of [1, 3]) {
    const answer = await ask(id, version);
    assert.deepEqual([answer.status, codes(answer)], [409, ["stale-version"]]);
    assert.deepEqual(pointers(answer), ["/data/attributes/configuration-version"]);
  }
});

test("409 · a paused endpoint cannot be verified", async () => {
  const { id } = await activeEndpoint(service);
  await patchEndpoint(service, id, { status: "paused" });
  const answer = await ask(id, 3);
  assert.deepEqual([answer.status, codes(answer)], [409, ["endpoint-paused"]]);
});

test("429 · five verifications per endpoint and hour, not counting those of a creation or a new URL", async () => {
  const { id } = await postEndpoint(service);
  await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  assert.equal((await ask(id, 1)).status, 409, "what is refused does not count either");
  for (let some = 0; some < 5; some += 1) assert.equal((await ask(id, 2)).status, 202);
  const answer = await ask(id, 2);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  const seconds = Number(answer.headers.get("retry-after"));
  assert.ok(seconds > 3_500 && seconds <= 3_600, String(seconds));
  // A new URL is still accepted and verified.
  const moved = await patchEndpoint(service, id, { url: `https://again.example/${id}` }, newKey());
  assert.equal(moved.status, 200);
  assert.equal((await verifications(id)).at(-1), "pending,");
});
