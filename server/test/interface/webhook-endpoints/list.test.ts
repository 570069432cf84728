import assert from "node:assert/strict";
import { after, test } from "node:test";
import { postEndpoint } from "../../support/endpoints.ts";
import { codes, ids, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());

const list = (query = "", as?: string) =>
  service.get(`/v1/webhook-endpoints${query}`, as === undefined ? {} : { as });

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
