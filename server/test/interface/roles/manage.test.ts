import assert from "node:assert/strict";
import { after, test } from "node:test";
import { presetRoles } from "../../../src/access/preset-roles.ts";
import { declared } from "../../../src/catalogue.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  ids,
  many,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const administrator = await makePerson(db, account.id, { administrativeStatus: "administrator" });
const member = await makePerson(db, account.id);

const create = (attributes: Record<string, unknown>, as?: string) =>
  service.post("/v1/roles", document("roles", attributes), as === undefined ? {} : { as });
const patch = (id: string, attributes: Record<string, unknown>, as?: string) =>
  service.patch(
    `/v1/roles/${id}`,
    document("roles", attributes, { id }),
    as === undefined ? {} : { as },
  );
const named = async (name: string) => many(await service.get(`/v1/roles?filter[name]=${name}`))[0];

test("200 · every account starts with the presets, with the permissions of this version", async () => {
  const answer = await service.get("/v1/roles", { as: member.token });
  const presets = many(answer);
  assert.equal(presets.length, presetRoles.length);
  for (const { code, name } of presetRoles) {
    const permissions = declared.presets.get(code);
    const role = presets.find(({ attributes }) => attributes["code"] === code);
    assert.partialDeepStrictEqual(role?.attributes, { name, permissions, "is-preset": true });
  }
});

test("201 · a role of the account's own", async () => {
  const sent = { name: "Librarian", permissions: ["courses:read"], description: "Lends books" };
  const answer = await create(sent);
  assert.equal(answer.status, 201);
  assert.partialDeepStrictEqual(one(answer).attributes, {
    ...sent,
    "code": null,
    "is-preset": false,
  });
  const { id } = one(answer);
  const updated = await patch(id, { permissions: ["people:read", "courses:read"] });
  assert.equal(updated.status, 200);
  assert.deepEqual(one(updated).attributes["permissions"], ["people:read", "courses:read"]);
});

test("200 · roles are found and sorted by name without regard to case and accents", async () => {
  const made = [];
  for (const name of ["zeladoria", "Época", "Ensino", "acolhida"])
    made.push(one(await create({ name })).id);
  const sorted = await service.get(`/v1/roles?filter[id]=${made.join()}&sort=name`);
  assert.deepEqual(ids(sorted), [made[3], made[2], made[1], made[0]]);
  assert.equal((await named("epoca"))?.id, made[1]);
  for (const id of made) assert.equal((await service.delete(`/v1/roles/${id}`)).status, 204);
});

test("409 · a name belongs to one role, whatever its case", async () => {
  await create({ name: "Twice" });
  const answer = await create({ name: "tWICE" });
  assert.deepEqual([answer.status, ...pointers(answer)], [409, "/data/attributes/name"]);
  const other = await makeAccount(db);
  assert.equal((await create({ name: "Twice" }, other.administrator.token)).status, 201);
});

test("201, 422 · a name has up to 80 characters", async () => {
  assert.equal((await create({ name: "ñ".repeat(80) })).status, 201);
  assert.deepEqual(pointers(await create({ name: "ñ".repeat(81) })), ["/data/attributes/name"]);
});

test("422 · permissions have their form, each once; code and preset are the service's", async () => {
  for (const permissions of [
    ["everything"],
    ["people:fly"],
    ["people:read", "people:read"],
    "people:read",
    [5],
    null,
  ])
    assert.equal((await create({ name: "Odd", permissions })).status, 422, String(permissions));
  const answer = await create({ "name": "Odd", "code": "administrator", "is-preset": true });
  assert.deepEqual(pointers(answer), ["/data/attributes/code", "/data/attributes/is-preset"]);
});

test("422 · a permission for what there is not is named, with what there is", async () => {
  const permissions = [
    "people:read",
    "peopel:read",
    "audit-entries:read",
    "webhook-endpoints:read",
  ];
  const created = await create({ name: "Misspelt", permissions });
  const role = one(await create({ name: "Spelt", permissions: ["people:read"] })).id;
  for (const answer of [created, await patch(role, { permissions })]) {
    assert.equal(answer.status, 422);
    assert.deepEqual(
      pointers(answer),
      [1, 3].map((position) => `/data/attributes/permissions/${position}`),
    );
    const [first] = answer.document.errors ?? [];
    assert.match(first?.detail ?? "", /people:read/);
  }
});

test("403 · nobody makes a role that may more than they do, or adds to one", async () => {
  const as = administrator.token;
  assert.equal((await create({ name: "Reader", permissions: ["people:read"] }, as)).status, 201);
  for (const permissions of [["audit-entries:read"], ["people:read", "forms:write"]]) {
    const answer = await create({ name: "Climber", permissions }, as);
    assert.deepEqual([answer.status, ...pointers(answer)], [403, "/data/attributes/permissions"]);
    const reader = (await named("Reader"))?.id ?? "";
    assert.equal((await patch(reader, { permissions }, as)).status, 403);
  }
  assert.deepEqual((await named("Reader"))?.attributes["permissions"], ["people:read"]);
  assert.equal((await create({ name: "Mine" }, member.token)).status, 403);
});

test("409 · a preset stays as it is, also for a full administrator", async () => {
  const preset = await named("Secretary");
  const id = preset?.id ?? "";
  for (const attributes of [{ name: "Clerk" }, { permissions: [] }, { description: null }]) {
    const answer = await patch(id, attributes);
    assert.deepEqual([answer.status, ...codes(answer)], [409, "conflict"]);
  }
  assert.equal((await service.delete(`/v1/roles/${id}`)).status, 409);
  assert.deepEqual(await named("Secretary"), preset);
});

test("409 · a role that is assigned is not deleted; 204 · one that is not, is", async () => {
  const { id } = one(await create({ name: "Held", permissions: ["courses:read"] }));
  const assignment = one(
    await service.post(
      "/v1/role-assignments",
      document(
        "role-assignments",
        { "scope-type": "account" },
        {
          relationships: {
            role: { data: { type: "roles", id } },
            person: { data: { type: "people", id: member.id } },
          },
        },
      ),
    ),
  );
  assert.deepEqual(ids(await service.get(`/v1/roles/${id}/assignments`)), [assignment.id]);
  const held = await service.delete(`/v1/roles/${id}`);
  assert.deepEqual([held.status, ...codes(held)], [409, "still-referenced"]);
  assert.equal((await service.delete(`/v1/role-assignments/${assignment.id}`)).status, 204);
  const stale = etag(await service.get(`/v1/roles/${id}`));
  await patch(id, { description: "x" });
  const headers = { "If-Match": stale };
  assert.equal((await service.delete(`/v1/roles/${id}`, { headers })).status, 409);
  assert.equal((await service.delete(`/v1/roles/${id}`)).status, 204);
});

test("404 · another account's roles", async () => {
  const other = await makeAccount(db);
  const [theirs] = ids(await service.get("/v1/roles", { as: other.administrator.token }));
  for (const attributes of [{ name: "x" }, { permissions: 5 }])
    assert.equal((await patch(theirs ?? "", attributes)).status, 404);
  assert.equal((await service.delete(`/v1/roles/${theirs}`)).status, 404);
});
