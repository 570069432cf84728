import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  activeEndpoint,
  happened,
  newKey,
  patchEndpoint,
  postEndpoint,
  readEndpoint,
} from "../../support/endpoints.ts";
import { happen } from "../../support/engine.ts";
import { codes, many, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const production = async (id: string) =>
  many(
    await service.get(`/v1/webhook-deliveries?filter[endpoint]=${id}&filter[kind]=production`),
  ).map(({ attributes }) => [attributes["status"], attributes["suppression-reason"]]);

test("200 · an endpoint paused for its health can be resumed, and its pending deliveries are suppressed", async () => {
  const { id } = await activeEndpoint(service);
  await happen(db, account.id);
  await db`
    update webhook_endpoints set status = 'paused', pause_reason = 'health', version = version + 1
    where account_id = ${account.id} and id = ${id}`;
  assert.equal((await patchEndpoint(service, id, { status: "active" })).status, 200);
  assert.deepEqual(await production(id), [["suppressed", "health-pause"]]);
});

test("409 · an unverified endpoint can be neither paused nor resumed", async () => {
  const { id } = await postEndpoint(service);
  for (const status of ["paused", "active"]) {
    const answer = await patchEndpoint(service, id, { status });
    assert.deepEqual([answer.status, codes(answer)], [409, ["endpoint-not-verified"]]);
    assert.deepEqual(pointers(answer), ["/data/attributes/status"]);
  }
  assert.equal((await readEndpoint(service, id))["configuration-version"], 1);
});

test("409 · an endpoint paused for security cannot be resumed, but its URL can be changed", async () => {
  const { id } = await activeEndpoint(service);
  await happened(db, account, id, () => ({ kind: "address-refused", destinationVersion: 1 }));
  assert.equal((await readEndpoint(service, id))["pause-reason"], "security-policy");
  const refused = await patchEndpoint(service, id, { status: "active" });
  assert.deepEqual([refused.status, codes(refused)], [409, ["endpoint-security-paused"]]);
  const moved = await patchEndpoint(service, id, { url: `https://moved.example/${id}` }, newKey());
  assert.deepEqual(
    [one(moved).attributes["status"], one(moved).attributes["pause-reason"]],
    ["pending-verification", null],
  );
});

test("422 · status next to any other attribute is rejected and changes nothing", async () => {
  const { id } = await activeEndpoint(service, { name: "Kept" });
  for (const more of [
    { name: "Lost" },
    { events: ["person.updated"] },
    { url: "https://lost.example/" },
    { name: "Kept" },
  ]) {
    const answer = await patchEndpoint(service, id, { status: "paused", ...more }, newKey());
    assert.deepEqual([answer.status, codes(answer)], [422, ["invalid-attribute"]]);
    assert.deepEqual(pointers(answer), ["/data/attributes/status"]);
  }
  const after = await readEndpoint(service, id);
  assert.deepEqual([after["status"], after["name"]], ["active", "Kept"]);
});

test("422 · only active and paused can be set", async () => {
  const { id } = await activeEndpoint(service);
  for (const status of ["pending-verification", "deleted", "asleep", null, 1]) {
    const answer = await patchEndpoint(service, id, { status });
    assert.equal(answer.status, 422, String(status));
    assert.deepEqual(pointers(answer), ["/data/attributes/status"]);
    const [problem] = answer.document.errors ?? [];
    assert.match(problem?.detail ?? "", /^Must be one of: active, paused\.$/);
  }
});
