import assert from "node:assert/strict";
import { after, test } from "node:test";
import { webhookLimits } from "../../../src/base/webhook-limits.ts";
import {
  activeEndpoint,
  happened,
  newKey,
  patchEndpoint,
  postEndpoint,
} from "../../support/endpoints.ts";
import { codes, document, one, pointers, startService, PUBLIC_URL } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const ask = (endpointId: unknown, options: Parameters<typeof service.post>[2] = {}) =>
  service.post(
    "/v1/webhook-test-deliveries",
    document("webhook-test-deliveries", { "endpoint-id": endpointId }),
    { headers: newKey(), ...options },
  );

test("202 · a request queues a test of an active endpoint and returns its delivery", async () => {
  const { id } = await activeEndpoint(service);
  const answer = await ask(id);
  assert.equal(answer.status, 202, answer.text);
  const { attributes, id: delivery, meta, relationships, type } = one(answer);
  const { testsPerAccount, testsPerEndpoint } = webhookLimits;
  assert.deepEqual(meta?.["remaining"], {
    endpoint: testsPerEndpoint - 1,
    account: testsPerAccount - 1,
  });
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

test("409 · only an active, verified endpoint can be tested", async () => {
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
