import assert from "node:assert/strict";
import { after, test } from "node:test";
import { presetRoles } from "../../../src/features/roles/preset-roles.ts";
import { describedCatalogue } from "../../../src/catalogue.ts";
import { makeAccount, makePerson } from "../../support/make.ts";
import { grant } from "../../support/roles.ts";
import { codes, document, ids, many, one, pointers, startService } from "../../support/service.ts";

const { declared } = describedCatalogue;

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

test("200 · every account has the preset roles with the permissions of this version", async () => {
  const answer = await service.get("/v1/roles", { as: member.token });
  const presets = many(answer);
  assert.equal(presets.length, presetRoles.length);
  for (const { code, name } of presetRoles) {
    const permissions = declared.presets.get(code);
    const role = presets.find(({ attributes }) => attributes["code"] === code);
    assert.partialDeepStrictEqual(role?.attributes, { name, permissions, "is-preset": true });
  }
});

test("201 · an account creates and changes its own role", async () => {
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

test("409 · a role name is unique within the account, ignoring case", async () => {
  await create({ name: "Twice" });
  const answer = await create({ name: "tWICE" });
  assert.deepEqual([answer.status, ...pointers(answer)], [409, "/data/attributes/name"]);
  const other = await makeAccount(db);
  assert.equal((await create({ name: "Twice" }, other.administrator.token)).status, 201);
});

test("422 · permissions are a list of known permissions without duplicates", async () => {
  for (const permissions of [
    ["everything"],
    ["people:fly"],
    ["people:read", "people:read"],
    "people:read",
    [5],
    null,
  ])
    assert.equal((await create({ name: "Odd", permissions })).status, 422, String(permissions));
});

test("422 · an unknown permission is named, with a suggestion", async () => {
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

test("403 · a caller cannot grant a role permissions that the caller lacks", async () => {
  const as = administrator.token;
  assert.equal((await create({ name: "Reader", permissions: ["people:read"] }, as)).status, 201);
  for (const permissions of [["audit-entries:read"], ["people:read", "audit-entries:read"]]) {
    const answer = await create({ name: "Climber", permissions }, as);
    assert.deepEqual([answer.status, ...pointers(answer)], [403, "/data/attributes/permissions"]);
    const reader = (await named("Reader"))?.id ?? "";
    assert.equal((await patch(reader, { permissions }, as)).status, 403);
  }
  assert.deepEqual((await named("Reader"))?.attributes["permissions"], ["people:read"]);
  assert.equal((await create({ name: "Mine" }, member.token)).status, 403);
});

test("409 · a preset role cannot be changed or deleted", async () => {
  const preset = await named("Secretary");
  const id = preset?.id ?? "";
  for (const attributes of [{ name: "Clerk" }, { permissions: [] }, { description: null }]) {
    const answer = await patch(id, attributes);
    assert.deepEqual([answer.status, ...codes(answer)], [409, "conflict"]);
  }
  assert.equal((await service.delete(`/v1/roles/${id}`)).status, 409);
  assert.deepEqual(await named("Secretary"), preset);
});

test("409 · an assigned role cannot be deleted; 204 · an unassigned role can", async () => {
  const { id } = one(await create({ name: "Held", permissions: ["courses:read"] }));
  const assignment = one(await grant(service, { role: id, personId: member.id }));
  assert.deepEqual(ids(await service.get(`/v1/roles/${id}/assignments`)), [assignment.id]);
  const used = await service.delete(`/v1/roles/${id}`);
  assert.deepEqual([used.status, ...codes(used)], [409, "still-referenced"]);
  assert.equal((await service.delete(`/v1/role-assignments/${assignment.id}`)).status, 204);
  assert.equal((await service.delete(`/v1/roles/${id}`)).status, 204);
});
