import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  activeEndpoint,
  happened,
  newKey,
  patchEndpoint,
  postEndpoint,
} from "../../support/endpoints.ts";
import { makeAccount } from "../../support/make.ts";
import {
  codes,
  document,
  ids,
  one,
  pointers,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const ask = (endpointId: unknown, options: Parameters<typeof service.post>[2] = {}) =>
  service.post(
    "/v1/webhook-test-deliveries",
    document("webhook-test-deliveries", { "endpoint-id": endpointId }),
    { headers: newKey(), ...options },
  );

test("202 · queues a test of an active endpoint, and answers its delivery", async () => {
  const { id } = await activeEndpoint(service);
  const answer = await ask(id);
  assert.equal(answer.status, 202, answer.text);
  const { attributes, id: delivery, relationships, type } = one(answer);
  assert.equal(type, "webhook-deliveries");
  assert.equal(answer.headers.get("location"), `${PUBLIC_URL}/v1/webhook-deliveries/${delivery}`);
  assert.deepEqual([attributes["kind"], attributes["status"]], ["test", "pending"]);
  assert.deepEqual(relationships["endpoint"]?.data, { type: "webhook-endpoints", id });
  const { "created-at": created, "expires-at": expires } = attributes as Record<string, string>;
  assert.equal(Date.parse(expires ?? "") - Date.parse(created ?? ""), 15 * 60_000);
  const [control] = await db`
    select control_type, challenge from webhook_controls
    where account_id = ${account.id} and endpoint_id = ${id} and control_type = 'webhook.test'`;
  assert.deepEqual([control?.["control_type"], control?.["challenge"]], ["webhook.test", null]);
});

test("202 · the same key answers the same delivery; for another endpoint it is 409", async () => {
  const [first, other] = [await activeEndpoint(service), await activeEndpoint(service)];
  const headers = newKey();
  const answer = await ask(first.id, { headers });
  const again = await ask(first.id, { headers });
  assert.equal(one(again).id, one(answer).id);
  const tests = await service.get(
    `/v1/webhook-deliveries?filter[endpoint]=${first.id}&filter[kind]=test`,
  );
  assert.deepEqual(ids(tests), [one(answer).id]);
  const reused = await ask(other.id, { headers });
  assert.deepEqual([reused.status, codes(reused)], [409, ["idempotency-key-reused"]]);
});

test("409 · only an active, verified endpoint is tested", async () => {
  const { id } = await postEndpoint(service);
  const pending = await ask(id);
  assert.deepEqual([pending.status, codes(pending)], [409, ["endpoint-not-verified"]]);
  assert.deepEqual(pointers(pending), ["/data/attributes/endpoint-id"]);

  const active = await activeEndpoint(service);
  await patchEndpoint(service, active.id, { status: "paused" });
  const paused = await ask(active.id);
  assert.deepEqual([paused.status, codes(paused)], [409, ["endpoint-paused"]]);

  const suspect = await activeEndpoint(service);
  await happened(db, account, suspect.id, () => ({
    kind: "address-refused",
    destinationVersion: 1,
  }));
  assert.deepEqual(codes(await ask(suspect.id)), ["endpoint-security-paused"]);
});

test("400 · without a key", async () => {
  const { id } = await activeEndpoint(service);
  const answer = await ask(id, { headers: {} });
  assert.deepEqual([answer.status, codes(answer)], [400, ["idempotency-key-required"]]);
});

test("404 · an endpoint that is absent, malformed or another account's", async () => {
  const { id } = await activeEndpoint(service);
  const other = await makeAccount(db);
  assert.equal((await ask(newId())).status, 404);
  assert.equal((await ask("nothing")).status, 404);
  const theirs = await ask(id, { as: other.administrator.token, headers: newKey() });
  assert.deepEqual([theirs.status, codes(theirs)], [404, ["not-found"]]);
});

test("422 · the endpoint is needed", async () => {
  const answer = await service.post(
    "/v1/webhook-test-deliveries",
    document("webhook-test-deliveries", {}),
    { headers: newKey() },
  );
  assert.deepEqual([answer.status, pointers(answer)], [422, ["/data/attributes/endpoint-id"]]);
});

test("429 · ten of an endpoint in an hour", async () => {
  const { id } = await activeEndpoint(service);
  for (let some = 0; some < 10; some += 1) assert.equal((await ask(id)).status, 202);
  const answer = await ask(id);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  assert.ok(Number(answer.headers.get("retry-after")) > 3_500);
  assert.equal(
    (await ask((await activeEndpoint(service)).id)).status,
    202,
    "another one has its own",
  );
});

test("503 · when the limits cannot be checked nothing is sent", async () => {
  const { id } = await activeEndpoint(service);
  await db`alter table webhook_actions rename to mislaid`;
  const answer = await ask(id);
  await db`alter table mislaid rename to webhook_actions`;
  assert.deepEqual([answer.status, codes(answer)], [503, ["unavailable"]]);
  assert.ok(Number(answer.headers.get("retry-after")) >= 1);
});
