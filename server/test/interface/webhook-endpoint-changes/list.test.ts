import assert from "node:assert/strict";
import { after, test } from "node:test";
import { activeEndpoint, newKey, patchEndpoint, postEndpoint } from "../../support/endpoints.ts";
import { operator } from "../../../src/access/operator.ts";
import { inTransaction } from "../../../src/store/db.ts";
import { endpointStep } from "../../../src/webhooks/endpoints/endpoint-lifecycle.ts";
import { applyStep, lockEndpoint } from "../../../src/webhooks/endpoints/endpoint-rows.ts";
import { makePerson, makeToken } from "../../support/make.ts";
import { document, many, one, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const timeline = async (id: string, query = "") =>
  many(await service.get(`/v1/webhook-endpoints/${id}/timeline?sort=happened-at${query}`));

test("200 · the timeline shows each change of an endpoint and the state after it", async () => {
  const { id } = await activeEndpoint(service, { name: "Before" });
  await patchEndpoint(service, id, { name: "After" });
  await patchEndpoint(service, id, { status: "paused" });
  await patchEndpoint(service, id, { status: "active" });
  await service.post(
    "/v1/webhook-endpoint-verifications",
    document("webhook-endpoint-verifications", { "endpoint-id": id, "configuration-version": 5 }),
    { headers: newKey() },
  );
  await service.post(
    "/v1/webhook-endpoint-secret-rotations",
    document(
      "webhook-endpoint-secret-rotations",
      { "secret-generation": 1 },
      { relationships: { endpoint: { data: { type: "webhook-endpoints", id } } } },
    ),
    { headers: newKey() },
  );
  await patchEndpoint(service, id, { url: `https://moved.example/${id}?token=hidden` }, newKey());
  const changes = await timeline(id);
  assert.deepEqual(
    changes.map(({ attributes }) => attributes["change"]),
    [
      "created",
      "verified",
      "updated",
      "paused",
      "resumed",
      "verification-requested",
      "secret-rotated",
      "url-changed",
    ],
  );
  assert.deepEqual(changes[3]?.attributes["details"], {
    "status": "paused",
    "pause-reason": "manual",
    "configuration-version": 4,
    "destination-version": 1,
    "secret-generation": 1,
    "verification-generation": 1,
    "changed-fields": [],
  });
  const details = changes.map(({ attributes }) => attributes["details"] as Record<string, unknown>);
  assert.deepEqual(
    details.map((one) => one["changed-fields"]),
    [[], [], ["name"], [], [], [], [], ["url"]],
  );
  for (const { relationships } of changes)
    assert.deepEqual(relationships["endpoint"]?.data, { type: "webhook-endpoints", id });
});

test("200 · a change names the person who made it, and no actor for the service", async () => {
  const { id } = await activeEndpoint(service);
  await inTransaction(db, account.id, async (tx) => {
    const endpoint = await lockEndpoint(tx, account.id, id);
    const trigger = { kind: "address-refused", destinationVersion: 1 } as const;
    const step = endpoint && endpointStep(endpoint, trigger, endpoint.now);
    assert.ok(step && "endpoint" in step);
    await applyStep(tx, account.id, id, step, operator(account.id));
  });
  const [created, , paused] = await timeline(id);
  assert.deepEqual(created?.relationships["actor"]?.data, {
    type: "people",
    id: account.administrator.id,
  });
  assert.equal(paused?.relationships["actor"]?.data, null);
  assert.equal(paused?.attributes["change"], "paused");
});

test("200 · a change keeps the id of its author after the author was deleted", async () => {
  const { id: other } = await makePerson(db, account.id, {
    administrativeStatus: "full-administrator",
  });
  const answer = await service.post(
    "/v1/webhook-endpoints",
    document("webhook-endpoints", {
      url: `https://left.example/${other}`,
      events: ["person.created"],
    }),
    { as: await makeToken(db, account.id, other) },
  );
  assert.equal((await service.delete(`/v1/people/${other}`)).status, 204);
  const [created] = await timeline(one(answer).id);
  assert.deepEqual(created?.relationships["actor"]?.data, { type: "people", id: other });
});

test("200 · a change contains no secret and no text of a user", async () => {
  const { id, secret } = await postEndpoint(service, { url: "https://quiet.example/?key=hidden" });
  const { text } = await service.get(`/v1/webhook-endpoints/${id}/timeline`);
  for (const word of ["hidden", "quiet.example", secret]) assert.ok(!text.includes(word), word);
});

test("200 · the changes of a deleted endpoint are found by its id", async () => {
  const { etag, id } = await postEndpoint(service);
  await service.delete(`/v1/webhook-endpoints/${id}`, { headers: { "If-Match": etag } });
  assert.equal((await service.get(`/v1/webhook-endpoints/${id}/timeline`)).status, 404);
  const changes = many(await service.get(`/v1/webhook-endpoint-changes?filter[endpoint]=${id}`));
  assert.deepEqual(
    changes.map(({ attributes }) => attributes["change"]),
    ["deleted", "created"],
  );
});
