import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { makePerson, makeRow } from "../../support/make.ts";
import { codes, ids, many, one, startService, type TestService } from "../../support/service.ts";
import { openPublicArea, visitorOf } from "../../support/visits.ts";

let service: TestService;
let accountId: string;
let courseId: string;
before(async () => {
  service = await startService();
  accountId = service.account.id;
  await openPublicArea(service.db, accountId);
});
after(() => service.stop());
beforeEach(async () => {
  await service.db`delete from courses where account_id = ${service.account.id}`;
  courseId = await makePublicCourse();
});

const get = (path = "") => service.get(`/p/v1/course-classes${path}`, visitorOf(accountId));

type Columns = Parameters<typeof makeRow>[3];

const makePublicCourse = (columns: Columns = {}) =>
  makeRow(service.db, "courses", accountId, { name: "Foundations", is_public: true, ...columns });

const makeClass = (columns: Columns = {}) =>
  makeRow(service.db, "course_classes", accountId, {
    course_id: courseId,
    name: "Autumn, Tuesdays",
    status: "open",
    is_public: true,
    ...columns,
  });

async function addTeacher(classId: string, columns: Record<string, string | boolean> = {}) {
  const { id } = await makePerson(service.db, accountId, { fullName: "Ana Lima Souza" });
  for (const [column, value] of Object.entries(columns))
    await service.db`update people set ${service.db(column)} = ${value} where id = ${id}`;
  await service.db`
    insert into course_class_teachers (account_id, class_id, person_id) values (${accountId}, ${classId}, ${id})`;
}

async function enroll(classId: string, ...statuses: string[]) {
  for (const status of statuses) {
    const { id } = await makePerson(service.db, accountId);
    const columns = { course_id: courseId, class_id: classId, person_id: id, status };
    await makeRow(service.db, "course_enrollments", accountId, columns);
  }
}

test("200 · a class has what a website shows, and nothing else", async () => {
  const id = await makeClass({
    starts: "2027-03-02T22:00:00Z",
    ends: "2027-06-29T23:30:00Z",
    mode: "hybrid",
    location: "Room 3",
    online_url: "https://meet.example/secret",
    time_zone: "America/Sao_Paulo",
    enrollment_closes_at: "2027-03-01T12:00:00Z",
    seats: 20,
  });
  const schedule = [{ "weekday": 2, "starts-at": 1_140, "ends-at": 1_230 }];
  await service.db`update course_classes set schedule = ${JSON.stringify(schedule)}::text::jsonb`;
  const attributes = {
    "course-id": courseId,
    "name": "Autumn, Tuesdays",
    "starts": "2027-03-02T22:00:00.000Z",
    "ends": "2027-06-29T23:30:00.000Z",
    schedule,
    "mode": "hybrid",
    "location": "Room 3",
    "time-zone": "America/Sao_Paulo",
    "enrollment-closes-at": "2027-03-01T12:00:00.000Z",
    "seats-left": "available",
    "teachers": [],
  };
  assert.deepEqual(many(await get())[0]?.attributes, attributes);
  assert.deepEqual(one(await get(`/${id}`)).attributes, attributes);
});

describe("classes that visitors cannot see", () => {
  test("404 · private classes, and classes that are not open", async () => {
    const hidden = [await makeClass({ is_public: false })];
    for (const status of ["draft", "in-progress", "finished", "cancelled"])
      hidden.push(await makeClass({ status }));
    assert.deepEqual(ids(await get()), []);
    for (const id of hidden) assert.deepEqual(codes(await get(`/${id}`)), ["not-found"]);
  });

  test("404 · classes of a course that is private or inactive, and such a course has no open classes", async () => {
    const id = await makeClass();
    assert.equal((await get(`/${id}`)).status, 200);
    for (const columns of [{ is_public: false }, { is_active: false }]) {
      const resource = await makePublicCourse(columns);
      const hidden = await makeClass({ course_id: resource });
      assert.deepEqual(codes(await get(`/${hidden}`)), ["not-found"]);
    }
    assert.deepEqual(ids(await get()), [id]);
  });

  test("200 · a course has open classes if visitors can see one", async () => {
    const hasOpenClasses = async () =>
      one(await service.get(`/p/v1/courses/${courseId}`, visitorOf(accountId))).attributes[
        "has-open-classes"
      ];
    await makeClass({ is_public: false });
    await makeClass({ status: "finished" });
    assert.equal(await hasOpenClasses(), false);
    await makeClass();
    assert.equal(await hasOpenClasses(), true);
  });
});

test("200 · seats-left is available, few from three or a tenth on, and none", async () => {
  const seatsLeft = async (columns: Columns, taken: number) => {
    const id = await makeClass(columns);
    await enroll(id, ...Array.from({ length: taken }, () => "active"));
    return one(await get(`/${id}`)).attributes["seats-left"];
  };
  assert.equal(await seatsLeft({}, 3), "available");
  assert.equal(await seatsLeft({ seats: 5 }, 1), "available");
  assert.equal(await seatsLeft({ seats: 5 }, 2), "few");
  assert.equal(await seatsLeft({ seats: 5 }, 5), "none");
  assert.equal(await seatsLeft({ seats: 2 }, 3), "none");
  assert.equal(await seatsLeft({ seats: 49 }, 44), "available");
  assert.equal(await seatsLeft({ seats: 49 }, 45), "few");
});

test("200 · only active, completed and failed enrollments take a seat", async () => {
  const id = await makeClass({ seats: 1 });
  await enroll(id, "requested", "waitlisted", "withdrawn", "cancelled");
  assert.equal(one(await get(`/${id}`)).attributes["seats-left"], "few");
  await enroll(id, "completed");
  assert.equal(one(await get(`/${id}`)).attributes["seats-left"], "none");
});

test("200 · teachers are named only if the class shows them, and children never", async () => {
  const id = await makeClass();
  await addTeacher(id, { preferred_name: "Nana" });
  await addTeacher(id);
  await addTeacher(id, { is_active: false });
  const [born] = await service.db<{ on: string }[]>`
    select (now() - interval '12 years')::date::text as on`;
  await addTeacher(id, { birthdate: born?.on ?? "" });
  const teachers = async () => one(await get(`/${id}`)).attributes["teachers"];
  assert.deepEqual(await teachers(), []);
  await service.db`update course_classes set show_teachers = true where id = ${id}`;
  assert.deepEqual(await teachers(), ["Ana", "Nana"]);
});

test("200 · classes are found by course and start, and sorted by start", async () => {
  const later = await makeClass({ starts: "2027-09-01T20:00:00Z" });
  const sooner = await makeClass({ starts: "2027-03-01T20:00:00Z" });
  const undated = await makeClass();
  const other = await makePublicCourse();
  const elsewhere = await makeClass({ course_id: other, starts: "2027-05-01T20:00:00Z" });
  assert.deepEqual(ids(await get()), [sooner, elsewhere, later, undated]);
  assert.deepEqual(ids(await get(`?filter[course]=${courseId}`)), [sooner, later, undated]);
  assert.deepEqual(ids(await get("?filter[starts-from]=2027-05-01")), [elsewhere, later]);
  for (const filter of ["teacher", "status"])
    assert.deepEqual(codes(await get(`?filter[${filter}]=open`)), ["unknown-parameter"]);
});
