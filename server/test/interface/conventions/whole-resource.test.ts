import { json } from "../../../src/store/sql.ts";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { makePerson, makeRow } from "../../support/make.ts";
import { document, one, pointers, startService, type TestService } from "../../support/service.ts";
import { meanwhile } from "../../support/together.ts";

describe("PATCH with the whole resource", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const wholeBack = async (path: string, changes: Record<string, unknown>, as: string) => {
    const read = one(await service.get(path, { as }));
    const attributes = { ...read.attributes, ...changes };
    return service.patch(path, { data: { ...read, attributes } }, { as });
  };
  const administrator = () =>
    makePerson(service.db, service.account.id, { administrativeStatus: "administrator" });
  const define = (people: Record<string, unknown>) =>
    service.patch(
      "/v1/accounts/me",
      document("accounts", { "custom-properties": { people } }, { id: "me" }),
    );

  test("200 · protected attributes may be sent back unchanged", async () => {
    const { db, account } = service;
    await define({ rank: { "type": "integer", "write-access": "full-administrator" } });
    const email = "whole@example.org";
    const { id, token } = await makePerson(db, account.id, { email });
    const person = { "custom-properties": { rank: 7 }, "medical-notes": "Asthma" };
    await service.patch(`/v1/people/${id}`, document("people", person, { id }));
    const { token: as } = await administrator();
    for (const [path, by] of [
      [`/v1/people/${id}`, as],
      ["/v1/people/me", token],
      [`/v1/people/${account.administrator.id}`, as],
    ] as const) {
      const answer = await wholeBack(path, { occupation: "Baker" }, by);
      assert.equal(answer.status, 200, answer.text);
      assert.equal(one(answer).attributes["occupation"], "Baker");
    }
    const answer = await wholeBack("/v1/accounts/me", { acronym: "WB" }, as);
    assert.equal(answer.status, 200, answer.text);
    const kept = one(await service.get(`/v1/people/${id}`)).attributes;
    assert.partialDeepStrictEqual(kept, { ...person, email, "administrative-status": "none" });
  });

  test("403 · a changed protected attribute is rejected with its pointer", async () => {
    const { db, account } = service;
    await define({ rank: { "type": "integer", "write-access": "full-administrator" } });
    const { id } = await makePerson(db, account.id);
    const { token: as } = await administrator();
    const changes = {
      "occupation": "Baker",
      "administrative-status": "administrator",
      "custom-properties": { rank: 8 },
    };
    const answer = await wholeBack(`/v1/people/${id}`, changes, as);
    assert.equal(answer.status, 403);
    assert.deepEqual(pointers(answer), [
      "/data/attributes/administrative-status",
      "/data/attributes/custom-properties/rank",
    ]);
    assert.equal(one(await service.get(`/v1/people/${id}`)).attributes["occupation"], null);
    for (const change of [{ "is-active": false }, { email: "stolen@example.org" }]) {
      const refused = await wholeBack(`/v1/people/${account.administrator.id}`, change, as);
      assert.deepEqual(
        [refused.status, ...pointers(refused)],
        [403, `/data/attributes/${Object.keys(change)[0]}`],
      );
    }
    const custom = { "custom-properties": {} };
    assert.equal((await wholeBack("/v1/accounts/me", custom, as)).status, 403);
  });

  test("403 · a caller cannot guess a value that the caller may not read", async () => {
    const { db, account } = service;
    const secret = { "type": "string", "read-access": "full-administrator" };
    await define({ secret: { ...secret, "write-access": "full-administrator" } });
    const { id } = await makePerson(db, account.id);
    const right = { "medical-notes": "Asthma", "custom-properties": { secret: "x" } };
    await service.patch(`/v1/people/${id}`, document("people", right, { id }));
    const holding = async (...permissions: string[]) => {
      const { id: person_id, token } = await makePerson(db, account.id);
      const role = { name: permissions.join(), permissions: json(permissions) };
      const role_id = await makeRow(db, "roles", account.id, role);
      const assignment = { person_id, role_id, scope_type: "account" };
      await makeRow(db, "role_assignments", account.id, assignment);
      return token;
    };
    const as = await holding("people:read", "people:write");
    const wrong = { "medical-notes": null, "custom-properties": { secret: null } };
    for (const guess of [right, wrong]) {
      const sent = document("people", guess, { id });
      const answer = await service.patch(`/v1/people/${id}`, sent, { as });
      assert.deepEqual(
        [answer.status, ...pointers(answer)],
        [403, "/data/attributes/medical-notes", "/data/attributes/custom-properties/secret"],
      );
    }
  });

  test("200 · an unchanged protected attribute does not overwrite a concurrent change", async () => {
    const { db, account } = service;
    const { id } = await makePerson(db, account.id);
    const { token: as } = await administrator();
    const answer = await meanwhile(
      db,
      (tx) => tx`
        update people set administrative_status = 'administrator'
        where account_id = ${account.id} and id = ${id}`,
      () => wholeBack(`/v1/people/${id}`, { occupation: "Baker" }, as),
    );
    assert.equal(answer.status, 200, answer.text);
    const promoted = { "administrative-status": "administrator", "occupation": "Baker" };
    assert.partialDeepStrictEqual(one(answer).attributes, promoted);
  });
});
