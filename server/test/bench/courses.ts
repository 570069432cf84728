import { storeProgress } from "../../src/features/courses/enrollments/progress.ts";
import type { Db } from "../../src/store/db.ts";
import { makeAssignment, makePerson, type TestAccount } from "../support/make.ts";
import type { Judged } from "./budgets.ts";
import { ServerChild } from "./child.ts";
import { median } from "./routes.ts";

const ORIGIN = "http://localhost";
const COURSES = 2;
const CLASSES = 34;
/** The students of a class. A course has 10,200. */
const STUDENTS = 300;
const LESSONS = 30;
const REPEATS = 30;

/** The enrollments and attendances of a large course, and a sheet of a whole class. */
export async function benchCourses(
  { databaseUrl, db, say }: { databaseUrl: string; db: Db; say: (line: string) => void },
  account: TestAccount,
): Promise<Judged[]> {
  say(`${COURSES * CLASSES * STUDENTS * LESSONS} attendances of classes …`);
  const course = await addStudies(db, account);
  const service = new ServerChild("./service.ts");
  try {
    await service.start({ databaseUrl, origin: ORIGIN, role: "all" });
    const { token } = account.administrator;
    const ask = (path: string, body?: unknown) => request(service, token, path, body);
    const coordinator = await addCoordinator(db, account, course);
    const enrollments = `/v1/course-enrollments?filter[course]=${course}&include=person&page[size]=25`;
    const page = async (what: string, path: string, reader = token): Promise<Judged> => ({
      what: `${what}, first page: ms`,
      value: await figure(() => request(service, reader, path)),
      budget: { below: 60 },
    });
    return [
      await page("enrollments of a course with 10,200", enrollments),
      await page("the same by progress", `${enrollments}&sort=-progress`),
      await page("the same for its coordinator", `${enrollments}&sort=-progress`, coordinator),
      await page(
        "attendances of a course",
        `/v1/course-attendances?filter[course]=${course}&page[size]=25`,
      ),
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

async function addCoordinator(db: Db, { id }: TestAccount, course: string): Promise<string> {
  const coordinator = await makePerson(db, id);
  await makeAssignment(db, id, {
    personId: coordinator.id,
    role: "course-coordinator",
    scopeType: "course",
    scopeIds: [course],
  });
  return coordinator.token;
}

/** Courses with classes, lessons and sessions. The last session has no attendances yet. Returns one course. */
async function addStudies(db: Db, { administrator, id }: TestAccount): Promise<string> {
  let course = "";
  await db.begin(undefined, async (tx) => {
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
      select ${id}::uuid, history_id(now()), class.course_id, class.id, person.id, 'active'
      from (
        select course_id, id, row_number() over (partition by course_id order by id) as number from course_classes
        where account_id = ${id} and course_id = any(${ids}::uuid[])
      ) class
      join (
        select id, 1 + (row_number() over (order by id) - 1) / ${STUDENTS}::int as number from people
        where account_id = ${id}
      ) person on person.number = class.number`;
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
        enrollment.id, enrollment.person_id, session.date,
        case when abs(hashtext(session.id::text || enrollment.id)) % 10 < 8 then 'present' else 'absent' end
      from course_sessions session
      join course_enrollments enrollment
        on enrollment.account_id = session.account_id and enrollment.class_id = session.class_id
      where session.account_id = ${id} and session.course_id = any(${ids}::uuid[]) and session.date < current_date`;
    await tx`analyze course_attendances`;
    for (const courseId of ids)
      await storeProgress({ accountId: id, actorId: administrator.id, db: tx }, { courseId });
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
  token: string,
  path: string,
  body?: unknown,
): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      Origin: ORIGIN,
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": "application/vnd.api+json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const took = performance.now() - startedAt;
  if (!answer.ok) throw new Error(text);
  return took;
}
