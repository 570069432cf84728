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

test("202 · every failed delivery of the range is on its way again", async () => {
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

test("202 · both ends of the range are part of it", async () => {
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

test("200 · the list has the newest first", async () => {
  const { id } = await activeEndpoint(service);
  const replays = [];
  for (let some = 0; some < 3; some += 1) replays.push(one(await ask(id)).id);
  for (const [hours, replay] of replays.entries())
    await db`
      update webhook_replays set created_at = now() - ${hours} * interval '1 hour'
      where account_id = ${account.id} and id = ${replay}`;
  const list = (query = "") => service.get(`/v1/webhook-replays?filter[endpoint]=${id}${query}`);
  assert.deepEqual(ids(await list()), replays);
  assert.deepEqual(ids(await list("&sort=created-at")), replays.toReversed());
});

test("202 · what is under way already is not sent twice", async () => {
  const { id } = await activeEndpoint(service);
  await makeDelivery(db, account.id, { endpointId: id });
  assert.equal(one(await ask(id)).attributes["created-count"], 1);
  assert.equal(one(await ask(id)).attributes["created-count"], 0);
});

test("202 · the same key answers the same replay", async () => {
  const { id } = await activeEndpoint(service);
  await makeDelivery(db, account.id, { endpointId: id });
  const headers = newKey();
  const range = { from: ago(600), to: ago(-60) };
  const first = await ask(id, range, { headers });
  const again = await ask(id, range, { headers });
  assert.deepEqual(again.document, first.document);
  const other = await ask(id, { ...range, from: ago(700) }, { headers });
  assert.deepEqual([other.status, codes(other)], [409, ["idempotency-key-reused"]]);
});

test("409 · an endpoint that is not active", async () => {
  const { id } = await postEndpoint(service);
  assert.deepEqual(codes(await ask(id)), ["endpoint-not-verified"]);
  const active = await activeEndpoint(service);
  await patchEndpoint(service, active.id, { status: "paused" });
  const answer = await ask(active.id);
  assert.deepEqual([answer.status, codes(answer)], [409, ["endpoint-paused"]]);
  assert.deepEqual(pointers(answer), ["/data/relationships/endpoint/data"]);
});

test("400 · without a key", async () => {
  const { id } = await activeEndpoint(service);
  const answer = await ask(id, {}, { headers: {} });
  assert.deepEqual([answer.status, codes(answer)], [400, ["idempotency-key-required"]]);
});

test("404 · an endpoint that is absent, malformed or another account's", async () => {
  const { id } = await activeEndpoint(service);
  const other = await makeAccount(db);
  const theirs = await ask(id, {}, { as: other.administrator.token, headers: newKey() });
  for (const answer of [theirs, await ask(newId()), await ask("nothing")])
    assert.deepEqual([answer.status, codes(answer)], [404, ["not-found"]]);
});

test("422 · a range has a beginning and an end, in this order", async () => {
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

test("429 · ten of an endpoint in an hour", async () => {
  await db`delete from webhook_actions where account_id = ${account.id}`;
  const { id } = await activeEndpoint(service);
  for (let some = 0; some < 10; some += 1) assert.equal((await ask(id)).status, 202);
  const answer = await ask(id);
  assert.deepEqual([answer.status, codes(answer)], [429, ["action-limit-exceeded"]]);
  const seconds = Number(answer.headers.get("retry-after"));
  assert.ok(seconds > 3_500 && seconds <= 3_600, String(seconds));
});

test("503 · when the limits cannot be checked nothing is sent", async () => {
  const { id } = await activeEndpoint(service);
  await db`alter table webhook_actions rename to mislaid`;
  const answer = await ask(id);
  await db`alter table mislaid rename to webhook_actions`;
  assert.deepEqual([answer.status, codes(answer)], [503, ["unavailable"]]);
});
