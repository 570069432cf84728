import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { join, makeCell } from "../../support/cells.ts";
import { makeAssignment, makePerson, makeRow } from "../../support/make.ts";
import { type Answer, document, one, startService } from "../../support/service.ts";
import { makeStage, to } from "../../support/standings.ts";

/** `meta.may` shows no more than the caller may know. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { people, places } = stage;

interface May {
  update: string[];
  delete: unknown;
  actions: Record<string, unknown>;
}

const mayIn = (answer: Answer): May => (one(answer).meta ?? {})["may"] as May;

async function mayOf(path: string, as: string): Promise<May> {
  const answer = await service.get(`${path}?meta[may]=true`, { as });
  assert.equal(answer.status, 200, answer.text);
  return mayIn(answer);
}

describe("a caller without the right to an action", () => {
  test("200 · sees false and not the state that would forbid it", async () => {
    const closed = await makeCell(db, account.id, { is_public: true });
    await db`update cells set closed_at = now() where id = ${closed}`;
    const open = await makeCell(db, account.id, { is_public: true });
    const { token } = people["member"];
    const shown = await mayOf(`/v1/cells/${closed}`, token);
    assert.deepEqual(shown, await mayOf(`/v1/cells/${open}`, token));
    assert.deepEqual(new Set([shown.delete, ...Object.values(shown.actions)]), new Set([false]));
    const office = await mayOf(`/v1/cells/${closed}`, people["pastor"].token);
    assert.equal(office.actions["close"], "cell-closed");
  });

  test("200 · cannot tell an administrator from another person", async () => {
    const withLogin = async (
      email: string,
      administrativeStatus: "none" | "full-administrator",
    ) => {
      const person = await makePerson(db, account.id, { email, administrativeStatus });
      await db`update people set has_login = true where account_id = ${account.id} and id = ${person.id}`;
      return person;
    };
    const plain = await withLogin("plain@church.example", "none");
    const ranking = await withLogin("ranking@church.example", "full-administrator");
    for (const { id } of [plain, ranking]) await join(db, account.id, places.own, id);
    for (const standing of ["cell leader", "supervisor"] as const) {
      const { token } = people[standing];
      const path = (id: string) => `/v1/people/${id}`;
      assert.deepEqual(
        await mayOf(path(ranking.id), token),
        await mayOf(path(plain.id), token),
        standing,
      );
    }
  });
});

test("200 · the office may not take the place of a person who outranks it", async () => {
  const { token } = people["secretary"];
  const ofMember = await mayOf(`/v1/people/${people["member"].id}`, token);
  const ofAdministrator = await mayOf(`/v1/people/${account.administrator.id}`, token);
  assert.ok(ofMember.update.includes("email") && ofMember.update.includes("is-active"));
  for (const name of ["email", "is-active", "administrative-status"])
    assert.ok(!ofAdministrator.update.includes(name), name);
  assert.deepEqual(
    [ofAdministrator.actions["invite"], ofAdministrator.actions["invite-by-link"]],
    [false, false],
  );
});

test("200 · a right that ends is gone from the next answer", async () => {
  const person = await makePerson(db, account.id);
  const assignment = {
    personId: person.id,
    role: "cell-leader",
    scopeType: "cell",
    scopeIds: [places.own],
  };
  await makeAssignment(db, account.id, assignment);
  const path = `/v1/cells/${places.own}`;
  assert.equal((await mayOf(path, person.token)).actions["multiply"], true);
  await db`update role_assignments set role_id = (select id from roles where account_id = ${account.id} and code = 'cell-trainee')
    where account_id = ${account.id} and person_id = ${person.id}`;
  const later = await mayOf(path, person.token);
  assert.deepEqual([later.actions["multiply"], later.update], [false, []]);
});

test("200 · a change shows the rights that it leaves", async () => {
  const note = await makeRow(db, "notes", account.id, {
    about_person_id: people["member"].id,
    text: "Called",
    author_id: people["secretary"].id,
    follow_up_on: "2026-12-01",
    follow_up_status: "open",
    assignee_id: people["cell leader"].id,
  });
  const path = `/v1/notes/${note}?meta[may]=true`;
  const as = people["secretary"].token;
  const relationships = { assignee: to("people", people["pastor"].id) };
  const changed = await service.patch(path, document("notes", {}, { id: note, relationships }), {
    as,
  });
  assert.deepEqual(mayIn(changed).actions, { finish: true });
});
