import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCell, makeMember } from "../../support/cells.ts";
import { makeAssignment, makePerson } from "../../support/make.ts";
import { codes, document, ids, one, pointers, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

/** sector ▶ own, sibling; other sector ▶ elsewhere; a public cell elsewhere. */
const sector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
const otherSector = await makeCell(db, account.id, { cell_type: "supervision", level: 1 });
const own = await makeCell(db, account.id, { parent_id: sector });
const sibling = await makeCell(db, account.id, { parent_id: sector });
const elsewhere = await makeCell(db, account.id, { parent_id: otherSector });
const open = await makeCell(db, account.id, {
  is_public: true,
  parent_id: otherSector,
  category: "Youth",
});

const withRole = async (role: string, scopeType: string, scopeIds: string[] = []) => {
  const person = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: person.id, role, scopeType, scopeIds });
  return person;
};
const callers = {
  member: await makeMember(db, account.id, own),
  leader: await makeMember(db, account.id, own, { cell_role: "leader" }),
  supervisor: await makeMember(db, account.id, sector, { cell_role: "leader" }),
  secretary: await withRole("secretary", "account"),
  pastor: await withRole("pastor", "account"),
  teacher: await withRole("teacher", "course-class"),
  nobody: await makePerson(db, account.id),
} as const;
type Caller = keyof typeof callers;

const change = (as: Caller, id: string, attributes: Record<string, unknown>, parent?: string) =>
  service.patch(
    `/v1/cells/${id}`,
    document("cells", attributes, {
      id,
      ...(parent && { relationships: { parent: { data: { type: "cells", id: parent } } } }),
    }),
    { as: callers[as].token },
  );

test("200 · each caller lists the cells of their scope and the public ones", async () => {
  const everything = [sector, otherSector, own, sibling, elsewhere, open];
  const seen: Record<Caller, string[]> = {
    member: [own, open],
    leader: [own, open],
    supervisor: [sector, own, sibling, open],
    secretary: everything,
    pastor: everything,
    teacher: [open],
    nobody: [open],
  };
  for (const [as, expected] of Object.entries(seen)) {
    const { token } = callers[as as Caller];
    const answer = await service.get("/v1/cells", { as: token });
    assert.deepEqual(ids(answer).sort(), [...expected].sort(), as);
    assert.equal(answer.document.meta?.["total"], expected.length, as);
    for (const id of everything) {
      const { status } = await service.get(`/v1/cells/${id}`, { as: token });
      assert.equal(status, expected.includes(id) ? 200 : 404, `${as} ${id}`);
    }
  }
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

test("403 · each caller changes, moves, creates and deletes cells only as the table of rights says", async () => {
  const attempt = async (as: Caller) => {
    const { token } = callers[as];
    const create = async (parent?: string) => {
      const body = document(
        "cells",
        { name: `By ${as}` },
        parent ? { relationships: { parent: { data: { type: "cells", id: parent } } } } : {},
      );
      return (await service.post("/v1/cells", body, { as: token })).status;
    };
    return {
      description: (await change(as, own, { description: `By ${as}` })).status,
      name: (await change(as, own, { name: `By ${as}` })).status,
      sibling: (await change(as, sibling, { description: `By ${as}` })).status,
      moves: (await change(as, sibling, {}, otherSector)).status,
      public: (await change(as, own, { "is-public": true })).status,
      below: await create(sector),
      beside: await create(otherSector),
      root: await create(),
      deletes: (await service.delete(`/v1/cells/${own}`, { as: token })).status,
    };
  };
  const nothing = {
    description: 403,
    name: 403,
    sibling: 404,
    moves: 404,
    public: 403,
    below: 403,
    beside: 403,
    root: 403,
    deletes: 403,
  };
  assert.deepEqual(await attempt("member"), { ...nothing, sibling: 403, moves: 403 });
  assert.deepEqual(await attempt("leader"), { ...nothing, description: 200 });
  assert.deepEqual(await attempt("supervisor"), {
    ...nothing,
    description: 200,
    name: 200,
    sibling: 200,
    moves: 403,
    below: 201,
  });
  assert.deepEqual(await attempt("secretary"), { ...nothing, sibling: 403, moves: 403 });
  assert.deepEqual(await attempt("pastor"), {
    description: 200,
    name: 200,
    sibling: 200,
    moves: 200,
    public: 200,
    below: 201,
    beside: 201,
    root: 201,
    deletes: 403,
  });
});

test("403 · the attribute that the caller may not set is named", async () => {
  const answer = await change("supervisor", sibling, { "is-public": true, "name": "x" });
  // The pastor moved the cell to another sector.
  assert.equal(answer.status, 404);
  const own403 = await change("leader", own, { name: "Other", description: "x" });
  assert.deepEqual([codes(own403), pointers(own403)], [["forbidden"], ["/data/attributes/name"]]);
  const settings = { "public-settings": { "show-address": true } };
  const supervisors = await change("supervisor", own, settings);
  assert.deepEqual(pointers(supervisors), ["/data/attributes/public-settings"]);
});
