import assert from "node:assert/strict";
import { after, test } from "node:test";
import { activeEndpoint, makeDelivery, newKey } from "../../support/endpoints.ts";
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

test("202 · a replay with the same key returns the same delivery and counts once", async () => {
  const { id } = await activeEndpoint(service);
  const original = await failed(id);
  const headers = newKey();
  const first = await ask(original.id, { headers });
  for (let more = 0; more < 25; more += 1)
    assert.equal(one(await ask(original.id, { headers })).id, one(first).id);
  const made = await service.get(
    `/v1/webhook-deliveries?filter[endpoint]=${id}&filter[status]=pending`,
  );
  assert.ok(ids(made).includes(one(first).id));
  const [counted] = await db<{ count: number }[]>`
    select count(*)::int from webhook_actions where account_id = ${account.id} and endpoint_id = ${id}`;
  assert.equal(counted?.count, 1);
});

test("409 · only failed and suppressed deliveries can be redelivered", async () => {
  const { id } = await activeEndpoint(service);
  for (const status of ["exhausted", "failed-permanent", "suppressed"])
    assert.equal((await ask((await failed(id, { status })).id)).status, 202, status);
  for (const status of ["pending", "retry-scheduled", "blocked-system", "delivered", "expired"]) {
    const answer = await ask((await failed(id, { status })).id);
    assert.deepEqual([answer.status, codes(answer)], [409, ["delivery-not-failed"]], status);
    assert.deepEqual(pointers(answer), ["/data/relationships/delivery/data"]);
  }
});
