import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCell, makeMember } from "../../support/cells.ts";
import { codes, document, ids, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

/** sector ▶ own, sibling; other sector ▶ a public cell. */
const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
const otherSector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
const own = await makeCell(db, account.id, { parent_id: sector });
const sibling = await makeCell(db, account.id, { parent_id: sector });
const open = await makeCell(db, account.id, {
  is_public: true,
  parent_id: otherSector,
  category: "Youth",
});

const callers = {
  leader: await makeMember(db, account.id, own, { cell_role: "leader" }),
  supervisor: await makeMember(db, account.id, sector, { cell_role: "leader" }),
} as const;

const change = (as: keyof typeof callers, id: string, attributes: Record<string, unknown>) =>
  service.patch(`/v1/cells/${id}`, document("cells", attributes, { id }), {
    as: callers[as].token,
  });

test("200 · a public cell outside the scope has only the members of the reduced view", async () => {
  const as = callers.leader.token;
  const reduced = one(await service.get(`/v1/cells/${open}`, { as }));
  assert.deepEqual(
    Object.keys(reduced.attributes).sort(),
    [
      "age-max",
      "age-min",
      "category",
      "description",
      "ends-at",
      "frequency",
      "gender-category",
      "is-online",
      "join-policy",
      "name",
      "starts-at",
      "status",
      "weekday",
    ].sort(),
  );
  assert.deepEqual(Object.keys(reduced.relationships ?? {}), []);
  assert.ok("address" in one(await service.get(`/v1/cells/${own}`, { as })).attributes);
  const found = async (filter: string) => ids(await service.get(`/v1/cells?${filter}`, { as }));
  assert.deepEqual(await found("filter[category]=youth"), [open]);
  assert.deepEqual(await found(`filter[parent]=${otherSector}`), []);
  assert.deepEqual(await found(`filter[tree]=${otherSector}`), []);
  assert.deepEqual(await found("filter[city]=x&filter[is-public]=true"), []);
});

test("200 · a leader reads the leaders of the cells above in the reduced view, and no one else there", async () => {
  const { leader, supervisor } = callers;
  const beside = await makeMember(db, account.id, sector);
  const elsewhere = await makeMember(db, account.id, otherSector, { cell_role: "leader" });
  const as = leader.token;
  const [shown] =
    (await service.get(`/v1/cells/${own}?include=supervisors`, { as })).document.included ?? [];
  assert.equal(shown?.id, supervisor.id);
  assert.ok("phones" in shown.attributes && !("occupation" in shown.attributes));
  for (const { id } of [beside, elsewhere])
    assert.equal((await service.get(`/v1/people/${id}`, { as })).status, 404);
  const { status } = await service.patch(
    `/v1/people/${supervisor.id}`,
    document("people", { phones: [] }, { id: supervisor.id }),
    { as },
  );
  assert.equal(status, 403);
});

test("403 · the attribute that the caller may not set is named", async () => {
  const answer = await change("supervisor", sibling, { "is-public": true, "name": "x" });
  assert.deepEqual([answer.status, pointers(answer)], [403, ["/data/attributes/is-public"]]);
  const own403 = await change("leader", own, { name: "Other", description: "x" });
  assert.deepEqual([codes(own403), pointers(own403)], [["forbidden"], ["/data/attributes/name"]]);
  const settings = { "public-settings": { "show-address": true } };
  const supervisors = await change("supervisor", own, settings);
  assert.deepEqual(pointers(supervisors), ["/data/attributes/public-settings"]);
});
