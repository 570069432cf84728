import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { activeEndpoint, patchEndpoint, postEndpoint } from "../../support/endpoints.ts";
import { happen } from "../../support/engine.ts";
import { makeAccount } from "../../support/make.ts";
import { codes, many, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const remove = (id: string, headers = {}, as = account.administrator.token) =>
  service.delete(`/v1/webhook-endpoints/${id}`, { headers, as });

test("204 · an endpoint in any state can be deleted, which suppresses its work and clears its secrets", async () => {
  const pending = await postEndpoint(service);
  const active = await activeEndpoint(service);
  const paused = await activeEndpoint(service);
  await patchEndpoint(service, paused.id, { status: "paused" });
  await happen(db, account.id);
  for (const [id, version] of [
    [pending.id, 1],
    [active.id, 2],
    [paused.id, 3],
  ] as const) {
    const answer = await remove(id, { "If-Match": `"webhook-endpoint-${version}"` });
    assert.deepEqual([answer.status, answer.text], [204, ""]);
    assert.equal((await service.get(`/v1/webhook-endpoints/${id}`)).status, 404);
    const [secrets] = await db<{ count: number }[]>`
      select count(*)::int from webhook_secrets where account_id = ${account.id} and endpoint_id = ${id}`;
    assert.equal(secrets?.count, 0);
    // The history stays and names its endpoint.
    for (const { attributes, relationships } of many(
      await service.get(`/v1/webhook-deliveries?filter[endpoint]=${id}`),
    )) {
      assert.equal(attributes["status"], "suppressed");
      assert.deepEqual(relationships["endpoint"]?.data, { type: "webhook-endpoints", id });
    }
  }
  const work = many(
    await service.get(
      `/v1/webhook-deliveries?filter[endpoint]=${active.id}&filter[kind]=production`,
    ),
  );
  assert.deepEqual(
    work.map(({ attributes }) => attributes["suppression-reason"]),
    ["deleted"],
  );
});

test("204 · an account without live endpoints captures no events", async () => {
  const other = await makeAccount(db);
  const counted = async () => {
    await happen(db, other.id);
    const [row] = await db<{ events: number }[]>`
      select count(*)::int as events from webhook_events where account_id = ${other.id}`;
    return row?.events;
  };
  const answer = await service.post(
    "/v1/webhook-endpoints",
    {
      data: {
        type: "webhook-endpoints",
        attributes: { url: `https://only.example/${newId()}`, events: ["person.created"] },
      },
    },
    { as: other.administrator.token },
  );
  const { id } = answer.document.data as { id: string };
  assert.equal(await counted(), 1);
  await remove(id, { "If-Match": '"webhook-endpoint-1"' }, other.administrator.token);
  assert.equal(await counted(), 1);
});

test("409 · a stale If-Match deletes nothing", async () => {
  const { etag: stale, id } = await activeEndpoint(service);
  await patchEndpoint(service, id, { name: "Newer" });
  const answer = await remove(id, { "If-Match": stale });
  assert.deepEqual([answer.status, codes(answer)], [409, ["stale-version"]]);
  assert.equal((await service.get(`/v1/webhook-endpoints/${id}`)).status, 200);
});

test("428 · a missing or malformed If-Match deletes nothing", async () => {
  const { id } = await postEndpoint(service);
  for (const headers of [{}, { "If-Match": "*" }, { "If-Match": '"1"' }]) {
    const answer = await remove(id, headers);
    assert.deepEqual([answer.status, codes(answer)], [428, ["precondition-required"]]);
  }
  assert.equal((await service.get(`/v1/webhook-endpoints/${id}`)).status, 200);
});
