import { after } from "node:test";
import { makeClass, makeEnrollment, makeSession } from "../../support/courses.ts";
import { makeCourse, makeRow, type Member } from "../../support/make.ts";
import { document, startService } from "../../support/service.ts";
import { type Act, makeStage, testTable } from "../../support/standings.ts";

/** The table of rights of the interface, for attendances, tasks and the work of students. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { places } = stage;

const to = (type: string, id: string) => ({ data: { type, id } });
const read =
  (type: string, make: (by: Member) => Promise<string>): Act =>
  async (by) =>
    service.get(`/v1/${type}/${await make(by)}`, { as: by.token });
const change =
  (type: string, make: (by: Member) => Promise<string>, attributes: Record<string, unknown>): Act =>
  async (by) => {
    const id = await make(by);
    return service.patch(`/v1/${type}/${id}`, document(type, attributes, { id }), { as: by.token });
  };
const remove =
  (type: string, make: (by: Member) => Promise<string>): Act =>
  async (by) =>
    service.delete(`/v1/${type}/${await make(by)}`, { as: by.token });

/** Classes beside those of the stage: of the same course, and of another one. */
const farCourse = await makeCourse(db, account.id);
const siblingClass = await makeClass(db, account.id, places.course);
const farClass = await makeClass(db, account.id, farCourse);
const own = places.courseClass;

const enroll = async (class_id: string, student?: Member): Promise<string> =>
  makeEnrollment(db, account.id, class_id, { ...(student && { person_id: student.id }) });
const ofClass = async (class_id: string, enrollment: string) => {
  const [row] = await db<{ course_id: string; person_id: string }[]>`
    select course_id, person_id from course_enrollments where account_id = ${account.id} and id = ${enrollment}`;
  return { course_id: "", person_id: "", ...row, class_id, enrollment_id: enrollment };
};

const attendanceIn = (class_id: string) => async (student?: Member) =>
  makeRow(db, "course_attendances", account.id, {
    ...(await ofClass(class_id, await enroll(class_id, student))),
    session_id: await makeSession(db, account.id, class_id),
    date: "2026-03-03",
    status: "present",
  });
const anothers = (make: (student?: Member) => Promise<string>) => () => make();
const record =
  (class_id: string): Act =>
  async ({ token: as }) => {
    const session = to("course-sessions", await makeSession(db, account.id, class_id));
    const enrollment = to("course-enrollments", await enroll(class_id));
    const body = document(
      "course-attendances",
      { status: "present" },
      { relationships: { session, enrollment } },
    );
    return service.post("/v1/course-attendances", body, { as });
  };
const sheet =
  (class_id: string): Act =>
  async ({ token: as }) => {
    const entries = [{ "enrollment-id": await enroll(class_id), "status": "present" }];
    const session = to("course-sessions", await makeSession(db, account.id, class_id));
    const body = document("course-attendance-sheets", { entries }, { relationships: { session } });
    return service.post("/v1/course-attendance-sheets", body, { as });
  };
const sheetIn = (class_id: string) => async () => {
  const { course_id } = await ofClass(class_id, await enroll(class_id));
  const session_id = await makeSession(db, account.id, class_id);
  const counts = { recorded_count: 1, changed_count: 1 };
  const columns = { course_id, class_id, session_id, ...counts };
  return makeRow(db, "course_attendance_sheets", account.id, columns);
};

const taskOf = (course_id: string) => () =>
  makeRow(db, "course_tasks", account.id, { course_id, name: "Read" });
const addTask =
  (course: string): Act =>
  async ({ token: as }) => {
    const relationships = { course: to("courses", course) };
    const body = document("course-tasks", { name: "Read" }, { relationships });
    return service.post("/v1/course-tasks", body, { as });
  };

const completionIn = (class_id: string) => async (student?: Member) => {
  const { course_id, ...enrolled } = await ofClass(class_id, await enroll(class_id, student));
  const task_id = await taskOf(course_id)();
  const columns = { ...enrolled, course_id, task_id, text: "My answer" };
  return makeRow(db, "course_task_completions", account.id, columns);
};
const handIn =
  (class_id: string, isOwn: boolean): Act =>
  async (by) => {
    const enrollment = await enroll(class_id, isOwn ? by : undefined);
    const { course_id } = await ofClass(class_id, enrollment);
    const relationships = {
      task: to("course-tasks", await taskOf(course_id)()),
      enrollment: to("course-enrollments", enrollment),
    };
    const body = document("course-task-completions", { text: "A" }, { relationships });
    const answer = await service.post("/v1/course-task-completions", body, { as: by.token });
    // A person has one current enrollment in a class.
    await db`
      update course_enrollments set status = 'withdrawn' where account_id = ${account.id} and id = ${enrollment}`;
    return answer;
  };
const accepted = { status: "accepted" };
const withdrawing =
  (act: Act): Act =>
  async (by, standing) => {
    const answer = await act(by, standing);
    await db`
      update course_enrollments set status = 'withdrawn'
      where account_id = ${account.id} and person_id = ${by.id}`;
    return answer;
  };

// full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, coordinator, teacher, member
testTable(stage, [
  [
    "read an attendance of the class",
    "+ + + + 4 4 4 + + 4",
    read("course-attendances", anothers(attendanceIn(own))),
  ],
  [
    "read an attendance of another class of the course",
    "+ + + + 4 4 4 + 4 4",
    read("course-attendances", anothers(attendanceIn(siblingClass))),
  ],
  [
    "read an attendance of another course",
    "+ + + + 4 4 4 4 4 4",
    read("course-attendances", anothers(attendanceIn(farClass))),
  ],
  [
    "read one's own attendance",
    "+ + + + + + + + + +",
    withdrawing(read("course-attendances", attendanceIn(farClass))),
  ],
  ["record an attendance in the class", "+ + + 3 3 3 3 + + 3", record(own)],
  [
    "record an attendance in another class of the course",
    "+ + + 3 3 3 3 + 3 3",
    record(siblingClass),
  ],
  ["record an attendance in another course", "+ + + 3 3 3 3 3 3 3", record(farClass)],
  [
    "correct an attendance of the class",
    "+ + + 3 3 3 3 + + 3",
    change("course-attendances", anothers(attendanceIn(own)), { status: "absent" }),
  ],
  [
    "correct one's own attendance",
    "+ + + 3 3 3 3 3 3 3",
    withdrawing(change("course-attendances", attendanceIn(farClass), { status: "online" })),
  ],
  [
    "delete an attendance of the class",
    "+ + + 3 3 3 3 + + 3",
    remove("course-attendances", anothers(attendanceIn(own))),
  ],
  ["record a sheet of the class", "+ + + 3 3 3 3 + + 3", sheet(own)],
  ["record a sheet of another course", "+ + + 3 3 3 3 3 3 3", sheet(farClass)],
  [
    "read a sheet of the class",
    "+ + + + 3 3 3 + + 3",
    read("course-attendance-sheets", sheetIn(own)),
  ],
  [
    "read a sheet of another course",
    "+ + + + 3 3 3 4 4 3",
    read("course-attendance-sheets", sheetIn(farClass)),
  ],

  ["read a task of the course", "+ + + 4 4 4 4 + + 4", read("course-tasks", taskOf(places.course))],
  ["read a task of another course", "+ + + 4 4 4 4 4 4 4", read("course-tasks", taskOf(farCourse))],
  ["add a task to the course", "+ + + 3 3 3 3 + 3 3", addTask(places.course)],
  ["add a task to another course", "+ + + 3 3 3 3 3 3 3", addTask(farCourse)],
  [
    "change a task of the course",
    "+ + + 3 3 3 3 + 3 3",
    change("course-tasks", taskOf(places.course), { points: 5 }),
  ],
  [
    "delete a task of the course",
    "+ + + 3 3 3 3 + 3 3",
    remove("course-tasks", taskOf(places.course)),
  ],

  ["hand in one's own work", "+ + + + + + + + + +", handIn(farClass, true)],
  ["hand in for a student of the class", "+ + + 3 3 3 3 + + 3", handIn(own, false)],
  ["hand in for a student of another course", "+ + + 3 3 3 3 3 3 3", handIn(farClass, false)],
  [
    "read work of the class",
    "+ + + 4 4 4 4 + + 4",
    read("course-task-completions", anothers(completionIn(own))),
  ],
  [
    "review work of the class",
    "+ + + 4 4 4 4 + + 4",
    change("course-task-completions", anothers(completionIn(own)), accepted),
  ],
  [
    "review work of another course",
    "+ + + 4 4 4 4 4 4 4",
    change("course-task-completions", anothers(completionIn(farClass)), accepted),
  ],
  [
    "review one's own work",
    "+ + + 3 3 3 3 3 3 3",
    withdrawing(change("course-task-completions", completionIn(farClass), accepted)),
  ],
  [
    "change one's own work",
    "+ + + + + + + + + +",
    withdrawing(change("course-task-completions", completionIn(farClass), { text: "B" })),
  ],
  [
    "delete work of the class",
    "+ + + 3 3 3 3 + + 3",
    remove("course-task-completions", anothers(completionIn(own))),
  ],
]);
