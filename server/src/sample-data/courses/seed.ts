import { DAY, MINUTE } from "../../base/clock.ts";
import type { Value } from "../../store/insert-rows.ts";
import { draw, idOf, type Plan } from "../plan.ts";
import type { SeededAccount } from "../seeded-account.ts";
import { storeProgress } from "../../features/courses/enrollments/progress.ts";
import { attendanceOf, lessonsNeeded } from "./lessons.ts";

const subjects = [
  "Foundations of Faith",
  "Fundamentos da Fé",
  "Grundlagen des Glaubens",
  "Fundamentos de la Fe",
  "Marriage Preparation",
  "Curso de Noivos",
  "Leading a Cell",
  "Líderes de Célula",
  "Reading the Prophets",
  "Die Psalmen",
  "Children's Team Training",
  "Escola Dominical",
  "Church History",
  "Introducción a la Oración",
  "Taufkurs",
  "Money and Generosity",
] as const;

const LESSONS = 8;
const CLASSES = 3;
const classStatuses = ["finished", "in-progress", "open"] as const;

export async function addSeed(account: SeededAccount): Promise<void> {
  const { plan } = account;
  const courses = Array.from({ length: plan.shape.courses }, (_, index) => index);
  await account.insert(
    "courses",
    courseColumns,
    courses.map((index) => courseOf(plan, index)),
  );
  await account.insert(
    "course_teachers",
    ["course_id", "person_id"],
    courses.flatMap((course) =>
      [0, 1].map((which) => [
        idOf(plan, "courses", course),
        idOf(plan, "people", teacherOf(plan, course, which)),
      ]),
    ),
  );
  await account.insert(
    "course_lessons",
    ["id", "course_id", "name", "number"],
    courses.flatMap((course) =>
      Array.from({ length: LESSONS }, (_, lesson) => [
        idOf(plan, "course-lessons", course * LESSONS + lesson),
        idOf(plan, "courses", course),
        `Lesson ${lesson + 1}`,
        lesson + 1,
      ]),
    ),
  );
  await account.insert(
    "course_materials",
    ["id", "course_id", "title", "audience", "material_type"],
    courses.flatMap((course) =>
      (["student", "student", "teacher"] as const).map((audience, which) => [
        idOf(plan, "course-materials", course * 3 + which),
        idOf(plan, "courses", course),
        audience === "teacher" ? "Notes for teachers" : `Workbook ${which + 1}`,
        audience,
        "text",
      ]),
    ),
  );
  const drawn = Array.from({ length: Math.ceil(plan.shape.people / 7) }, (_, index) =>
    studentOf(plan, index * 7),
  );
  const full = new Set(drawn.flatMap((one) => (one.status === "active" ? one.classIndex : [])));
  const students = drawn.map((one) =>
    one.status === "waitlisted" && !full.has(one.classIndex)
      ? { ...one, status: "requested" }
      : one,
  );
  const byClass = Map.groupBy(students, ({ classIndex }) => classIndex);
  const classes = courses.flatMap((course) =>
    classStatuses.map((status, which) => ({ course, status, index: course * CLASSES + which })),
  );
  await account.insert(
    "course_classes",
    classColumns,
    classes.map((one) => classRow(plan, one, byClass.get(one.index) ?? [])),
  );
  await account.insert(
    "course_class_teachers",
    ["class_id", "person_id"],
    classes.map(({ course, index }) => [
      idOf(plan, "course-classes", index),
      idOf(plan, "people", teacherOf(plan, course, (index % CLASSES) % 2)),
    ]),
  );
  await account.insert("course_sessions", sessionColumns, sessionRows(plan, classes));
  await account.insert("course_enrollments", enrollmentColumns, enrollments(plan, students));
  // Without statistics, PostgreSQL checks each foreign key by a scan that grows with the account.
  await account.tx`
    analyze (skip_locked) courses, course_lessons, course_classes, course_sessions, course_enrollments`;
  await account.insert("course_attendances", attendanceColumns, attendances(plan, students));
  await account.tx`analyze (skip_locked) course_attendances`;
  const context = { accountId: plan.accountId, actorId: idOf(plan, "people", 0), db: account.tx };
  await storeProgress(context, { ids: students.map(({ id }) => id) });
}

const courseColumns = [
  "id",
  "name",
  "summary",
  "category",
  "price",
  "price_currency",
  "lessons_to_graduate",
  "is_active",
  "is_public",
  "created_by",
  "modified_by",
] as const;

function courseOf(plan: Plan, index: number): readonly Value[] {
  const { die, id } = draw(plan, "courses", index);
  const author = idOf(plan, "people", 0);
  const round = Math.floor(index / subjects.length) + 1;
  const name = `${subjects[index % subjects.length]}${round > 1 ? ` ${round}` : ""}`;
  const costs = die.chance(0.3);
  return [
    id,
    name,
    "A course of eight lessons.",
    die.pick(["Discipleship", "Family", "Leadership", "Community"]),
    costs ? 500 * (1 + die.below(20)) : 0,
    costs ? "EUR" : null,
    lessonsNeeded(LESSONS),
    die.chance(0.9),
    die.chance(0.3),
    author,
    author,
  ];
}

const teacherOf = ({ shape }: Plan, course: number, which: number) =>
  1 + ((course * 2 + which) % (shape.people - 1));

/** The first day of the finished classes. It is fixed, so that a seeded row is the same next year. */
const FIRST_DAY = Date.UTC(2024, 2, 5);
/** The other classes begin so many days later. */
const BEGINS = { "finished": 0, "in-progress": 231, "open": 280 } as const;
const STARTS_AT = 19 * 60;
const ENDS_AT = STARTS_AT + 90;

interface SeededClass {
  course: number;
  status: (typeof classStatuses)[number];
  index: number;
}

interface Student {
  id: string;
  person: number;
  status: string;
  classIndex: number;
}

/** Every seventh person is in a class. Most have completed a finished class or are active in another one. */
function studentOf(plan: Plan, person: number): Student {
  const { die, id } = draw(plan, "course-enrollments", person);
  const classIndex = die.below(plan.shape.courses) * CLASSES + die.below(CLASSES);
  const isFinished = classStatuses[classIndex % CLASSES] === "finished";
  const status = isFinished
    ? die.pick(["completed", "completed", "completed", "withdrawn", "failed"])
    : die.pick(["active", "active", "active", "requested", "waitlisted"]);
  return { id, person, status, classIndex };
}

const classColumns = [
  "id",
  "course_id",
  "name",
  "status",
  "seats",
  "starts",
  "ends",
  "schedule",
] as const;

/** A class with people who wait is full. */
function classRow(
  plan: Plan,
  { course, index, status }: SeededClass,
  students: readonly Student[],
): readonly Value[] {
  const waits = students.some((student) => student.status === "waitlisted");
  const taken = students.filter((student) => student.status === "active").length;
  return [
    idOf(plan, "course-classes", index),
    idOf(plan, "courses", course),
    `Class ${(index % CLASSES) + 1}`,
    status,
    waits ? taken : null,
    timeOf(status, 0, STARTS_AT),
    timeOf(status, LESSONS - 1, ENDS_AT),
    [{ "weekday": 2, "starts-at": STARTS_AT, "ends-at": ENDS_AT }],
  ];
}

const sessionColumns = [
  "id",
  "course_id",
  "class_id",
  "lesson_id",
  "date",
  "starts_at",
  "ends_at",
  "status",
] as const;

function* sessionRows(plan: Plan, classes: readonly SeededClass[]): Generator<readonly Value[]> {
  for (const { course, index, status } of classes)
    for (let lesson = 0; lesson < LESSONS; lesson += 1)
      yield [
        idOf(plan, "course-sessions", index * LESSONS + lesson),
        idOf(plan, "courses", course),
        idOf(plan, "course-classes", index),
        idOf(plan, "course-lessons", course * LESSONS + lesson),
        timeOf(status, lesson, 0).slice(0, 10),
        STARTS_AT,
        ENDS_AT,
        lesson < heldOf(status) ? "held" : "planned",
      ];
}

/** The lessons that were held. */
const heldOf = (status: SeededClass["status"]): number =>
  ({ "finished": LESSONS, "in-progress": LESSONS / 2, "open": 0 })[status];

const timeOf = (status: SeededClass["status"], lesson: number, minutes: number): string =>
  new Date(FIRST_DAY + (BEGINS[status] + 7 * lesson) * DAY + minutes * MINUTE).toISOString();

const enrollmentColumns = [
  "id",
  "course_id",
  "class_id",
  "person_id",
  "status",
  "enrolled_at",
  "status_changed_at",
  "completed_at",
] as const;

function* enrollments(plan: Plan, students: readonly Student[]): Generator<readonly Value[]> {
  for (const { classIndex, id, person, status } of students) {
    const resource = statusOf(classIndex);
    const enrolledAt = timeOf(resource, -2, STARTS_AT);
    const finishedAt = timeOf(resource, LESSONS - 1, ENDS_AT);
    const ended = { completed: finishedAt, failed: finishedAt, withdrawn: timeOf(resource, 2, 0) };
    yield [
      id,
      idOf(plan, "courses", Math.floor(classIndex / CLASSES)),
      idOf(plan, "course-classes", classIndex),
      idOf(plan, "people", person),
      status,
      enrolledAt,
      ended[status as keyof typeof ended] ?? enrolledAt,
      status === "completed" ? finishedAt : null,
    ];
  }
}

const statusOf = (classIndex: number) => classStatuses[classIndex % CLASSES] ?? "open";

const attendanceColumns = [
  "id",
  "course_id",
  "class_id",
  "session_id",
  "lesson_id",
  "enrollment_id",
  "person_id",
  "date",
  "status",
  "recorded_at",
] as const;

function* attendances(plan: Plan, students: readonly Student[]): Generator<readonly Value[]> {
  for (const { classIndex, id, person, status } of students) {
    const resource = statusOf(classIndex);
    const course = Math.floor(classIndex / CLASSES);
    for (let lesson = 0; lesson < heldOf(resource); lesson += 1) {
      const drawn = draw(plan, "course-attendances", person * LESSONS + lesson);
      const came = attendanceOf({ lesson, lessons: LESSONS, status }, drawn.die);
      if (came === undefined) continue;
      yield [
        drawn.id,
        idOf(plan, "courses", course),
        idOf(plan, "course-classes", classIndex),
        idOf(plan, "course-sessions", classIndex * LESSONS + lesson),
        idOf(plan, "course-lessons", course * LESSONS + lesson),
        id,
        idOf(plan, "people", person),
        timeOf(resource, lesson, 0).slice(0, 10),
        came,
        timeOf(resource, lesson, ENDS_AT),
      ];
    }
  }
}
