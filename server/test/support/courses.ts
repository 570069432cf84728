import type { Db } from "../../src/store/db.ts";
import { makeAssignment, makePerson, makeRow, type Member } from "./make.ts";
import { type Answer, document, type TestService } from "./service.ts";

/** Rows of classes for tests. */

type Columns = Parameters<typeof makeRow>[3];

export const makeClass = (
  db: Db,
  accountId: string,
  course_id: string,
  columns: Columns = {},
): Promise<string> =>
  makeRow(db, "course_classes", accountId, {
    course_id,
    name: "Autumn",
    status: "open",
    ...columns,
  });

const courseOf = async (db: Db, accountId: string, classId: string): Promise<string> => {
  const [resource] = await db<{ course_id: string }[]>`
    select course_id from course_classes where account_id = ${accountId} and id = ${classId}`;
  return resource?.course_id ?? "";
};

/** An enrollment of a new person, unless the columns name one. */
export async function makeEnrollment(
  db: Db,
  accountId: string,
  class_id: string,
  columns: Columns = {},
): Promise<string> {
  const person_id = columns["person_id"] ?? (await makePerson(db, accountId)).id;
  const status = "active";
  return makeRow(db, "course_enrollments", accountId, {
    course_id: await courseOf(db, accountId, class_id),
    class_id,
    person_id,
    status,
    ...columns,
  });
}

/** A new person who teaches a class. */
export async function makeTeacher(db: Db, accountId: string, classId: string): Promise<Member> {
  const teacher = await makePerson(db, accountId);
  await db`insert into course_class_teachers values (${accountId}, ${classId}, ${teacher.id})`;
  return teacher;
}

/** A new person who coordinates a course. */
export async function makeCoordinator(
  db: Db,
  accountId: string,
  courseId: string,
): Promise<Member> {
  const coordinator = await makePerson(db, accountId);
  const scope = { scopeType: "course", scopeIds: [courseId] };
  const role = "course-coordinator";
  await makeAssignment(db, accountId, { personId: coordinator.id, role, ...scope });
  return coordinator;
}

/** A new person with an enrollment in a class. */
export async function makeStudent(
  db: Db,
  accountId: string,
  classId: string,
  status = "active",
): Promise<Member> {
  const student = await makePerson(db, accountId);
  await makeEnrollment(db, accountId, classId, { person_id: student.id, status });
  return student;
}

export const makeLesson = (
  db: Db,
  accountId: string,
  course_id: string,
  number: number,
  columns: Columns = {},
): Promise<string> =>
  makeRow(db, "course_lessons", accountId, {
    course_id,
    name: `Lesson ${number}`,
    number,
    ...columns,
  });

export const makeSession = async (
  db: Db,
  accountId: string,
  class_id: string,
  columns: Columns = {},
): Promise<string> =>
  makeRow(db, "course_sessions", accountId, {
    course_id: await courseOf(db, accountId, class_id),
    class_id,
    date: "2027-03-02",
    ...columns,
  });

/** An attendance of an enrollment at a session, with the lesson and the date of the session. */
export async function makeAttendance(
  db: Db,
  accountId: string,
  session_id: string,
  columns: Columns & { enrollment_id: string },
): Promise<string> {
  const [session] = await db<
    { course_id: string; class_id: string; lesson_id: string | null; date: string }[]
  >`
    select course_id, class_id, lesson_id, date::text from course_sessions
    where account_id = ${accountId} and id = ${session_id}`;
  return makeRow(db, "course_attendances", accountId, {
    session_id,
    status: "present",
    ...session,
    ...columns,
  });
}

export interface OpenClass {
  courseId: string;
  classId: string;
}

/** An open class of a new course in which people can enroll themselves. */
export async function makeOpenClass(
  db: Db,
  accountId: string,
  columns: Columns = {},
  course: Columns = {},
): Promise<OpenClass> {
  const courseId = await makeRow(db, "courses", accountId, {
    name: "Foundations",
    enrollment_policy: "open",
    ...course,
  });
  return { courseId, classId: await makeClass(db, accountId, courseId, columns) };
}

export interface Enrolling {
  classId: string;
  personId?: string;
  as?: string;
  attributes?: Record<string, unknown>;
}

/** POST /v1/course-enrollments */
export const enroll = (
  service: TestService,
  { as, attributes = {}, classId, personId }: Enrolling,
): Promise<Answer> =>
  service.post(
    "/v1/course-enrollments",
    document("course-enrollments", attributes, {
      relationships: {
        class: { data: { type: "course-classes", id: classId } },
        ...(personId !== undefined && { person: { data: { type: "people", id: personId } } }),
      },
    }),
    as === undefined ? {} : { as },
  );

/** PATCH /v1/course-enrollments/:id */
export const changeEnrollment = (
  service: TestService,
  id: string,
  attributes: Record<string, unknown>,
  as?: string,
): Promise<Answer> =>
  service.patch(
    `/v1/course-enrollments/${id}`,
    document("course-enrollments", attributes, { id }),
    as === undefined ? {} : { as },
  );
