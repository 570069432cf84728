import assert from "node:assert/strict";
import { after, test } from "node:test";
import { activeEndpoint, patchEndpoint, postEndpoint } from "../../support/endpoints.ts";
import { makeAccount } from "../../support/make.ts";
import { codes, ids, many, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { db } = service;

const list = (query = "", as?: string) =>
  service.get(`/v1/webhook-endpoints${query}`, as === undefined ? {} : { as });

test("200 · endpoints are listed oldest first", async () => {
  const { administrator, id } = await makeAccount(db);
  await db`
    insert into webhook_endpoints (account_id, id, url, normalized_url, events, created_at)
    select ${id}, history_id(now()), url, url, '{person.created}', now() - number * interval '1 second'
    from generate_series(1, 3) as number cross join lateral concat('https://receiver.example/', number) as url`;
  const endpoints = many(await list("", administrator.token));
  assert.deepEqual(
    endpoints.map(({ attributes }) => attributes["url"]),
    [3, 2, 1].map((number) => `https://receiver.example/${number}`),
  );
});

test("200 · deleted endpoints are never listed, even when the caller filters by their id", async () => {
  const kept = await postEndpoint(service);
  const gone = await postEndpoint(service);
  await service.delete(`/v1/webhook-endpoints/${gone.id}`, { headers: { "If-Match": gone.etag } });
  for (const query of ["", `?filter[id]=${gone.id},${kept.id}`, "?page[after]=&sort=created-at"]) {
    const answer = await list(query);
    assert.ok(ids(answer).includes(kept.id), query);
    assert.ok(!ids(answer).includes(gone.id), query);
  }
  const asked = await list("?filter[status]=deleted");
  assert.deepEqual([asked.status, codes(asked)], [400, ["invalid-parameter"]]);
});

test("200 · filter[status] takes one status or several", async () => {
  const [active, paused] = [await activeEndpoint(service), await activeEndpoint(service)];
  await patchEndpoint(service, paused.id, { status: "paused" });
  assert.ok(ids(await list("?filter[status]=active")).includes(active.id));
  assert.ok(!ids(await list("?filter[status]=active")).includes(paused.id));
  const both = ids(await list("?filter[status]=active,paused"));
  assert.ok(both.includes(active.id) && both.includes(paused.id));
});
