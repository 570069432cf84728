import assert from "node:assert/strict";
import { after, test } from "node:test";
import { activeEndpoint, patchEndpoint, postEndpoint } from "../../support/endpoints.ts";
import { happen } from "../../support/engine.ts";
import { many, startService } from "../../support/service.ts";

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
