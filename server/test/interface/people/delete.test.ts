import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Tx } from "../../../src/store/db.ts";
import {
  makeAssignment,
  makeAccount,
  makeCourse,
  makeEndpoint,
  makePerson,
  makeRow,
} from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  etag,
  eventsOf,
  many,
  one,
  startService,
} from "../../support/service.ts";
import { makeLogin, PASSWORD } from "../../support/sign-in.ts";
import { meanwhile, together, untilWaiting } from "../../support/together.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const remove = (id: string, as?: string) =>
  service.delete(`/v1/people/${id}`, as === undefined ? {} : { as });

test("204 · deleting a person deletes tokens, login, roles and enrollments, and leaves memberships without the person", async () => {
  const login = await makeLogin(db, account, "leaver");
  const { id } = login;
  const course = await makeCourse(db, account.id);
  await db`insert into course_teachers values (${account.id}, ${course}, ${id})`;
  await makeRow(db, "course_enrollments", account.id, { course_id: course, person_id: id });
  const cell = await makeRow(db, "cells", account.id, { name: "North", created_by: id });
  const membership = await makeRow(db, "cell_memberships", account.id, {
    cell_id: cell,
    person_id: id,
    cell_role: "leader",
    joined_on: "2026-01-01",
  });
  await makeAssignment(db, account.id, { personId: id, role: "secretary" });

  const events = await eventsOf(async () => {
    const answer = await remove(id);
    assert.deepEqual([answer.status, answer.text], [204, ""]);
  });
  assert.deepEqual(events, ["person.deleted"]);
  assert.equal((await service.get("/v1/people/me", { as: login.token })).status, 401);
  const authenticated = await service.request("POST", "/authenticate", {
    as: null,
    body: JSON.stringify({ username: login.email, password: PASSWORD, account: account.alias }),
    headers: { "Content-Type": "application/json" },
  });
  assert.equal(authenticated.status, 401);
  for (const type of ["course-enrollments", "role-assignments"])
    assert.equal((await service.get(`/v1/${type}`)).document.meta?.["total"], 0, type);
  const [left] = many(await service.get("/v1/cell-memberships?include=person"));
  assert.deepEqual(
    [left?.id, left?.attributes["status"], left?.relationships["person"]?.data],
    [membership, "left", null],
  );
  const past = { "cell-role": "co-leader", "joined-on": "2025-12-01" };
  const corrected = await service.patch(
    `/v1/cell-memberships/${membership}`,
    document("cell-memberships", past, { id: membership }),
  );
  assert.equal(corrected.status, 200, corrected.text);
  assert.partialDeepStrictEqual(one(corrected).attributes, { ...past, status: "left" });
  const again = { status: "active", "left-on": null, "left-reason": null };
  const refused = await service.patch(
    `/v1/cell-memberships/${membership}`,
    document("cell-memberships", again, { id: membership }),
  );
  assert.deepEqual(codes(refused), ["invalid-transition"]);
  const made = one(await service.get(`/v1/cells/${cell}`));
  assert.deepEqual(made.relationships["created-by"]?.data, { type: "people", id });
  assert.equal((await service.get(`/v1/people/${id}`)).status, 404);
  assert.equal((await remove(id)).status, 404);
});

test("204 · no row names the person except as its author", async () => {
  const { id, token } = await makePerson(db, account.id, { email: "gone@example.org" });
  const cell = await makeRow(db, "cells", account.id, { name: "East" });
  const meeting = await makeRow(db, "cell_meetings", account.id, {
    cell_id: cell,
    date: "2026-01-01",
  });
  await makeRow(db, "cell_attendances", account.id, {
    meeting_id: meeting,
    cell_id: cell,
    person_id: id,
    date: "2026-01-01",
    status: "present",
  });
  await service.patch("/v1/people/me", document("people", { occupation: "x" }, { id }), {
    as: token,
  });
  assert.equal((await remove(id)).status, 204);
  const [kept] =
    await db`select count(*)::int as rows from cell_attendances where meeting_id = ${meeting}`;
  assert.equal(kept?.["rows"], 1);
  await assertNowhere(id);
});

const authors = ["created_by", "modified_by", "granted_by", "changed_by"];

/** The journal keeps the id, also as a link that was cleared, and no value of the person. */
async function assertNowhere(id: string) {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname !~ '^journal_'`;
  for (const { name } of tables) {
    const rows = await db`
      select from ${db(name)} row
      where (to_jsonb(row) - ${authors}::text[])::text like ${`%${id}%`}`;
    assert.equal(rows.length, 0, name);
  }
  const values = await db`
    select from journal
    where account_id = ${account.id} and subject_id = ${id} and changes - 'person' <> '{}'`;
  assert.equal(values.length, 0);
}

const define = (resource: string, fields: Record<string, unknown>, as?: string) =>
  service.patch(
    "/v1/accounts/me",
    document("accounts", { "custom-properties": { [resource]: fields } }, { id: account.id }),
    as === undefined ? {} : { as },
  );
const setValues = (type: string, id: string, values: unknown) =>
  service.patch(`/v1/${type}/${id}`, document(type, { "custom-properties": values }, { id }));

test("204 · custom fields that named the person are cleared", async () => {
  const leaving = await makePerson(db, account.id, { administrativeStatus: "full-administrator" });
  const staying = await makePerson(db, account.id);
  const mentor = { type: "person" };
  await define("people", { mentor, former: mentor, note: { type: "string" } });
  await define("courses", { host: mentor }, leaving.token);
  const [one, other] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  const course = await makeCourse(db, account.id);
  await setValues("people", one.id, { mentor: leaving.id, former: leaving.id, note: "kept" });
  await setValues("people", other.id, { mentor: staying.id, former: leaving.id });
  await setValues("courses", course, { host: leaving.id });
  await define("people", { former: null });
  const stateOf = async (table: string, id: string) =>
    (await db`select version, custom_properties as values from ${db(table)} where id = ${id}`)[0];
  const before = await stateOf("people", staying.id);

  assert.equal((await remove(leaving.id)).status, 204);
  assert.deepEqual((await stateOf("people", one.id))?.["values"], { note: "kept" });
  assert.deepEqual((await stateOf("people", other.id))?.["values"], { mentor: staying.id });
  assert.deepEqual((await stateOf("courses", course))?.["values"], {});
  assert.deepEqual(await stateOf("people", staying.id), before);
  await assertNowhere(leaving.id);
});

test("204 · resources with a link to the person get a new version and modified-at, others do not", async () => {
  const leaving = await makePerson(db, account.id);
  const staying = await makePerson(db, account.id);
  const earlier = { modified_at: "2020-01-01T00:00:00Z" };
  const make = (table: string, columns: Record<string, string>) =>
    makeRow(db, table, account.id, { ...earlier, ...columns });
  const taught = await make("courses", { name: "Taught by both" });
  const completed = await make("courses", { name: "Completed by them" });
  const begun = await make("courses", { name: "Begun by them" });
  const given = await make("course_classes", { course_id: begun, name: "Given by them" });
  const written = await make("cells", {
    name: "Written by them",
    created_by: leaving.id,
    modified_by: staying.id,
  });
  const link = (table: string, id: string, person: string) =>
    db`insert into ${db(table)} values (${account.id}, ${id}, ${person})`;
  for (const { id } of [leaving, staying]) await link("course_teachers", taught, id);
  await link("course_class_teachers", given, leaving.id);
  for (const [course, status] of [
    [completed, "completed"],
    [begun, "active"],
  ] as const)
    await makeRow(db, "course_enrollments", account.id, {
      course_id: course,
      person_id: leaving.id,
      status,
    });
  const holder = await makePerson(db, account.id);
  const assignment = await makeAssignment(db, account.id, { personId: holder.id, role: "pastor" });
  await db`
    update role_assignments set modified_at = ${earlier.modified_at}, granted_by = ${leaving.id}
    where account_id = ${account.id} and id = ${assignment}`;
  await db`
    update accounts set modified_at = ${earlier.modified_at}, created_by = ${leaving.id}
    where id = ${account.id}`;

  const paths = {
    taught: `/v1/courses/${taught}`,
    completed: `/v1/courses/${completed}`,
    given: `/v1/course-classes/${given}`,
    begun: `/v1/courses/${begun}`,
    written: `/v1/cells/${written}`,
    granted: `/v1/role-assignments/${assignment}`,
    account: "/v1/accounts/me",
  };
  const read = async () => {
    const answers = await Promise.all(Object.values(paths).map((path) => service.get(path)));
    return answers.map((answer) => ({
      version: Number(/\d+/.exec(etag(answer))?.[0]),
      modified: one(answer).attributes["modified-at"] as string,
      by: one(answer).relationships["modified-by"]?.data,
    }));
  };
  const before = await read();
  const events = await eventsOf(async () => {
    // The deletion itself does not change the version first.
    const ifMatch = etag(await service.get(`/v1/people/${leaving.id}`));
    const answer = await service.delete(`/v1/people/${leaving.id}`, {
      headers: { "If-Match": ifMatch },
    });
    assert.equal(answer.status, 204);
  });
  assert.deepEqual(events, ["person.deleted"]);
  const after = await read();
  for (const [position, name] of Object.keys(paths).entries()) {
    const [old, young] = [before[position], after[position]];
    const isTouched = ["taught", "completed", "given"].includes(name);
    assert.equal(young?.version, (old?.version ?? 0) + (isTouched ? 1 : 0), name);
    assert.equal(young?.modified === old?.modified, !isTouched, name);
    const deletedBy = { type: "people", id: account.administrator.id };
    assert.deepEqual(young?.by, isTouched ? deletedBy : old?.by, name);
  }
  const since = await service.get("/v1/courses?filter[modified-since]=2021-01-01&include=teachers");
  const found = many(since).find(({ id }) => id === taught);
  assert.deepEqual(found?.relationships["teachers"]?.data, [{ type: "people", id: staying.id }]);
  await assertNowhere(leaving.id);
});

test("204 · clearing a custom field gives its record a new version and modified-by", async () => {
  await define("people", { mentor: { type: "person" } });
  const [leaving, naming] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  assert.equal((await setValues("people", naming.id, { mentor: leaving.id })).status, 200);
  const second = await makePerson(db, account.id, { administrativeStatus: "full-administrator" });
  const long = "2020-01-01T00:00:00.000Z";
  await db`update people set modified_at = ${long} where account_id = ${account.id} and id = ${naming.id}`;
  const before = etag(await service.get(`/v1/people/${naming.id}`));
  assert.equal((await remove(leaving.id, second.token)).status, 204);
  const answer = await service.get(`/v1/people/${naming.id}`);
  assert.equal(Number.parseInt(etag(answer).slice(1)), Number.parseInt(before.slice(1)) + 1);
  assert.notEqual(one(answer).attributes["modified-at"], long);
  assert.deepEqual(one(answer).relationships["modified-by"]?.data, {
    type: "people",
    id: second.id,
  });
});

test("204 · a deletion waits for a concurrent link; 422 · and a link waits for a concurrent deletion", async () => {
  await define("people", { mentor: { type: "person" } });
  const makeTwo = async () => [
    (await makePerson(db, account.id)).id,
    (await makePerson(db, account.id)).id,
  ];
  const hold = (id: string) => (tx: Tx) =>
    tx`select from people where account_id = ${account.id} and id = ${id} for update`;

  const [mentor = "", named = ""] = await makeTwo();
  let removing: ReturnType<typeof remove> | undefined;
  const naming = await meanwhile(
    db,
    hold(named),
    () => setValues("people", named, { mentor }),
    async () => {
      removing = remove(mentor);
      await untilWaiting(db, 2);
    },
  );
  assert.deepEqual([naming.status, (await removing)?.status], [200, 204]);
  await assertNowhere(mentor);

  const [leaving = "", other = ""] = await makeTwo();
  let late: ReturnType<typeof setValues> | undefined;
  const removed = await meanwhile(
    db,
    hold(leaving),
    () => remove(leaving),
    async () => {
      late = setValues("people", other, { mentor: leaving });
      await untilWaiting(db, 2);
    },
  );
  assert.equal(removed.status, 204);
  assert.deepEqual(
    [(await late)?.status, ...codes((await late) as Answer)],
    [422, "invalid-attribute"],
  );
});

test("204 · a deletion waits for a change to the account by the person", async () => {
  const leaving = await makePerson(db, account.id, { administrativeStatus: "administrator" });
  const settings = document("accounts", { acronym: "LAST" }, { id: account.id });
  let removing: ReturnType<typeof remove> | undefined;
  const changed = await meanwhile(
    db,
    (tx) => tx`select from accounts where id = ${account.id} for update`,
    () => service.patch("/v1/accounts/me", settings, { as: leaving.token }),
    async () => {
      removing = remove(leaving.id);
      await untilWaiting(db, 2);
    },
  );
  assert.deepEqual([changed.status, (await removing)?.status], [200, 204]);
  await assertNowhere(leaving.id);
});

test("204 · history keeps nothing of a concurrent change to the person", async () => {
  await makeEndpoint(db, account.id, { events: ["person.updated"] });
  const { id } = await makePerson(db, account.id);
  let removing: ReturnType<typeof remove> | undefined;
  const changed = await meanwhile(
    db,
    (tx) => tx`select from people where account_id = ${account.id} and id = ${id} for update`,
    () => service.patch(`/v1/people/${id}`, document("people", { occupation: "nurse" }, { id })),
    async () => {
      removing = remove(id);
      await untilWaiting(db, 2);
    },
  );
  assert.deepEqual([changed.status, (await removing)?.status], [200, 204]);
  const told = await db`
    select event_type from webhook_events where account_id = ${account.id} and subject_id = ${id}`;
  assert.deepEqual(
    told.map((event) => event["event_type"]),
    ["person.deleted"],
  );
});

test("204 · the history of dependent resources is deleted, and its deliveries are dropped", async () => {
  await makeEndpoint(db, account.id, { events: ["role-assignment.created"] });
  const [leaving, staying] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  const roles = new Map(
    many(await service.get("/v1/roles")).map(({ attributes, id }) => [attributes["code"], id]),
  );
  const assign = async (person: string, role: string) => {
    const link = (type: string, id = "") => ({ data: { type, id } });
    const answer = await service.post(
      "/v1/role-assignments",
      document(
        "role-assignments",
        { "scope-type": "account" },
        {
          relationships: { person: link("people", person), role: link("roles", roles.get(role)) },
        },
      ),
    );
    assert.equal(answer.status, 201, answer.text);
    return one(answer).id;
  };
  const told = async (subject: string) => {
    const [found] = await db<{ event: string; delivery: string }[]>`
      select e.id as event, d.id as delivery from webhook_events e
      join webhook_deliveries d on d.account_id = ${account.id} and d.message_id = e.id
      where e.account_id = ${account.id} and e.subject_id = ${subject}`;
    assert.ok(found);
    return async () => {
      const [event, delivery] = await Promise.all([
        service.get(`/v1/webhook-events/${found.event}`),
        service.get(`/v1/webhook-deliveries/${found.delivery}`),
      ]);
      const waits = await db`
        select from webhook_queue where account_id = ${account.id} and delivery_id = ${found.delivery}`;
      return [event.status, delivery.status, waits.length];
    };
  };
  const theirs = [await assign(leaving.id, "secretary"), await assign(leaving.id, "pastor")];
  const looks = await Promise.all([...theirs, await assign(staying.id, "pastor")].map(told));
  const seen = () => Promise.all(looks.map((look) => look()));
  assert.deepEqual(await seen(), Array(3).fill([200, 200, 1]));

  assert.equal((await remove(leaving.id)).status, 204);
  assert.deepEqual(await seen(), [
    [404, 404, 0],
    [404, 404, 0],
    [200, 200, 1],
  ]);
});

test("409 · a person cannot delete themselves, by id or as me", async () => {
  for (const id of [account.administrator.id, "me"]) {
    const answer = await remove(id);
    assert.deepEqual([answer.status, ...codes(answer)], [409, "deleting-oneself"]);
  }
});

test("409 · two full administrators who delete each other concurrently leave one", async () => {
  const own = await makeAccount(db);
  const second = await makePerson(db, own.id, { administrativeStatus: "full-administrator" });
  const answers = await together(db, own.id, [
    () => remove(own.administrator.id, second.token),
    () => remove(second.id, own.administrator.token),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [204, 409],
  );
  const [row] = await db`select count(*)::int as left from people where account_id = ${own.id}`;
  assert.equal(row?.["left"], 1);
});

test("204 · stored idempotent responses that name the person are deleted", async () => {
  const created = await service.post(
    "/v1/people",
    document("people", { "full-name": "Vera Vanishing" }),
    { headers: { "Idempotency-Key": "vanishing" } },
  );
  assert.equal((await remove(one(created).id)).status, 204);
  const kept = await db`select 1 from idempotency_keys where body like '%Vera Vanishing%'`;
  assert.equal(kept.length, 0);
});
