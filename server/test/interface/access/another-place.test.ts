import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { newResetToken } from "../../../src/features/sign-in/passwords/password-tokens.ts";
import { join, makeCell } from "../../support/cells.ts";
import { makeOpenClass } from "../../support/courses.ts";
import { confirm, invite, logIn, revealed } from "../../support/invitations.ts";
import { makeAssignment, makePerson, makeRow } from "../../support/make.ts";
import { merge } from "../../support/merges.ts";
import { grant } from "../../support/roles.ts";
import {
  type Answer,
  codes,
  document,
  identifiers,
  ids,
  one,
  pointers,
  startService,
} from "../../support/service.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";
import { to } from "../../support/standings.ts";
import { meanwhile } from "../../support/together.ts";

/** Attempts to act in the place of a person who holds more rights. Each person logs in with a password. */

const service = await startService();
after(() => service.stop());
// All tests use one address, so each starts without failures.
beforeEach(() => service.home`delete from counters`);
const { account, db } = service;
const { id: accountId } = account;
const password = "a long and private sentence";

interface Person {
  id: string;
  email: string;
  token: string;
}

let made = 0;
/** A person who has logged in, with the preset roles of the account. */
async function person(...roles: string[]): Promise<Person> {
  made += 1;
  const { email, id } = await makeLogin(db, account, `person-${made}`);
  for (const role of roles) await makeAssignment(db, accountId, { personId: id, role });
  return { id, email, token: await tokenOf(email) };
}

async function tokenOf(email: string, secret = PASSWORD): Promise<string> {
  const answer = await logIn(service, email, secret);
  assert.equal(answer.status, 200, answer.text);
  return (JSON.parse(answer.text) as { access_token: string }).access_token;
}

/** A person with an e-mail address and without a log-in. */
async function withoutLogin(): Promise<{ id: string; email: string }> {
  made += 1;
  const email = `person-${made}@${account.alias}.example`;
  return { email, ...(await makePerson(db, accountId, { email })) };
}

/** A custom role in the whole account. */
async function customRole(personId: string, ...permissions: string[]): Promise<string> {
  const { id } = one(
    await service.post("/v1/roles", document("roles", { name: newId(), permissions })),
  );
  await service.post(
    "/v1/role-assignments",
    document(
      "role-assignments",
      { "scope-type": "account" },
      { relationships: { role: to("roles", id), person: to("people", personId) } },
    ),
  );
  return id;
}

const leads = (cellId: string, personId: string, cell_role = "leader") =>
  join(db, accountId, cellId, personId, { cell_role });
const change = (
  id: string,
  attributes: Record<string, unknown>,
  { token: as }: { token: string },
) => service.patch(`/v1/people/${id}`, document("people", attributes, { id }), { as });
const inviteAs = ({ token: as }: { token: string }, id: string, key?: string) =>
  invite(
    service,
    id,
    { delivery: "link" },
    { as, ...(key && { headers: { "Idempotency-Key": key } }) },
  );

function assertForbidden(answer: Answer, pointer: string): void {
  assert.deepEqual([answer.status, ...codes(answer)], [403, "forbidden"], answer.text);
  assert.deepEqual(pointers(answer), [pointer]);
}

const assertOver = async (token: string): Promise<void> => {
  const answer = await confirm(service, token, password);
  assert.deepEqual([answer.status, ...codes(answer)], [422, "token-invalid"], answer.text);
};

test("403 · a secretary does not read a confidential note by inviting the pastor who may", async () => {
  const [secretary, pastor, member] = [
    await person("secretary"),
    await person("pastor"),
    await person(),
  ];
  await customRole(pastor.id, "note-confidential:read");
  const note = await makeRow(db, "notes", accountId, {
    about_person_id: member.id,
    text: "Asked for prayer.",
    visibility: "confidential",
  });
  assert.equal((await service.get(`/v1/notes/${note}`, { as: pastor.token })).status, 200);
  assert.equal((await service.get(`/v1/notes/${note}`, { as: secretary.token })).status, 404);
  assertForbidden(await inviteAs(secretary, pastor.id), "/data/relationships/person");
  const email = `thief-${newId()}@church.example`;
  assertForbidden(await change(pastor.id, { email }, secretary), "/data/attributes/email");
  assertForbidden(
    await merge(service, secretary.id, [pastor.id], {}, { as: secretary.token }),
    "/data/relationships/removed/data/0",
  );
  // The pastor holds everything that the leader of a cell holds.
  const leader = await person();
  await leads(await makeCell(db, accountId), leader.id);
  assertForbidden(await inviteAs(secretary, leader.id), "/data/relationships/person");
  const { token } = revealed(await inviteAs(pastor, leader.id));
  assert.equal((await confirm(service, token, password)).status, 204);
  await tokenOf(leader.email, password);
});

test("403 · no act gives the place of a person who reads a confidential note as its author or assignee", async () => {
  const [secretary, author] = [await person("secretary"), await person()];
  const assignee = await withoutLogin();
  const note = await makeRow(db, "notes", accountId, {
    about_person_id: secretary.id,
    author_id: author.id,
    assignee_id: assignee.id,
    text: "Asked for prayer.",
    visibility: "confidential",
  });
  const revoke = (id: string) =>
    service.post(
      "/v1/access-token-revocations",
      document("access-token-revocations", {}, { relationships: { person: to("people", id) } }),
    );
  const leader = await person();
  const cell = await makeCell(db, accountId);
  await leads(cell, leader.id);
  await join(db, accountId, cell, assignee.id);
  const email = () => ({ email: `thief-${newId()}@church.example` });
  for (const caller of [secretary, account.administrator]) {
    assertForbidden(await change(author.id, email(), caller), "/data/attributes/email");
    assertForbidden(await change(assignee.id, email(), caller), "/data/attributes/email");
  }
  assertForbidden(await change(assignee.id, email(), leader), "/data/attributes/email");
  assertForbidden(await revoke(author.id), "/data/relationships/person");
  assert.equal((await service.get(`/v1/notes/${note}`, { as: author.token })).status, 200);

  // A full administrator can choose themselves as a reader. The assignment shows it.
  await customRole(account.administrator.id, "note-confidential:read");
  assert.equal((await change(assignee.id, email(), account.administrator)).status, 200);
  assert.equal((await revoke(author.id)).status, 204);
});

test("403 · a secretary does not become a supervisor by a merge, an invitation or an address", async () => {
  const secretary = await person("secretary");
  const supervisor = await person();
  const sector = await makeCell(db, accountId, { cell_type: "supervision", level: 1 });
  await leads(sector, supervisor.id);
  const as = secretary.token;
  assertForbidden(
    await merge(service, secretary.id, [supervisor.id], {}, { as }),
    "/data/relationships/removed/data/0",
  );
  assertForbidden(await inviteAs(secretary, supervisor.id), "/data/relationships/person");
  const email = `thief-${newId()}@church.example`;
  assertForbidden(await change(supervisor.id, { email }, secretary), "/data/attributes/email");
  // The same address is no change.
  assert.equal((await change(supervisor.id, { email: supervisor.email }, secretary)).status, 200);
});

test("403 · a merge passes no cell and no class that the caller could not give", async () => {
  const caller = await person();
  const permissions = new Set<string>(["people:write", "people:merge"]);
  const presets = await service.get("/v1/roles?page[size]=100");
  for (const { attributes } of presets.document.data as { attributes: Record<string, unknown> }[])
    if (["cell-leader", "teacher"].includes(String(attributes["code"])))
      for (const one of attributes["permissions"] as string[]) permissions.add(one);
  // The caller holds what leaders and teachers hold, and may not appoint leaders.
  await customRole(caller.id, ...permissions);
  const cell = await makeCell(db, accountId);
  const { classId } = await makeOpenClass(db, accountId);
  const [kept, leader, teacher] = [await person(), await person(), await person()];
  await leads(cell, leader.id);
  await db`insert into course_class_teachers values (${accountId}, ${classId}, ${teacher.id})`;
  const options = { as: caller.token };
  assertForbidden(
    await merge(service, kept.id, [teacher.id, leader.id], {}, options),
    "/data/relationships/removed/data/1",
  );
  const merged = await merge(service, kept.id, [teacher.id], {}, options);
  assert.equal(merged.status, 201, merged.text);
  // The membership of a former leader becomes one with that of the kept person, who would lead from now on.
  const [member, former] = [await person(), await person()];
  await join(db, accountId, cell, member.id, { joined_on: "2024-01-01" });
  const ended = { status: "left", joined_on: "2023-01-01", left_on: "2024-06-01" };
  await join(db, accountId, cell, former.id, { cell_role: "leader", ...ended });
  assertForbidden(
    await merge(service, member.id, [former.id], {}, options),
    "/data/relationships/removed/data/0",
  );
  // A kept person who leads the cell already gains nothing.
  const second = await person();
  await leads(cell, second.id);
  assert.equal((await merge(service, leader.id, [second.id], {}, options)).status, 201);
});

test("422 · a kept person who begins to teach by a merge loses open invitations", async () => {
  const { classId } = await makeOpenClass(db, accountId);
  const [kept, teacher, plain] = [await person(), await person(), await person()];
  await db`insert into course_class_teachers values (${accountId}, ${classId}, ${teacher.id})`;
  const { token } = revealed(await inviteAs(account.administrator, kept.id));
  assert.equal((await merge(service, kept.id, [plain.id])).status, 201);
  const invitations = () => db`
    select from person_invitations
    where account_id = ${accountId} and person_id = ${kept.id} and expires_at > now()`;
  assert.equal((await invitations()).length, 1);
  assert.equal((await merge(service, kept.id, [teacher.id])).status, 201);
  await assertOver(token);
  assert.equal((await invitations()).length, 0);
});

test("403 · a leader does not receive the invitation of a person who holds a role", async () => {
  const leader = await person();
  const cell = await makeCell(db, accountId);
  await leads(cell, leader.id);
  const withRole = await withoutLogin();
  const { id: plain } = await withoutLogin();
  const { id: teacher } = await withoutLogin();
  for (const id of [withRole.id, plain, teacher]) await join(db, accountId, cell, id);
  await makeAssignment(db, accountId, { personId: withRole.id, role: "secretary" });
  const { classId } = await makeOpenClass(db, accountId);
  await db`insert into course_class_teachers values (${accountId}, ${classId}, ${teacher})`;
  const email = () => ({ email: `leader-${newId()}@church.example` });
  assertForbidden(await change(withRole.id, email(), leader), "/data/attributes/email");
  assertForbidden(await change(teacher, email(), leader), "/data/attributes/email");
  assert.equal((await change(plain, email(), leader)).status, 200);
  // The secretary enters the address of a new teacher, and not that of a pastor without a log-in.
  const secretary = await person("secretary");
  assert.equal((await change(teacher, email(), secretary)).status, 200);
  const pastor = await withoutLogin();
  await makeAssignment(db, accountId, { personId: pastor.id, role: "pastor" });
  assertForbidden(await change(pastor.id, email(), secretary), "/data/attributes/email");
});

test("422 · a merge gives no address to a kept person whose roles the caller lacks", async () => {
  const secretary = await person("secretary");
  const { id: kept } = await makePerson(db, accountId);
  await makeAssignment(db, accountId, { personId: kept, role: "pastor" });
  const removed = await withoutLogin();
  const as = secretary.token;
  const chosen = await merge(
    service,
    kept,
    [removed.id],
    { "field-choices": { email: removed.id } },
    { as },
  );
  assert.deepEqual([chosen.status, ...codes(chosen)], [422, "invalid-attribute"], chosen.text);
  assert.equal((await merge(service, kept, [removed.id], {}, { as })).status, 201);
  const { attributes } = one(await service.get(`/v1/people/${kept}`));
  assert.deepEqual([attributes["email"], attributes["other-emails"]], [null, [removed.email]]);
});

/** Every way to gain rights, with a person who gains them. */
const gains: Record<string, (id: string) => Promise<Answer>> = {
  "administrative status": (id) =>
    change(id, { "administrative-status": "full-administrator" }, account.administrator),
  "a role": (id) => grant(service, { role: "auditor", personId: id }),
  "a role that begins later": (id) =>
    grant(service, {
      role: "auditor",
      personId: id,
      attributes: { "valid-from": "2900-01-01T00:00:00.000Z" },
    }),
  "a permission of the own role": async (id) => {
    const role = await customRole(id);
    // The assignment of the role was a gain too, so a newer invitation is open.
    invitations.set(id, revealed(await inviteAs(account.administrator, id)).token);
    const attributes = { permissions: ["audit-entries:read"] };
    return service.patch(`/v1/roles/${role}`, document("roles", attributes, { id: role }));
  },
  "a cell to lead": async (id) =>
    service.post(
      "/v1/cell-memberships",
      document(
        "cell-memberships",
        { "cell-role": "co-leader" },
        {
          relationships: {
            cell: to("cells", await makeCell(db, accountId)),
            person: to("people", id),
          },
        },
      ),
    ),
  "a higher role in the cell": async (id) => {
    const cell = await makeCell(db, accountId);
    await join(db, accountId, cell, id);
    const [membership = ""] = ids(await service.get(`/v1/cell-memberships?filter[person]=${id}`));
    return service.patch(
      `/v1/cell-memberships/${membership}`,
      document("cell-memberships", { "cell-role": "leader" }, { id: membership }),
    );
  },
  "a cell that becomes a supervision": async (id) => {
    const cell = await makeCell(db, accountId);
    await leads(cell, id);
    const attributes = { "cell-type": "supervision", "level": 1 };
    return service.patch(`/v1/cells/${cell}`, document("cells", attributes, { id: cell }));
  },
  "a new cell by multiplication": async (id) => {
    const cell = await makeCell(db, accountId);
    await join(db, accountId, cell, id);
    const people = identifiers("people", [id]);
    const proposed = await service.post(
      "/v1/cell-multiplications",
      document(
        "cell-multiplications",
        { "new-cell": { name: "Second" } },
        {
          relationships: { "parent-cell": to("cells", cell), "members": people, "leaders": people },
        },
      ),
    );
    const path = `/v1/cell-multiplications/${one(proposed).id}`;
    const attributes = { status: "approved" };
    return service.patch(
      path,
      document("cell-multiplications", attributes, { id: one(proposed).id }),
    );
  },
  "a class to teach": async (id) => {
    const { classId } = await makeOpenClass(db, accountId);
    const teachers = identifiers("people", [id]);
    return service.post(`/v1/course-classes/${classId}/relationships/teachers`, teachers);
  },
  "a new class to teach": async (id) => {
    const { courseId } = await makeOpenClass(db, accountId);
    return service.post(
      "/v1/course-classes",
      document(
        "course-classes",
        { name: "Evenings" },
        {
          relationships: { course: to("courses", courseId), teachers: identifiers("people", [id]) },
        },
      ),
    );
  },
  "activity": async (id) => {
    await db`update people set is_active = false where account_id = ${accountId} and id = ${id}`;
    return change(id, { "is-active": true }, account.administrator);
  },
};
const invitations = new Map<string, string>();

for (const [gain, act] of Object.entries(gains))
  test(`422 · open invitations and resets of a person end with a gain: ${gain}`, async () => {
    const invited = await person();
    const bystander = await person();
    const others = revealed(await inviteAs(account.administrator, bystander.id));
    invitations.set(invited.id, revealed(await inviteAs(account.administrator, invited.id)).token);
    const answer = await act(invited.id);
    assert.ok(answer.status < 300, answer.text);
    await assertOver(invitations.get(invited.id) ?? "");
    assert.equal((await confirm(service, others.token, password)).status, 204);

    const known = await person();
    const reset = await newResetToken(db, { accountId, personId: known.id });
    assert.ok(reset);
    await act(known.id);
    await assertOver(reset.token);
  });

test("422 · an invitation is judged by the rights that its maker has when it is used", async () => {
  const [pastor, trainee] = [await person("pastor"), await person()];
  await makeAssignment(db, accountId, { personId: trainee.id, role: "cell-trainee" });
  const { token } = revealed(await inviteAs(pastor, trainee.id));
  await db`delete from role_assignments where account_id = ${accountId} and person_id = ${pastor.id}`;
  await assertOver(token);
  await makeAssignment(db, accountId, { personId: pastor.id, role: "pastor" });
  assert.equal((await confirm(service, token, password)).status, 204);
});

test("403 · a repeated invitation shows no new token for a person who outranks its maker", async () => {
  const [secretary, invited] = [await person("secretary"), await person()];
  const key = newId();
  const first = await inviteAs(secretary, invited.id, key);
  assert.equal(first.status, 201, first.text);
  assert.notEqual(revealed(await inviteAs(secretary, invited.id, key)).token, "");
  assert.equal((await gains["administrative status"]?.(invited.id))?.status, 200);
  const repeated = await inviteAs(secretary, invited.id, key);
  assertForbidden(repeated, "/data/relationships/person");
  await assertOver(revealed(first).token);
  await tokenOf(invited.email);
});

test("403 · rights that end compare with rights of the same length", async () => {
  const [secretary, other] = [await person(), await person()];
  const until = "2900-01-01T00:00:00.000Z";
  const attributes = { "valid-until": until };
  const given = await grant(service, { role: "secretary", personId: secretary.id, attributes });
  assert.equal(given.status, 201);
  assert.equal((await inviteAs(secretary, other.id)).status, 201);
  await grant(service, { role: "secretary", personId: other.id, attributes });
  assert.equal((await inviteAs(secretary, other.id)).status, 201);
  await grant(service, { role: "secretary", personId: other.id });
  assertForbidden(await inviteAs(secretary, other.id), "/data/relationships/person");
});

test("403 · an administrator does not end the tokens of a person who outranks them", async () => {
  const administrator = await person();
  await change(
    administrator.id,
    { "administrative-status": "administrator" },
    account.administrator,
  );
  const [auditor, pastor] = [await person("auditor"), await person("pastor")];
  const revoke = (id: string) =>
    service.post(
      "/v1/access-token-revocations",
      document("access-token-revocations", {}, { relationships: { person: to("people", id) } }),
      { as: administrator.token },
    );
  assertForbidden(await revoke(auditor.id), "/data/relationships/person");
  assert.equal((await revoke(pastor.id)).status, 204);
  assert.equal((await service.get("/v1/people/me", { as: auditor.token })).status, 200);
  assert.equal((await service.get("/v1/people/me", { as: pastor.token })).status, 401);
});

test("403 · a supervisor does not make the leader of a cell a supervisor", async () => {
  const supervisor = await person();
  const sector = await makeCell(db, accountId, { cell_type: "supervision", level: 2 });
  const cell = await makeCell(db, accountId, { parent_id: sector });
  await leads(sector, supervisor.id);
  const as = supervisor.token;
  const raise = () =>
    service.patch(
      `/v1/cells/${cell}`,
      document("cells", { "cell-type": "supervision", "level": 1 }, { id: cell }),
      { as },
    );
  await leads(cell, (await person()).id);
  assertForbidden(await raise(), "/data/attributes/cell-type");
  await db`delete from cell_memberships where account_id = ${accountId} and cell_id = ${cell}`;
  assert.equal((await raise()).status, 200);
});

test("403 · a multiplication gives no cell to lead without the right to appoint", async () => {
  const caller = await person();
  await customRole(
    caller.id,
    "cell-multiplications:write",
    "cell-multiplications:approve",
    "cells:read",
    "people:read",
  );
  const cell = await makeCell(db, accountId);
  await join(db, accountId, cell, caller.id);
  const people = identifiers("people", [caller.id]);
  const as = caller.token;
  const proposed = await service.post(
    "/v1/cell-multiplications",
    document(
      "cell-multiplications",
      { "new-cell": { name: "Second" } },
      { relationships: { "parent-cell": to("cells", cell), "members": people, "leaders": people } },
    ),
    { as },
  );
  assert.equal(proposed.status, 201, proposed.text);
  const { id } = one(proposed);
  const approve = document("cell-multiplications", { status: "approved" }, { id });
  const path = `/v1/cell-multiplications/${id}`;
  assertForbidden(await service.patch(path, approve, { as }), "/data/attributes/status");
  assert.equal((await service.patch(path, approve)).status, 200);
});

test("403 · a coordinator whose role ends while a request waits appoints no teacher", async () => {
  const { classId, courseId } = await makeOpenClass(db, accountId);
  const coordinator = await person();
  const scope = { scopeType: "course", scopeIds: [courseId] };
  await makeAssignment(db, accountId, {
    personId: coordinator.id,
    role: "course-coordinator",
    ...scope,
  });
  const student = await person();
  await makeRow(db, "course_enrollments", accountId, {
    course_id: courseId,
    class_id: classId,
    person_id: student.id,
    status: "active",
  });
  const answer = await meanwhile(
    db,
    (tx) =>
      tx`select from course_classes where account_id = ${accountId} and id = ${classId} for update`,
    () =>
      service.post(
        `/v1/course-classes/${classId}/relationships/teachers`,
        identifiers("people", [student.id]),
        { as: coordinator.token },
      ),
    (tx) => tx`
      delete from role_assignments where account_id = ${accountId} and person_id = ${coordinator.id}`,
  );
  assert.equal(answer.status, 403, answer.text);
  const taught =
    await db`select from course_class_teachers where account_id = ${accountId} and class_id = ${classId}`;
  assert.equal(taught.length, 0);
});
