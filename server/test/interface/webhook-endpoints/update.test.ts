import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import {
  activeEndpoint,
  newKey,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
} from "../../support/endpoints.ts";
import { happen } from "../../support/engine.ts";
import { codes, document, etag, many, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const patch = (id: string, attributes: Record<string, unknown>, headers = {}) =>
  service.patch(`/v1/webhook-endpoints/${id}`, document("webhook-endpoints", attributes, { id }), {
    headers,
  });

test("200 · a new name keeps the URL, the secret and the verification", async () => {
  const { etag: version, id } = await activeEndpoint(service, { name: "Before" });
  const before = await readEndpoint(service, id);
  const answer = await patch(id, { name: "After" }, { "If-Match": version });
  assert.equal(answer.status, 200, answer.text);
  assert.equal(etag(answer), '"webhook-endpoint-3"');
  assert.equal(one(answer).meta, undefined);
  assert.deepEqual(one(answer).attributes, {
    ...before,
    "name": "After",
    "configuration-version": 3,
    "updated-at": one(answer).attributes["updated-at"],
  });
});

test("200 · each change sets updated-at and keeps created-at", async () => {
  const { id } = await activeEndpoint(service);
  const changes: [Record<string, unknown>, Record<string, string>?][] = [
    [{ name: "Renamed" }],
    [{ status: "paused" }],
    [{ url: `https://moved.example/${id}` }, newKey()],
  ];
  for (const [attributes, headers] of changes) {
    await db`
      update webhook_endpoints set created_at = now() - interval '2 hours', modified_at = now() - interval '1 hour'
      where account_id = ${account.id} and id = ${id}`;
    const before = await readEndpoint(service, id);
    const { attributes: changed } = one(await patchEndpoint(service, id, attributes, headers));
    const name = Object.keys(attributes).join();
    assert.equal(changed["created-at"], before["created-at"], name);
    assert.ok(String(changed["updated-at"]) > String(before["updated-at"]), name);
    assert.deepEqual(await readEndpoint(service, id), changed, name);
  }
});

test("200 · a renewed subscription does not deliver events from before it was removed", async () => {
  const { id } = await activeEndpoint(service, { events: ["person.created", "person.updated"] });
  await happen(db, account.id, { type: "person.created" });
  // As after a change with more deliveries than it suppresses at once.
  await db`
    update webhook_endpoints set events = '{person.updated}', version = version + 1
    where account_id = ${account.id} and id = ${id}`;
  const events = ["person.updated", "person.created"];
  assert.equal((await patchEndpoint(service, id, { events })).status, 200);
  const deliveries = many(
    await service.get(`/v1/webhook-deliveries?filter[endpoint]=${id}&filter[kind]=production`),
  );
  assert.deepEqual(
    deliveries.map(({ attributes }) => [attributes["status"], attributes["suppression-reason"]]),
    [["suppressed", "subscription-removed"]],
  );
});

test("200 · each of the three documented request shapes is accepted without an id", async () => {
  const { id } = await activeEndpoint(service);
  const path = `/v1/webhook-endpoints/${id}`;
  for (const [attributes, headers] of [
    [{ name: "No id", events: ["person.updated"] }, {}],
    [{ status: "paused" }, {}],
    [{ url: `https://receiver.example/${newId()}` }, newKey()],
  ] as const) {
    const answer = await service.patch(path, document("webhook-endpoints", attributes), {
      headers: { "If-Match": etag(await service.get(path)), ...headers },
    });
    assert.equal(answer.status, 200, answer.text);
    for (const [name, value] of Object.entries(attributes))
      assert.deepEqual(one(answer).attributes[name], value);
  }
});

test("409 · a stale If-Match changes nothing", async () => {
  const { etag: stale, id } = await postEndpoint(service, { name: "Kept" });
  await patchEndpoint(service, id, { events: ["person.updated"] });
  for (const [attributes, headers] of [
    [{ name: "Lost" }, {}],
    [{ status: "paused" }, {}],
    [{ url: "https://lost.example/" }, newKey()],
    [{ name: "Kept" }, {}],
  ] as const) {
    const answer = await patch(id, attributes, { "If-Match": stale, ...headers });
    assert.deepEqual([answer.status, codes(answer)], [409, ["stale-version"]]);
    assert.deepEqual(answer.document.errors?.[0]?.source, { header: "If-Match" });
  }
  const after = await readEndpoint(service, id);
  assert.deepEqual([after["name"], after["configuration-version"]], ["Kept", 2]);
});
