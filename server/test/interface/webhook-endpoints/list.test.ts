import assert from "node:assert/strict";
import { after, test } from "node:test";
import { activeEndpoint, patchEndpoint, postEndpoint } from "../../support/endpoints.ts";
import { makeAccount } from "../../support/make.ts";
import { codes, ids, many, parameters, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { db } = service;

const list = (query = "", as?: string) =>
  service.get(`/v1/webhook-endpoints${query}`, as === undefined ? {} : { as });

test("200 · 25 of a page unless said, at most 100, the oldest first", async () => {
  const { administrator, id: account } = await makeAccount(db);
  await db`
    insert into webhook_endpoints (account_id, id, url, normalized_url, events, created_at)
    select ${account}, history_id(now()), url, url, '{person.created}', now() + number * interval '1 second'
    from generate_series(1, 120) as number cross join lateral concat('https://receiver.example/', number) as url`;
  const as = administrator.token;
  const first = await list("", as);
  assert.equal(first.status, 200);
  assert.deepEqual(first.document.meta, { total: 120, page: 1, size: 25 });
  assert.equal(many(first)[0]?.attributes["url"], "https://receiver.example/1");
  assert.equal(many(first).length, 25);
  const last = await list("?page[number]=2&page[size]=100", as);
  assert.equal(many(last).length, 20);
  assert.equal(many(last).at(-1)?.attributes["url"], "https://receiver.example/120");
  assert.equal(many(await list("?page[size]=100", as)).length, 100);
  const tooMany = await list("?page[size]=101", as);
  assert.deepEqual([tooMany.status, parameters(tooMany)], [400, ["page[size]"]]);
});

test("200 · deleted endpoints are never returned, whatever is asked for", async () => {
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

test("200 · by status", async () => {
  const [active, paused] = [await activeEndpoint(service), await activeEndpoint(service)];
  await patchEndpoint(service, paused.id, { status: "paused" });
  assert.ok(ids(await list("?filter[status]=active")).includes(active.id));
  assert.ok(!ids(await list("?filter[status]=active")).includes(paused.id));
  const both = ids(await list("?filter[status]=active,paused"));
  assert.ok(both.includes(active.id) && both.includes(paused.id));
});

test("200 · another account's endpoints are not among them", async () => {
  const { id } = await postEndpoint(service);
  const other = await makeAccount(db);
  const answer = await list("", other.administrator.token);
  assert.deepEqual([ids(answer), answer.document.meta?.["total"]], [[], 0]);
  assert.ok(ids(await list()).includes(id));
});

test("200 · no secret, in no form", async () => {
  const { secret } = await postEndpoint(service);
  const { text } = await list("?page[size]=100");
  assert.ok(!text.includes("whsec_") && !text.includes(secret.slice("whsec_".length)));
});
