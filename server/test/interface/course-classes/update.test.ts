import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeClass, makeEnrollment, makeTeacher, makeCoordinator } from "../../support/courses.ts";
import { makeCourse, makeEndpoint, makePerson } from "../../support/make.ts";
import {
  type Answer,
  document,
  eventsOf,
  identifiers,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["course-class.started"] });
const course = await makeCourse(db, account.id);
const make = (columns: Parameters<typeof makeClass>[3] = {}) =>
  makeClass(db, account.id, course, columns);

const change = (
  id: string,
  attributes: Record<string, unknown>,
  { as, teachers }: { as?: string; teachers?: string[] } = {},
): Promise<Answer> =>
  service.patch(
    `/v1/course-classes/${id}`,
    document("course-classes", attributes, {
      id,
      ...(teachers && { relationships: { teachers: identifiers("people", teachers) } }),
    }),
    as ? { as } : {},
  );

const statuses = ["draft", "open", "in-progress", "finished", "cancelled"];
const rows: Record<string, Record<string, string>> = {
  "draft": { "open": "course-class.updated", "cancelled": "course-class.updated" },
  "open": {
    "draft": "course-class.updated",
    "in-progress": "course-class.started",
    "cancelled": "course-class.updated",
  },
  "in-progress": { "finished": "course-class.finished", "cancelled": "course-class.updated" },
  "finished": { "in-progress": "course-class.started" },
  "cancelled": {},
};

for (const [from, to] of Object.entries(rows))
  test(`status · ${from} becomes ${Object.keys(to).join(", ") || "nothing else"}`, async () => {
    for (const status of statuses) {
      const id = await make({ status: from });
      const answers: Answer[] = [];
      const told = await eventsOf(async () => {
        answers.push(await change(id, { status, location: status === from ? null : "Room 4" }));
      });
      const [answer] = answers;
      if (status === from) assert.deepEqual([answer?.status, told], [200, []], status);
      else if (to[status]) assert.deepEqual([answer?.status, told], [200, [to[status]]], status);
      else {
        assert.deepEqual([answer?.status, told], [409, []], status);
        assert.partialDeepStrictEqual(answer?.document.errors?.[0], {
          code: "invalid-transition",
          source: { pointer: "/data/attributes/status" },
          meta: { from, to: status, allowed: Object.keys(to) },
        });
      }
    }
  });

test("200 · the snapshot of an event shows the class as it became", async () => {
  const id = await make();
  await change(id, { status: "in-progress", seats: 12 });
  const [event] = await db<{ type: string; snapshot: string; names: string[] | null }[]>`
    select event_type as type, snapshot::text, changed_fields as names from webhook_events
    where account_id = ${account.id} and subject_id = ${id}`;
  assert.equal(event?.type, "course-class.started");
  assert.equal(event?.names, null);
  assert.partialDeepStrictEqual(JSON.parse(event?.snapshot ?? ""), {
    id,
    attributes: { status: "in-progress", seats: 12 },
  });
});

test("422 · a schedule that overlaps itself, and an end before the start that is stored", async () => {
  const id = await make({ starts: "2027-03-02T22:00:00Z" });
  const slot = { "weekday": 1, "starts-at": 0, "ends-at": 60 };
  const twice = await change(id, { schedule: [slot, slot] });
  assert.deepEqual([twice.status, ...pointers(twice)], [422, "/data/attributes/schedule/1"]);
  const early = await change(id, { ends: "2027-03-01T22:00:00Z" });
  assert.deepEqual([early.status, ...pointers(early)], [422, "/data/attributes/ends"]);
});

test("403 · a teacher changes their class, but not its teachers", async () => {
  const id = await make();
  const { id: teacher, token: as } = await makeTeacher(db, account.id, id);
  const { id: other } = await makePerson(db, account.id);
  assert.equal((await change(id, { name: "Renamed" }, { as })).status, 200);
  // Many clients send whole resources.
  const same = await change(id, { location: "Room 5" }, { as, teachers: [teacher] });
  assert.equal(same.status, 200, same.text);
  for (const teachers of [[other], []]) {
    const answer = await change(id, { name: "Not stored" }, { as, teachers });
    assert.deepEqual([answer.status, ...pointers(answer)], [403, "/data/relationships/teachers"]);
  }
  const route = `/v1/course-classes/${id}/relationships/teachers`;
  for (const method of ["POST", "PATCH", "DELETE"]) {
    const body = identifiers("people", [teacher]);
    const answer = await service.request(method, route, { as, body });
    assert.deepEqual([answer.status, ...pointers(answer)], [403, "/data"], method);
  }
  const { attributes, relationships } = one(await service.get(`/v1/course-classes/${id}`));
  assert.equal(attributes["name"], "Renamed");
  assert.deepEqual(relationships["teachers"]?.data, [{ type: "people", id: teacher }]);
});

test("200 · a coordinator of the course changes teachers, who gain and lose their rights at once", async () => {
  const id = await make();
  const coordinator = await makeCoordinator(db, account.id, course);
  const person = await makePerson(db, account.id);
  // A coordinator reads the people of the course.
  await makeEnrollment(db, account.id, id, { person_id: person.id });
  const as = coordinator.token;
  const teacher = { data: [{ type: "people", id: person.id }] };
  const route = `/v1/course-classes/${id}/relationships/teachers`;
  const told = await eventsOf(async () => {
    const answer = await service.post(route, teacher, { as });
    assert.equal(answer.status, 200, answer.text);
  });
  assert.deepEqual(told, ["course-class.updated"]);
  const byTeacher = (name: string) => change(id, { name }, { as: person.token });
  assert.equal((await byTeacher("Mine")).status, 200);
  assert.equal((await change(id, {}, { as, teachers: [] })).status, 200);
  assert.equal((await byTeacher("Still mine")).status, 403);
});

const statusOf = async (enrollment: string) =>
  one(await service.get(`/v1/course-enrollments/${enrollment}`)).attributes["status"];
/** A class with one seat, which is taken, and three people who wait, in this order. */
const fullClass = async (columns: Parameters<typeof makeClass>[3] = {}) => {
  const id = await make({ seats: 1, ...columns });
  await makeEnrollment(db, account.id, id);
  const waiting: string[] = [];
  for (let position = 0; position < 3; position += 1)
    waiting.push(await makeEnrollment(db, account.id, id, { status: "waitlisted" }));
  return { id, waiting };
};
const statusesOf = (enrollments: string[]) => Promise.all(enrollments.map(statusOf));

test("200 · each new seat passes to the enrollment that has waited longest", async () => {
  const { id, waiting } = await fullClass();
  const told = await eventsOf(async () => {
    const answer = await change(id, { seats: 3 });
    assert.equal(answer.status, 200, answer.text);
    assert.partialDeepStrictEqual(one(answer).attributes, {
      "seats-taken": 3,
      "waitlist-count": 1,
    });
    assert.equal(one(answer).relationships["students"]?.meta?.["total"], 3);
  });
  assert.deepEqual(told, [
    "course-class.updated",
    "course-enrollment.updated",
    "course-enrollment.updated",
  ]);
  assert.deepEqual(await statusesOf(waiting), ["active", "active", "waitlisted"]);
});

test("200 · a class without a limit admits every waiting person, and fewer seats remove no enrollment", async () => {
  const { id, waiting } = await fullClass();
  await change(id, { seats: null });
  assert.deepEqual(await statusesOf(waiting), ["active", "active", "active"]);
  const answer = await change(id, { seats: 2 });
  assert.equal(one(answer).attributes["seats-taken"], 4);
});

test("200 · a finished class admits people only when it continues", async () => {
  const { id, waiting } = await fullClass({ status: "finished" });
  await change(id, { seats: 2 });
  assert.deepEqual(await statusesOf(waiting), ["waitlisted", "waitlisted", "waitlisted"]);
  await change(id, { status: "in-progress" });
  assert.deepEqual(await statusesOf(waiting), ["active", "waitlisted", "waitlisted"]);
});

test("200 · parallel changes of the seats admit each person once", async () => {
  const { id, waiting } = await fullClass();
  const told = await eventsOf(async () => {
    const answers = await Promise.all([2, 3, 4].map((seats) => change(id, { seats })));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
  });
  const admitted = (await statusesOf(waiting)).filter((status) => status === "active");
  assert.equal(told.filter((type) => type === "course-enrollment.updated").length, admitted.length);
  const { attributes } = one(await service.get(`/v1/course-classes/${id}`));
  assert.equal(attributes["seats-taken"], 1 + admitted.length);
});
