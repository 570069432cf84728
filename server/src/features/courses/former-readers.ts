/** The classes and students that read a row of a course, as SQL for the feed of changes. `row` is the alias of the row. */

export const classesOf = (row: string): string =>
  `array(select class.id from course_classes class
    where class.account_id = ${row}.account_id and class.course_id = ${row}.course_id)`;

export const studentsOf = (row: string, where = "true"): string =>
  `array(select student.person_id from course_enrollments student
    where student.account_id = ${row}.account_id and student.course_id = ${row}.course_id
      and is_student(student.status) and ${where})`;

/** A material can belong to one class. */
export const studentsOfMaterial = (row: string): string =>
  studentsOf(row, `(${row}.class_id is null or student.class_id = ${row}.class_id)`);

export const isForClasses = (row: string): string =>
  `${row}.class_id is null and ${row}.publish_status <> 'draft'`;

export const isForStudents = (row: string): string =>
  `${row}.audience = 'student' and ${row}.publish_status <> 'draft'`;
