import assert from "node:assert/strict";
import { after, test } from "node:test";
import { activeEndpoint, makeDelivery, newKey } from "../../support/endpoints.ts";
import { document, one, startService, PUBLIC_URL } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const ask = (id: string, options: Parameters<typeof service.post>[2] = {}) =>
  service.post(
    "/v1/webhook-redeliveries",
    document(
      "webhook-redeliveries",
      {},
      { relationships: { delivery: { data: { type: "webhook-deliveries", id } } } },
    ),
    { headers: newKey(), ...options },
  );

const failed = (endpointId: string, more: Partial<Parameters<typeof makeDelivery>[2]> = {}) =>
  makeDelivery(db, account.id, { endpointId, ...more });

test("202 · a redelivery has the same event and endpoint and names the original delivery", async () => {
  const { id } = await activeEndpoint(service);
  const original = await failed(id, { secondsAgo: 3_600 });
  const answer = await ask(original.id);
  assert.equal(answer.status, 202, answer.text);
  const { attributes, id: delivery, relationships, type } = one(answer);
  assert.equal(type, "webhook-deliveries");
  assert.notEqual(delivery, original.id);
  assert.equal(answer.headers.get("location"), `${PUBLIC_URL}/v1/webhook-deliveries/${delivery}`);
  assert.deepEqual(
    [attributes["kind"], attributes["status"], attributes["event-type"]],
    ["production", "pending", "person.created"],
  );
  assert.deepEqual(relationships["endpoint"]?.data, { type: "webhook-endpoints", id });
  assert.deepEqual(relationships["event"]?.data, { type: "webhook-events", id: original.eventId });
  assert.deepEqual(relationships["origin-delivery"]?.data, {
    type: "webhook-deliveries",
    id: original.id,
  });
  const before = await service.get(`/v1/webhook-deliveries/${original.id}`);
  assert.equal(one(before).attributes["status"], "exhausted", "the original stays as it is");
  assert.equal(attributes["expires-at"], one(before).attributes["expires-at"]);
  assert.equal(one(before).relationships["origin-delivery"]?.data, null);
});
