import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  activeEndpoint,
  makeDelivery,
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

test("202 · the new delivery: of the same event, to the same endpoint, linked to the original", async () => {
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

test("202 · a redelivery that failed can be redelivered", async () => {
  const { id } = await activeEndpoint(service);
  const first = one(await ask((await failed(id)).id));
  await db`
    update webhook_deliveries set status = 'failed-permanent' where account_id = ${account.id} and id = ${first.id}`;
  assert.equal((await ask(first.id)).status, 202);
});

test("202 · the same key with the same request returns the same record, and counts once", async () => {
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

test("409 · the same key for a different original delivery", async () => {
  const { id } = await activeEndpoint(service);
  const [first, other] = [await failed(id), await failed(id)];
  const headers = newKey();
  assert.equal((await ask(first.id, { headers })).status, 202);
  const answer = await ask(other.id, { headers });
  assert.deepEqual([answer.status, codes(answer)], [409, ["idempotency-key-reused"]]);
});

test("409 · only what is exhausted, failed-permanent or suppressed", async () => {
  const { id } = await activeEndpoint(service);
  for (const status of ["exhausted", "failed-permanent", "suppressed"])
    assert.equal((await ask((await failed(id, { status })).id)).status, 202, status);
  for (const status of ["pending", "retry-scheduled", "blocked-system", "delivered", "expired"]) {
    const answer = await ask((await failed(id, { status })).id);
    assert.deepEqual([answer.status, codes(answer)], [409, ["delivery-not-failed"]], status);
    assert.deepEqual(pointers(answer), ["/data/relationships/delivery/data"]);
  }
});

test("409 · only production: a verification is asked for anew", async () => {
  const { id } = await postEndpoint(service);
  const [verification] = ids(await service.get(`/v1/webhook-deliveries?filter[endpoint]=${id}`));
  await db`
    update webhook_deliveries set status = 'exhausted' where account_id = ${account.id} and id = ${verification ?? ""}`;
  const answer = await ask(verification ?? "");
  assert.deepEqual([answer.status, codes(answer)], [409, ["delivery-not-production"]]);
});

test("409 · an endpoint that is paused, not verified, not subscribed or deleted", async () => {
  const { id } = await activeEndpoint(service);
  const original = await failed(id);
  const refused = async () => {
    const answer = await ask(original.id);
    assert.equal(answer.status, 409);
    return codes(answer).join();
  };
  await patchEndpoint(service, id, { events: ["cell.updated"] });
  assert.equal(await refused(), "endpoint-not-subscribed");
  await patchEndpoint(service, id, { status: "paused" });
  assert.equal(await refused(), "endpoint-paused");
  await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  assert.equal(await refused(), "endpoint-not-verified");
  await service.delete(`/v1/webhook-endpoints/${id}`, {
    headers: { "If-Match": '"webhook-endpoint-5"' },
  });
  assert.equal(await refused(), "endpoint-deleted");
});

test("400 · without a key", async () => {
  const { id } = await activeEndpoint(service);
  const answer = await ask((await failed(id)).id, { headers: {} });
  assert.deepEqual([answer.status, codes(answer)], [400, ["idempotency-key-required"]]);
});

test("404 · a delivery that is absent, malformed, another account's, or whose history was removed", async () => {
  const { id } = await activeEndpoint(service);
  const original = await failed(id);
  const other = await makeAccount(db);
  const theirs = await ask(original.id, { as: other.administrator.token, headers: newKey() });
  for (const answer of [theirs, await ask(newId()), await ask("nothing")])
    assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]]);
  await db`delete from webhook_deliveries where account_id = ${account.id} and id = ${original.id}`;
  assert.equal((await ask(original.id)).status, 404);
});

test("422 · the delivery is needed, and nothing else is taken", async () => {
  const empty = await service.post(
    "/v1/webhook-redeliveries",
    document("webhook-redeliveries", { now: true }),
    { headers: newKey() },
  );
  assert.equal(empty.status, 422);
  assert.deepEqual(codes(empty).toSorted(), ["missing-relationship", "unknown-attribute"]);
});

test("429 · twenty of an endpoint in an hour", async () => {
  const { id } = await activeEndpoint(service);
  const { id: original } = await failed(id);
  for (let some = 0; some < 20; some += 1) assert.equal((await ask(original)).status, 202);
  const answer = await ask(original);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  assert.ok(Number(answer.headers.get("retry-after")) > 3_500);
});

test("503 · when the limits cannot be checked nothing is sent", async () => {
  const { id } = await activeEndpoint(service);
  const original = await failed(id);
  await db`alter table webhook_actions rename to mislaid`;
  const answer = await ask(original.id);
  await db`alter table mislaid rename to webhook_actions`;
  assert.deepEqual([answer.status, codes(answer)], [503, ["unavailable"]]);
  assert.ok(Number(answer.headers.get("retry-after")) >= 1);
});
