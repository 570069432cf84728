import assert from "node:assert/strict";
import { after, test } from "node:test";
import { activeEndpoint, makeDelivery, newKey } from "../../support/endpoints.ts";
import {
  document,
  ids,
  many,
  one,
  pointers,
  startService,
  PUBLIC_URL,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

const ask = (
  id: string,
  range: Record<string, unknown> = {},
  options: Parameters<typeof service.post>[2] = {},
) =>
  service.post(
    "/v1/webhook-replays",
    document(
      "webhook-replays",
      { from: ago(86_400), to: ago(-60), ...range },
      { relationships: { endpoint: { data: { type: "webhook-endpoints", id } } } },
    ),
    { headers: newKey(), ...options },
  );

test("202 · a replay redelivers every failed delivery in its range", async () => {
  const { id } = await activeEndpoint(service);
  const origins = [];
  for (const status of ["exhausted", "failed-permanent", "suppressed"])
    origins.push((await makeDelivery(db, account.id, { endpointId: id, status })).id);
  await makeDelivery(db, account.id, { endpointId: id, status: "delivered" });
  await makeDelivery(db, account.id, { endpointId: id, secondsAgo: 7_200 });
  const from = ago(3_600);
  const answer = await ask(id, { from });
  assert.equal(answer.status, 202, answer.text);
  const { attributes, id: replay, relationships, type } = one(answer);
  assert.equal(type, "webhook-replays");
  assert.equal(answer.headers.get("location"), `${PUBLIC_URL}/v1/webhook-replays/${replay}`);
  assert.deepEqual(
    [attributes["from"], attributes["created-count"], attributes["remaining-count"]],
    [from, 3, 0],
  );
  assert.deepEqual(relationships["endpoint"]?.data, { type: "webhook-endpoints", id });
  const pending = many(
    await service.get(
      `/v1/webhook-deliveries?filter[endpoint]=${id}&filter[status]=pending&filter[kind]=production`,
    ),
  );
  assert.deepEqual(
    new Set(pending.map((one) => one.relationships["origin-delivery"]?.data)),
    new Set(origins.map((origin) => ({ type: "webhook-deliveries", id: origin }))),
  );

  const read = await service.get(`/v1/webhook-replays/${replay}`);
  assert.deepEqual(one(read).attributes, attributes);
  const list = await service.get(`/v1/webhook-replays?filter[endpoint]=${id}`);
  assert.deepEqual(ids(list), [replay]);
});

test("202 · both ends of the range are inclusive", async () => {
  const { id } = await activeEndpoint(service);
  const made = await makeDelivery(db, account.id, { endpointId: id, secondsAgo: 60 });
  const delivery = one(await service.get(`/v1/webhook-deliveries/${made.id}`));
  const at = String(delivery.attributes["created-at"]);
  const beside = (milliseconds: number) => new Date(Date.parse(at) + milliseconds).toISOString();
  for (const [range, count] of [
    [{ from: beside(1) }, 0],
    [{ to: beside(-1) }, 0],
    [{ from: at, to: at }, 1],
  ] as const)
    assert.equal(one(await ask(id, range)).attributes["created-count"], count);
});

test("422 · a range needs a start and an end in this order", async () => {
  const { id } = await activeEndpoint(service);
  const wrong: [Record<string, unknown>, string][] = [
    [{ from: undefined }, "from"],
    [{ to: undefined }, "to"],
    [{ from: "yesterday" }, "from"],
    [{ to: "2026-02-30T00:00:00.000Z" }, "to"],
    [{ from: ago(0), to: ago(1) }, "to"],
  ];
  for (const [range, place] of wrong) {
    const answer = await ask(id, range);
    assert.deepEqual(
      [answer.status, pointers(answer)],
      [422, [`/data/attributes/${place}`]],
      JSON.stringify(range),
    );
  }
});
