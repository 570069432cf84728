import type { Db } from "../../src/store/db.ts";
import { makePerson, makeRow, type Member } from "./make.ts";

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

/** An enrollment of a new person, unless the columns name one. */
export async function makeEnrollment(
  db: Db,
  accountId: string,
  class_id: string,
  columns: Columns = {},
): Promise<string> {
  const [of] = await db<{ course_id: string }[]>`
    select course_id from course_classes where account_id = ${accountId} and id = ${class_id}`;
  const person_id = columns["person_id"] ?? (await makePerson(db, accountId)).id;
  const status = "active";
  const { course_id = "" } = of ?? {};
  return makeRow(db, "course_enrollments", accountId, {
    course_id,
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
