import type { Db } from "../../src/store/db.ts";
import type { TestAccount } from "../support/make.ts";
import type { Judged } from "./budgets.ts";
import { ServerChild } from "./child.ts";
import { median } from "./routes.ts";

const ORIGIN = "http://localhost";
const COURSES = 5;
const CLASSES = 10;
const STUDENTS = 300;
const LESSONS = 30;
const REPEATS = 30;

/** The attendances of a large course, and a sheet of a whole class. */
export async function benchCourses(
  { databaseUrl, db, say }: { databaseUrl: string; db: Db; say: (line: string) => void },
  account: TestAccount,
): Promise<Judged[]> {
  say(`${COURSES * CLASSES * STUDENTS * LESSONS} attendances of classes …`);
  const course = await addStudies(db, account);
  const service = new ServerChild("./service.ts");
  try {
    await service.start({ databaseUrl, origin: ORIGIN, role: "all" });
    const ask = (path: string, body?: unknown) => request(service, account, path, body);
    return [
      {
        what: "attendances of a course, first page: ms",
        value: await figure(() =>
          ask(`/v1/course-attendances?filter[course]=${course}&page[size]=25`),
        ),
        budget: { below: 60 },
      },
      {
        what: `sheet of ${STUDENTS} students: ms`,
        value: await figure(await sheets(db, account, course, ask)),
        budget: { below: 100 },
      },
    ];
  } finally {
    await service.stop();
  }
}

/** Courses with classes, lessons and sessions. Every student attends all sessions but the last. Returns one course. */
async function addStudies(db: Db, { id }: TestAccount): Promise<string> {
  let course = "";
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    const courses = await tx<{ id: string }[]>`
      insert into courses (account_id, id, name, graduation_mode)
      select ${id}::uuid, history_id(now()), 'Studied ' || n, 'manual' from generate_series(1, ${COURSES}::int) n
      returning id`;
    const ids = courses.map((one) => one.id);
    course = ids[0] ?? "";
    await tx`
      insert into course_lessons (account_id, id, course_id, name, number)
      select ${id}::uuid, history_id(now()), course, 'Lesson ' || n, n
      from unnest(${ids}::uuid[]) course, generate_series(1, ${LESSONS}::int) n`;
    await tx`
      insert into course_classes (account_id, id, course_id, name, status)
      select ${id}::uuid, history_id(now()), course, 'Class ' || n, 'in-progress'
      from unnest(${ids}::uuid[]) course, generate_series(1, ${CLASSES}::int) n`;
    await tx`
      insert into course_enrollments (account_id, id, course_id, class_id, person_id, status)
      select class.account_id, history_id(now()), class.course_id, class.id, person.id, 'active'
      from course_classes class,
        (select id from people where account_id = ${id} order by id limit ${STUDENTS}::int) person
      where class.account_id = ${id} and class.course_id = any(${ids}::uuid[])`;
    await tx`
      insert into course_sessions (account_id, id, course_id, class_id, lesson_id, date)
      select class.account_id, history_id(now()), class.course_id, class.id, lesson.id, current_date - 7 * (${LESSONS}::int - lesson.number)
      from course_classes class
      join course_lessons lesson on lesson.account_id = class.account_id and lesson.course_id = class.course_id
      where class.account_id = ${id} and class.course_id = any(${ids}::uuid[])`;
    await tx`analyze course_sessions, course_enrollments`;
    await tx`
      insert into course_attendances
        (account_id, id, course_id, class_id, session_id, lesson_id, enrollment_id, person_id, date, status)
      select session.account_id, history_id(now()), session.course_id, session.class_id, session.id, session.lesson_id,
        enrollment.id, enrollment.person_id, session.date, 'present'
      from course_sessions session
      join course_enrollments enrollment
        on enrollment.account_id = session.account_id and enrollment.class_id = session.class_id
      where session.account_id = ${id} and session.course_id = any(${ids}::uuid[]) and session.date < current_date`;
  });
  await db`vacuum analyze`;
  return course;
}

/** Sheets of one class after the other. Each of them creates the attendances or changes all. */
async function sheets(
  db: Db,
  { id }: TestAccount,
  course: string,
  ask: (path: string, body?: unknown) => Promise<number>,
): Promise<() => Promise<number>> {
  const classes = await db<{ session: string; enrollments: string[] }[]>`
    select session.id as session, array(
      select id from course_enrollments where account_id = ${id} and class_id = session.class_id) as enrollments
    from course_sessions session
    where session.account_id = ${id} and session.course_id = ${course} and session.date = current_date`;
  let next = 0;
  return () => {
    const { enrollments = [], session } = classes[next % classes.length] ?? {};
    const status = Math.floor(next / classes.length) % 2 === 0 ? "present" : "late";
    next += 1;
    return ask("/v1/course-attendance-sheets", {
      data: {
        type: "course-attendance-sheets",
        attributes: { entries: enrollments.map((one) => ({ "enrollment-id": one, status })) },
        relationships: { session: { data: { type: "course-sessions", id: session } } },
      },
    });
  };
}

async function figure(run: () => Promise<number>): Promise<number> {
  for (let time = 0; time < 5; time += 1) await run();
  const taken: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) taken.push(await run());
  return median(taken);
}

async function request(
  { port }: ServerChild,
  { administrator }: TestAccount,
  path: string,
  body?: unknown,
): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      Origin: ORIGIN,
      Authorization: `Bearer ${administrator.token}`,
      ...(body !== undefined && { "Content-Type": "application/vnd.api+json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const took = performance.now() - startedAt;
  if (!answer.ok) throw new Error(text);
  return took;
}
