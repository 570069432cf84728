import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Tx } from "../../../src/store/db.ts";
import { type TestAccount, makeAssignment, makeAccount, makePerson } from "../../support/make.ts";
import { type Answer, codes, document, one, startService } from "../../support/service.ts";
import { grant } from "../../support/roles.ts";
import { meanwhile, together } from "../../support/together.ts";

/** Writes whose callers lose their rights while the write waits. */

const service = await startService();
/** This service checks the rights again after every write. */
const slow = await startService({ callerMsMax: 0 });
after(() => Promise.all([service.stop(), slow.stop()]));

const patch = (at: typeof service, id: string, attributes: Record<string, unknown>, as: string) =>
  at.patch(`/v1/people/${id}`, document("people", attributes, { id }), { as });
const lock = (account: TestAccount, id: string) => (tx: Tx) =>
  tx`select from people where account_id = ${account.id} and id = ${id} for update`;
const said = (answer: Answer) => [answer.status, ...codes(answer)];
const fullAdministrator = { administrativeStatus: "full-administrator" } as const;

describe("a write that waits for a long time", () => {
  const { account, db } = slow;

  test("401 · 403 · fails if the caller was demoted, deactivated, logged out or shut out", async () => {
    const cases: [string, (tx: Tx, id: string) => Promise<unknown>, (number | string)[]][] = [
      [
        "demoted",
        (tx, id) =>
          tx`update people set administrative_status = 'none' where account_id = ${account.id} and id = ${id}`,
        [403, "forbidden"],
      ],
      [
        "deactivated",
        (tx, id) =>
          tx`update people set is_active = false where account_id = ${account.id} and id = ${id}`,
        [401, "credentials-invalid"],
      ],
      [
        "logged out",
        (tx, id) =>
          tx`delete from access_tokens where account_id = ${account.id} and person_id = ${id}`,
        [401, "credentials-invalid"],
      ],
      [
        "shut out",
        (tx) => tx`update accounts set status = 'inactive' where id = ${account.id}`,
        [403, "account-inactive"],
      ],
    ];
    for (const [what, take, answered] of cases) {
      const caller = await makePerson(db, account.id, { administrativeStatus: "administrator" });
      const { id } = await makePerson(db, account.id, { fullName: what });
      const answer = await meanwhile(
        db,
        lock(account, id),
        () => patch(slow, id, { "full-name": "Overwritten" }, caller.token),
        (tx) => take(tx, caller.id),
      );
      await db`update accounts set status = 'active' where id = ${account.id}`;
      assert.deepEqual(said(answer), answered, what);
      const kept = one(await slow.get(`/v1/people/${id}`));
      assert.equal(kept.attributes["full-name"], what);
    }
  });

  test("403 · fails if the caller lost a role; 200 · and succeeds if the caller gained one", async () => {
    const secretary = await makePerson(db, account.id);
    await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });
    const { id } = await makePerson(db, account.id);
    const write = (act: (tx: Tx) => Promise<unknown>) =>
      meanwhile(
        db,
        lock(account, id),
        () => patch(slow, id, { occupation: "Baker" }, secretary.token),
        act,
      );
    const given = await write(
      (tx) => tx`update people set administrative_status = 'administrator'
        where account_id = ${account.id} and id = ${secretary.id}`,
    );
    assert.equal(given.status, 200, given.text);
    await db`update people set administrative_status = 'none' where id = ${secretary.id}`;
    const taken = await write(
      (tx) => tx`delete from role_assignments
        where account_id = ${account.id} and person_id = ${secretary.id}`,
    );
    assert.deepEqual(said(taken), [403, "forbidden"]);
  });

  test("200 · succeeds if the write itself reduces the rights of the caller", async () => {
    const leaving = await makePerson(db, account.id, fullAdministrator);
    const own = { "administrative-status": "administrator", "is-active": false };
    assert.equal((await patch(slow, leaving.id, own, leaving.token)).status, 200);

    const role = one(
      await slow.post(
        "/v1/roles",
        document("roles", { name: "Keeper", permissions: ["roles:write", "courses:read"] }),
      ),
    );
    const keeper = await makePerson(db, account.id);
    await grant(slow, { role: role.id, personId: keeper.id });
    const less = document("roles", { permissions: ["courses:read"] }, { id: role.id });
    const answer = await slow.patch(`/v1/roles/${role.id}`, less, { as: keeper.token });
    assert.equal(answer.status, 200, answer.text);
  });

  test("201 · succeeds without an Origin for webhook management", async () => {
    const body = document("webhook-endpoints", {
      url: "https://receiver.example/slow",
      events: ["person.created"],
    });
    const answer = await slow.post("/v1/webhook-endpoints", body, { headers: { Origin: null } });
    assert.equal(answer.status, 201, answer.text);
  });

  test("403 · fails to revoke tokens after a demotion; 204 · but a person may revoke their own", async () => {
    const revoke = (id: string, as: string) =>
      slow.post(
        "/v1/access-token-revocations",
        {
          data: {
            type: "access-token-revocations",
            relationships: { person: { data: { type: "people", id } } },
          },
        },
        { as },
      );
    const [caller, other] = [
      await makePerson(db, account.id, fullAdministrator),
      await makePerson(db, account.id),
    ];
    const answer = await meanwhile(
      db,
      (tx) =>
        tx`select from access_tokens where account_id = ${account.id} and person_id = ${other.id} for update`,
      () => revoke(other.id, caller.token),
      (tx) => tx`update people set administrative_status = 'none'
        where account_id = ${account.id} and id = ${caller.id}`,
    );
    assert.deepEqual(said(answer), [403, "forbidden"]);
    assert.equal((await slow.get("/v1/people/me", { as: other.token })).status, 200);
    assert.equal((await revoke(caller.id, caller.token)).status, 204);
  });
});

describe("a write that changes permissions", () => {
  const { db } = service;

  test("403 · a concurrently demoted caller cannot promote themselves", async () => {
    const { account } = service;
    const caller = await makePerson(db, account.id, fullAdministrator);
    const answer = await meanwhile(
      db,
      (tx) => tx`update people set administrative_status = 'none'
        where account_id = ${account.id} and id = ${caller.id}`,
      () =>
        patch(service, caller.id, { "administrative-status": "full-administrator" }, caller.token),
    );
    assert.deepEqual(said(answer), [403, "forbidden"]);
    const { attributes } = one(await service.get(`/v1/people/${caller.id}`));
    assert.equal(attributes["administrative-status"], "none");
  });

  test("401 · 403 · of two people who demote or delete each other concurrently, the second fails", async () => {
    const own = await makeAccount(db);
    const makeOne = () => makePerson(db, own.id, fullAdministrator);
    const race = async (act: (id: string, as: string) => Promise<Answer>) => {
      const [one, other] = [await makeOne(), await makeOne()];
      const answers = await together(db, own.id, [
        () => act(one.id, other.token),
        () => act(other.id, one.token),
      ]);
      return answers.map(({ status }) => status).toSorted((a, b) => a - b);
    };
    const demote = (id: string, as: string) =>
      patch(service, id, { "administrative-status": "none" }, as);
    const remove = (id: string, as: string) => service.delete(`/v1/people/${id}`, { as });
    assert.deepEqual(await race(demote), [200, 403]);
    assert.deepEqual(await race(remove), [204, 401]);
  });

  test("403 · a role that is being revoked cannot be granted by its holder", async () => {
    const own = await makeAccount(db);
    const pastor = await makePerson(db, own.id);
    const assignment = await makeAssignment(db, own.id, { personId: pastor.id, role: "pastor" });
    const [role] = await db<{ id: string }[]>`
      select id from roles where account_id = ${own.id} and code = 'pastor'`;
    const give = () =>
      grant(service, { role: role?.id ?? "", personId: pastor.id, as: pastor.token });
    const answer = await meanwhile(
      db,
      // As DELETE /v1/role-assignments/:id does.
      async (tx) => {
        await tx`select from roles where account_id = ${own.id} and id = ${role?.id ?? ""} for no key update`;
        await tx`delete from role_assignments where account_id = ${own.id} and id = ${assignment}`;
      },
      give,
    );
    assert.deepEqual(said(answer), [403, "forbidden"]);
    const left = await db`select from role_assignments where account_id = ${own.id}`;
    assert.equal(left.length, 0);
  });
});
