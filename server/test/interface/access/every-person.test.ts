import assert from "node:assert/strict";
import { after, test } from "node:test";
import { join, makeCell } from "../../support/cells.ts";
import {
  makeAttendance,
  makeClass,
  makeEnrollment,
  makeLesson,
  makeOpenClass,
  makeSession,
} from "../../support/courses.ts";
import {
  makeAssignment,
  makeCourse,
  makePerson,
  makeRow,
  type Member,
} from "../../support/make.ts";
import { type Answer, document, one, startService } from "../../support/service.ts";
import { to } from "../../support/standings.ts";

/** The rights of a person without any role: what every person reads, and what they write for themselves only. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const row = (table: string, columns: Parameters<typeof makeRow>[3]) =>
  makeRow(db, table, account.id, columns);

const course = await makeCourse(db, account.id);
const openClass = () => makeClass(db, account.id, course);
const enrolled = async (person_id: string, status = "active") => {
  const class_id = await openClass();
  const of = { course_id: course, class_id, person_id };
  return {
    ...of,
    enrollment_id: await makeEnrollment(db, account.id, class_id, { ...of, status }),
  };
};
const task = () => row("course_tasks", { course_id: course, name: "Read" });
const membership = async (person_id: string, cell_role = "participant") =>
  row("cell_memberships", { cell_id: await makeCell(db, account.id), person_id, cell_role });
const request = async (person_id: string) =>
  row("cell_join_requests", { cell_id: await makeCell(db, account.id), person_id, source: "self" });

/** The rows of a person, by their type. */
const rowsOf: Readonly<Record<string, (personId: string) => Promise<string> | string>> = {
  "people": (id) => id,
  "cells": async (person_id) => {
    const id = await makeCell(db, account.id);
    await join(db, account.id, id, person_id);
    return id;
  },
  "cell-memberships": membership,
  "cell-join-requests": request,
  "cell-attendances": async (person_id) => {
    const cell_id = await makeCell(db, account.id);
    const date = "2026-03-03";
    const meeting_id = await row("cell_meetings", { cell_id, date });
    return row("cell_attendances", { cell_id, meeting_id, person_id, date, status: "present" });
  },
  "course-sessions": async (person_id) =>
    makeSession(db, account.id, (await enrolled(person_id)).class_id),
  "course-enrollments": async (person_id) => (await enrolled(person_id)).enrollment_id,
  "course-attendances": async (person_id) => {
    const { class_id, enrollment_id } = await enrolled(person_id);
    const session = await makeSession(db, account.id, class_id);
    return makeAttendance(db, account.id, session, { enrollment_id, person_id });
  },
  "course-tasks": async (person_id) => {
    const id = await makeCourse(db, account.id);
    const class_id = await makeClass(db, account.id, id);
    await makeEnrollment(db, account.id, class_id, { person_id });
    return row("course_tasks", { course_id: id, name: "Read" });
  },
  "course-task-completions": async (person_id) =>
    row("course_task_completions", {
      ...(await enrolled(person_id)),
      task_id: await task(),
      text: "A",
    }),
  "role-assignments": (personId) => makeAssignment(db, account.id, { personId, role: "auditor" }),
};

/** The rows that every person reads. */
const rowsOfAll: Readonly<Record<string, () => Promise<string> | string>> = {
  "accounts": () => "me",
  "courses": () => course,
  "course-lessons": () => makeLesson(db, account.id, course, 1),
  "course-requirements": () =>
    row("course_requirements", { course_id: course, kind: "baptized", enforcement: "warn" }),
  "course-classes": openClass,
  "roles": async () => {
    const [role] = await db`select id from roles where account_id = ${account.id} limit 1`;
    return String(role?.["id"]);
  },
};

const person = await makePerson(db, account.id);
const stranger = await makePerson(db, account.id);
const read = (type: string, id: string) => service.get(`/v1/${type}/${id}`, { as: person.token });
const change = (type: string, id: string, attributes: object) =>
  service.patch(`/v1/${type}/${id}`, document(type, { ...attributes }, { id }), {
    as: person.token,
  });
const create = (type: string, relationships: object, attributes: object = {}) =>
  service.post(`/v1/${type}`, { data: { type, attributes, relationships } }, { as: person.token });

for (const [type, make] of Object.entries(rowsOfAll))
  test(`200 · every person reads ${type}`, async () => {
    const answer = await read(type, await make());
    assert.equal(answer.status, 200, answer.text);
  });

for (const [type, make] of Object.entries(rowsOf))
  test(`200 · 404 · a person reads their own ${type}, and no other person's`, async () => {
    const own = await read(type, await make(person.id));
    assert.equal(own.status, 200, own.text);
    assert.equal((await read(type, await make(stranger.id))).status, 404);
  });

test("200 · 404 · a person reads public cells in the reduced form, and no other cell", async () => {
  const { attributes, relationships } = one(
    await read("cells", await makeCell(db, account.id, { is_public: true })),
  );
  assert.equal(attributes["name"], "Vila Mariana");
  assert.deepEqual([attributes["members-count"], relationships], [undefined, undefined]);
  assert.equal((await read("cells", await makeCell(db, account.id))).status, 404);
});

test("404 · a person without a seat reads no sessions of the class, and no person its draft", async () => {
  for (const status of ["requested", "waitlisted", "withdrawn", "cancelled"]) {
    const { class_id } = await enrolled(person.id, status);
    const session = await makeSession(db, account.id, class_id);
    assert.equal((await read("course-sessions", session)).status, 404, status);
  }
  const draft = await makeClass(db, account.id, course, { status: "draft" });
  assert.equal((await read("course-classes", draft)).status, 404);
});

type Write = (of: Member) => Promise<Answer>;

/** The writes that a person may do for themselves, with the response if they try it for another person. */
const writes: readonly (readonly [name: string, own: number, others: number, Write])[] = [
  [
    "change a self-editable attribute",
    200,
    404,
    ({ id }) => change("people", id, { occupation: "Baker" }),
  ],
  [
    "change an attribute of the office",
    403,
    404,
    ({ id }) => change("people", id, { "membership-status": "member" }),
  ],
  [
    "end a membership",
    200,
    404,
    async ({ id }) => change("cell-memberships", await membership(id), { status: "left" }),
  ],
  [
    "lead a cell",
    403,
    404,
    async ({ id }) => change("cell-memberships", await membership(id), { "cell-role": "leader" }),
  ],
  [
    "ask to join a public cell",
    201,
    403,
    async ({ id }) =>
      create("cell-join-requests", {
        cell: to("cells", await makeCell(db, account.id, { is_public: true })),
        person: to("people", id),
      }),
  ],
  [
    "cancel a request",
    200,
    404,
    async ({ id }) => change("cell-join-requests", await request(id), { status: "cancelled" }),
  ],
  [
    "approve a request",
    403,
    404,
    async ({ id }) => change("cell-join-requests", await request(id), { status: "approved" }),
  ],
  [
    "enroll",
    201,
    403,
    async ({ id }) =>
      create("course-enrollments", {
        class: to("course-classes", (await makeOpenClass(db, account.id)).classId),
        person: to("people", id),
      }),
  ],
  [
    "cancel an enrollment",
    200,
    404,
    async ({ id }) =>
      change("course-enrollments", (await enrolled(id, "requested")).enrollment_id, {
        status: "cancelled",
      }),
  ],
  [
    "withdraw",
    200,
    404,
    async ({ id }) =>
      change("course-enrollments", (await enrolled(id)).enrollment_id, { status: "withdrawn" }),
  ],
  [
    "graduate",
    403,
    404,
    async ({ id }) =>
      change("course-enrollments", (await enrolled(id)).enrollment_id, { status: "completed" }),
  ],
  [
    "hand in a task",
    201,
    403,
    async ({ id }) =>
      create(
        "course-task-completions",
        {
          task: to("course-tasks", await task()),
          enrollment: to("course-enrollments", (await enrolled(id)).enrollment_id),
        },
        { text: "A" },
      ),
  ],
];

for (const [name, own, others, write] of writes)
  test(`${own} · ${others} · a person without a role: ${name}`, async () => {
    const answer = await write(person);
    assert.equal(answer.status, own, answer.text);
    const refused = await write(stranger);
    assert.equal(refused.status, others, refused.text);
  });
