import { DAY } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import type { DemoAccount, DemoClock } from "../demo-account.ts";
import { Die, seedOf } from "../random.ts";
import type { DemoClass, DemoCourse, DemoTask } from "./demo-courses.ts";
import { attendanceOf } from "./lessons.ts";

/** Parts of the course that its classes refer to. */
export interface CourseIds {
  courseId: string;
  lessonIds: readonly string[];
  tasks: readonly (DemoTask & { id: string })[];
}

const MINUTES = 90;
const ZONE = "Europe/Lisbon";

interface Session {
  id: string;
  date: string;
  lesson: number;
  lessonId: string;
  isHeld: boolean;
}

interface Student {
  enrollmentId: string;
  personId: string;
  name: string;
  status: string;
  index: number;
}

/** The class as it is today: with the sessions that were held, their attendance, and the work that students handed in. */
export async function addDemoClass(
  account: DemoAccount,
  course: DemoCourse,
  ids: CourseIds,
  one: DemoClass,
): Promise<void> {
  const clock = await account.clock();
  const classId = account.newId("course-classes", one.name);
  const sessions = sessionsOf(account, one, ids.lessonIds, clock);
  const [first, last] = [sessions[0], sessions.at(-1)];
  const at = one.begins?.at ?? 0;
  await account.insert("course_classes", [
    {
      id: classId,
      course_id: ids.courseId,
      name: one.name,
      status: one.status,
      seats: one.seats ?? null,
      starts: first ? timeOn(first.date, at) : null,
      ends: last ? timeOn(last.date, at + MINUTES) : null,
      schedule: one.begins
        ? [{ "weekday": one.begins.weekday, "starts-at": at, "ends-at": at + MINUTES }]
        : [],
      location: one.location ?? null,
      time_zone: ZONE,
      is_public: one.status === "open",
      show_teachers: one.status === "open",
    },
  ]);
  const teachers = one.teachers.map((name) => account.idOf("people", name));
  await account.insert(
    "course_class_teachers",
    teachers.map((person_id) => ({ class_id: classId, person_id })),
  );
  const places = { course_id: ids.courseId, class_id: classId };
  await account.insert(
    "course_sessions",
    sessions.map(({ date, id, isHeld, lessonId }, index) => ({
      ...places,
      id,
      lesson_id: lessonId,
      teacher_id: teachers[index % teachers.length],
      date,
      starts_at: at,
      ends_at: at + MINUTES,
      status: isHeld ? "held" : "planned",
    })),
  );
  const students = Object.entries(one.enrollments)
    .flatMap(([status, names]) => names.map((name) => ({ name, status })))
    .map(({ name, status }, index): Student => {
      const personId = account.idOf("people", name);
      const enrollmentId = account.newId("course-enrollments", `${one.name} ${index + 1}`);
      return { enrollmentId, personId, name, status, index };
    });
  const enrolled = (student: Student) => enrollmentRow(student, { course, one, sessions, clock });
  await account.insert(
    "course_enrollments",
    students.map((student) => ({ ...places, ...enrolled(student) })),
  );
  const context = { one, sessions, teacherId: teachers[0] ?? null };
  const attendances = students.flatMap((student) => attendanceRows(student, course, context));
  await account.insert(
    "course_attendances",
    attendances.map((row) => ({ ...places, ...row })),
  );
  const completions = students.flatMap((student) => completionRows(student, ids, context));
  await account.insert(
    "course_task_completions",
    completions.map((row) => ({ ...places, ...row })),
  );
}

/** One session a week for each lesson. Those before today were held. */
function sessionsOf(
  account: DemoAccount,
  { begins, name, status }: DemoClass,
  lessonIds: readonly string[],
  clock: DemoClock,
): Session[] {
  if (!begins) return [];
  const day = new Date(clock.daysAgo(-begins.inDays)).getUTCDay();
  const inDays = begins.inDays - ((day - begins.weekday + 7) % 7);
  return lessonIds.map((lessonId, lesson) => {
    const daysAgo = -inDays - 7 * lesson;
    const isHeld = status !== "open" && daysAgo > 0;
    const id = account.newId("course-sessions", `${name} ${lesson + 1}`);
    return { id, date: clock.daysAgo(daysAgo), lesson, lessonId, isHeld };
  });
}

interface Enrolling {
  course: DemoCourse;
  one: DemoClass;
  sessions: readonly Session[];
  clock: DemoClock;
}

function enrollmentRow(student: Student, { clock, course, one, sessions }: Enrolling) {
  const { enrollmentId, index, name, personId, status } = student;
  const [first, last] = [sessions[0]?.date, sessions.at(-1)?.date];
  const soon = clock.daysAgo(20 - index);
  const before = first === undefined ? soon : dayAfter(first, index - 20);
  const enrolledAt = timeOn(before < soon ? before : soon, 720);
  const at = one.begins?.at ?? 0;
  const waivedNote = one.requirementsWaived?.[name] ?? one.graduationWaived?.[name];
  const isWaived = one.graduationWaived?.[name] !== undefined;
  const finished = isWaived || last === undefined ? enrolledAt : timeOn(last, at + MINUTES);
  const withdrawn = timeOn(dayAfter(first ?? before, 10), 720);
  const changed = { completed: finished, withdrawn }[status] ?? enrolledAt;
  const pays = course.price !== undefined;
  const hasPaid = pays && index % 2 === 0;
  return {
    id: enrollmentId,
    created_at: enrolledAt,
    person_id: personId,
    status,
    source: status === "requested" ? "self" : "staff",
    enrolled_at: enrolledAt,
    status_changed_at: changed,
    completed_at: status === "completed" ? finished : null,
    withdrawn_reason: status === "withdrawn" ? "Moved away." : null,
    payment_status: hasPaid ? "paid" : pays ? "pending" : "not-required",
    paid_amount: hasPaid ? course.price : null,
    requirements_waived: one.requirementsWaived?.[name] !== undefined,
    graduation_waived: isWaived,
    waiver_note: waivedNote ?? null,
  };
}

interface Teaching {
  one: DemoClass;
  sessions: readonly Session[];
  teacherId: string | null;
}

const seed = seedOf("demo");

function attendanceRows(
  { enrollmentId, index, name, personId, status }: Student,
  { lessons }: DemoCourse,
  { one, sessions, teacherId }: Teaching,
) {
  if (one.graduationWaived?.[name] !== undefined) return [];
  const die = new Die(seed, one.name, 0, index);
  return sessions.flatMap((session) => {
    const place = { lesson: session.lesson, lessons: lessons.length, status };
    const came = session.isHeld ? attendanceOf(place, die) : undefined;
    if (came === undefined) return [];
    return {
      id: newId(),
      session_id: session.id,
      lesson_id: session.lessonId,
      enrollment_id: enrollmentId,
      person_id: personId,
      date: session.date,
      status: came,
      note: came === "excused" ? "Ill" : null,
      recorded_at: timeOn(session.date, (one.begins?.at ?? 0) + MINUTES),
      recorded_by: teacherId,
    };
  });
}

/** Graduates did all the work. The others of a class that has begun are at different points of it. */
function completionRows(
  { enrollmentId, index, personId, status }: Student,
  { tasks }: CourseIds,
  { sessions, teacherId }: Teaching,
) {
  const [first] = sessions;
  const progress = ["accepted", "submitted", "returned"] as const;
  return tasks.flatMap((task, place) => {
    const standing = status === "completed" ? "accepted" : progress[index + place];
    const hasWorked = status === "completed" || (status === "active" && standing !== undefined);
    if (!first?.isHeld || !hasWorked) return [];
    const day = 5 + index;
    const isReviewed = standing !== "submitted";
    const submitted = timeOn(dayAfter(first.date, day), 1_260);
    return {
      id: newId(),
      created_at: submitted,
      task_id: task.id,
      enrollment_id: enrollmentId,
      person_id: personId,
      status: standing,
      text: task.answer,
      was_on_time: day <= task.due,
      submitted_at: submitted,
      points_earned: standing === "accepted" ? 10 - (index % 4) : null,
      teacher_comment: standing === "returned" ? "Which sentence surprised you most?" : null,
      reviewed_at: isReviewed ? timeOn(dayAfter(first.date, day + 1), 1_260) : null,
      reviewed_by: isReviewed ? teacherId : null,
    };
  });
}

const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** A time of day in Lisbon, as PostgreSQL reads it. */
function timeOn(date: string, minutes: number): string {
  const part = (value: number) => String(value).padStart(2, "0");
  return `${date} ${part(Math.floor(minutes / 60))}:${part(minutes % 60)} ${ZONE}`;
}
