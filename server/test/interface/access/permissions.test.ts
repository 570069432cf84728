import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeAssignment, makeCourse, makePerson, makeRow } from "../../support/make.ts";
import { type Answer, codes, document, ids, startService } from "../../support/service.ts";

/** A table of acts and the roles that may do them. Every other role is rejected. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const ownCourse = await makeCourse(db, account.id, "Own");
const ownClass = await makeRow(db, "course_classes", account.id, {
  course_id: ownCourse,
  name: "Own",
});
await makeRow(db, "course_lessons", account.id, { course_id: ownCourse, name: "One", number: 1 });
await makeRow(db, "course_requirements", account.id, { course_id: ownCourse, kind: "baptized" });
const draft = await makeRow(db, "course_materials", account.id, {
  course_id: ownCourse,
  title: "Draft",
});
const ownCell = await makeRow(db, "cells", account.id, { name: "Own" });

const standings = [
  "full administrator",
  "administrator",
  "pastor",
  "secretary",
  "course coordinator",
  "teacher",
  "teacher of all classes",
  "cell leader",
  "cell trainee",
  "form manager",
  "auditor",
  "member",
] as const;
type Standing = (typeof standings)[number];

async function holding(role: string, scope: { scopeType?: string; scopeIds?: string[] } = {}) {
  const { id, token } = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: id, role, ...scope });
  return { id, token };
}
const teacher = await makePerson(db, account.id);
await db`insert into course_class_teachers values (${account.id}, ${ownClass}, ${teacher.id})`;
const leader = await makePerson(db, account.id);
await makeRow(db, "cell_memberships", account.id, {
  cell_id: ownCell,
  person_id: leader.id,
  cell_role: "co-leader",
});

const people: Record<Standing, { id: string; token: string }> = {
  "full administrator": account.administrator,
  "administrator": await makePerson(db, account.id, { administrativeStatus: "administrator" }),
  "pastor": await holding("pastor"),
  "secretary": await holding("secretary"),
  "course coordinator": await holding("course-coordinator", {
    scopeType: "course",
    scopeIds: [ownCourse],
  }),
  "teacher": teacher,
  "teacher of all classes": await holding("teacher"),
  "cell leader": leader,
  "cell trainee": await holding("cell-trainee", { scopeType: "cell", scopeIds: [ownCell] }),
  "form manager": await holding("form-manager"),
  "auditor": await holding("auditor"),
  "member": await makePerson(db, account.id),
};

const staff = ["full administrator", "administrator", "pastor"] as const;
const office = [...staff, "secretary"] as const;
/** Teachers of all classes hold `people:read` for the whole account. */
const readers = [...office, "teacher of all classes"] as const;

const patch = (type: string, id: string, attributes: Record<string, unknown>, as: string) =>
  service.patch(`/v1/${type}/${id}`, document(type, attributes, { id }), { as });
const patchSomebody = async (attributes: Record<string, unknown>, as: string) =>
  patch("people", (await makePerson(db, account.id)).id, attributes, as);
const [preset] = await db<{ id: string }[]>`
  select id from roles where account_id = ${account.id} and code = 'member'`;

type Act = (as: string) => Promise<Answer>;

/** A rejection is 403, or 404 if the caller cannot see the resource that the act is about (`sees`). */
const acts: [what: string, act: Act, allowed: readonly Standing[], sees?: readonly Standing[]][] = [
  [
    "webhook endpoints",
    (as) => service.get("/v1/webhook-endpoints", { as }),
    ["full administrator"],
  ],
  [
    "the settings of the account",
    (as) => patch("accounts", account.id, { settings: { lang: "pt" } }, as),
    ["full administrator", "administrator"],
  ],
  [
    "definitions of custom properties",
    (as) => {
      const people = { [`f-${newId()}`]: { type: "string" } };
      return patch("accounts", account.id, { "custom-properties": { people } }, as);
    },
    ["full administrator"],
  ],
  [
    "administrative status",
    (as) => patchSomebody({ "administrative-status": "administrator" }, as),
    ["full administrator"],
    readers,
  ],
  [
    "a role of the account",
    (as) => service.post("/v1/roles", document("roles", { name: newId() }), { as }),
    ["full administrator", "administrator"],
  ],
  [
    "giving somebody a role",
    (as) =>
      service.post(
        "/v1/role-assignments",
        document(
          "role-assignments",
          { "scope-type": "account" },
          {
            relationships: {
              role: { data: { type: "roles", id: preset?.id } },
              person: { data: { type: "people", id: account.administrator.id } },
            },
          },
        ),
        { as },
      ),
    staff,
  ],
  [
    "deleting a role of the account",
    async (as) =>
      service.delete(`/v1/roles/${await makeRow(db, "roles", account.id, { name: newId() })}`, {
        as,
      }),
    ["full administrator", "administrator"],
  ],
  [
    "taking a role from somebody",
    async (as) => {
      const { id } = await makePerson(db, account.id);
      const given = await makeAssignment(db, account.id, { personId: id, role: "member" });
      return service.delete(`/v1/role-assignments/${given}`, { as });
    },
    staff,
    // Coordinators take roles in their course. They do not know of others.
    standings.filter((one) => one !== "course coordinator"),
  ],
  [
    "making a person",
    (as) => service.post("/v1/people", document("people", { "full-name": "New" }), { as }),
    [...office, "cell leader"],
  ],
  ["changing a person", (as) => patchSomebody({ occupation: "Baker" }, as), office, readers],
  ["deactivating a person", (as) => patchSomebody({ "is-active": false }, as), office, readers],
  [
    "deleting a person",
    async (as) => service.delete(`/v1/people/${(await makePerson(db, account.id)).id}`, { as }),
    ["full administrator"],
  ],
  [
    "making a course",
    (as) => service.post("/v1/courses", document("courses", { name: "New" }), { as }),
    staff,
  ],
  [
    "changing a course",
    async (as) => patch("courses", await makeCourse(db, account.id), { name: "Changed" }, as),
    staff,
  ],
  [
    "changing the coordinator's course",
    (as) => patch("courses", ownCourse, { name: newId() }, as),
    [...staff, "course coordinator"],
  ],
  [
    "deleting a course",
    async (as) => service.delete(`/v1/courses/${await makeCourse(db, account.id)}`, { as }),
    ["full administrator", "administrator"],
  ],
  [
    "reading a draft of a material",
    (as) => service.get(`/v1/course-materials/${draft}`, { as }),
    [...staff, "course coordinator", "teacher of all classes"],
    [],
  ],
];

for (const [what, act, allowed, sees = standings] of acts)
  test(`403 · ${what}: only for ${allowed.join(", ")}`, async () => {
    for (const standing of standings) {
      const { status, text } = await act(people[standing].token);
      const refusal = sees.includes(standing) ? 403 : 404;
      if (allowed.includes(standing)) assert.ok(status < 300, `${standing} ${text}`);
      else assert.equal(status, refusal, `${standing} ${text}`);
    }
  });

test("200 · every person reads the account, courses, lessons, requirements and roles", async () => {
  for (const type of ["accounts", "courses", "course-lessons", "course-requirements", "roles"]) {
    const all = ids(await service.get(`/v1/${type}`)).toSorted();
    assert.ok(all.length > 0, type);
    for (const standing of standings) {
      const answer = await service.get(`/v1/${type}`, { as: people[standing].token });
      assert.deepEqual(ids(answer).toSorted(), all, `${type} ${standing}`);
    }
  }
});

test("200 · people, enrollments, memberships and assignments are limited to the caller's scope", async () => {
  const elsewhere = await makeCourse(db, account.id, "Elsewhere");
  const otherCell = await makeRow(db, "cells", account.id, { name: "Elsewhere" });
  const otherClass = await makeRow(db, "course_classes", account.id, {
    course_id: elsewhere,
    name: "Elsewhere",
  });
  const enrolled = (person_id: string, course_id: string, class_id: string) =>
    makeRow(db, "course_enrollments", account.id, { person_id, course_id, class_id });
  const joined = (person_id: string, cell_id: string) =>
    makeRow(db, "cell_memberships", account.id, { person_id, cell_id });
  const { id: somebody } = await makePerson(db, account.id);
  const inClass = await enrolled(somebody, ownCourse, ownClass);
  const besideClass = await makeRow(db, "course_classes", account.id, {
    course_id: ownCourse,
    name: "Beside",
  });
  const inCourse = await enrolled(account.administrator.id, ownCourse, besideClass);
  const inCell = await joined(somebody, ownCell);
  for (const standing of standings) {
    const { id, token: as } = people[standing];
    const mine = {
      enrollment: await enrolled(id, elsewhere, otherClass),
      membership: await joined(id, otherCell),
    };
    const seen = async (type: string) =>
      new Set(ids(await service.get(`/v1/${type}?sort=-created-at`, { as })));
    const enrollments = await seen("course-enrollments");
    const memberships = await seen("cell-memberships");
    assert.ok(enrollments.has(mine.enrollment) && memberships.has(mine.membership), standing);
    const everywhere = office.some((one) => one === standing);
    const [coordinates, teaches] = [standing === "course coordinator", standing === "teacher"];
    const everyClass = everywhere || standing === "teacher of all classes";
    assert.equal(enrollments.has(inClass), everyClass || coordinates || teaches, standing);
    assert.equal(enrollments.has(inCourse), everyClass || coordinates, standing);
    const inTheCell = standing === "cell leader" || standing === "cell trainee";
    assert.equal(memberships.has(inCell), everywhere || inTheCell, standing);
    const reaches = everyClass || coordinates || teaches || standing === "cell leader";
    assert.equal((await seen("people")).has(somebody), reaches, standing);
    const assignments = await service.get("/v1/role-assignments?include=person", { as });
    const holders = new Set(assignments.document.included?.map((one) => one.id));
    holders.delete(id);
    assert.equal(holders.size > 0, everywhere, standing);
  }
});

test("403 · a missing permission comes before validation and existence", async () => {
  const as = people["member"].token;
  for (const type of ["courses", "people", "roles", "role-assignments"]) {
    const created = await service.post(`/v1/${type}`, document(type, { nonsense: 1 }), { as });
    assert.deepEqual([created.status, ...codes(created)], [403, "forbidden"], type);
    for (const id of [newId(), "x"]) {
      const deleted = await service.delete(`/v1/${type}/${id}`, { as });
      assert.deepEqual([deleted.status, ...codes(deleted)], [403, "forbidden"], `${type} ${id}`);
    }
  }
});
