import { ApiError, problem } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import type { SessionPlanFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { insertRow, revisedBy } from "../../../jsonapi/sql/write.ts";
import { json } from "../../../store/sql.ts";
import type { Slot } from "../classes/schedule.ts";
import { type LockedClass, lockClass } from "../enrollments/seats.ts";
import { followSessions, SESSIONS_MAX, sessionsOf, tooManySessions } from "./sessions-of-class.ts";
import { type PlannedSession, sessionsBetween, wallTime } from "./slots.ts";

/** POST /v1/course-session-plans. The class is locked, so that two plans create no session twice. */
export async function planSessions(
  context: WriteContext<SessionPlanFields>,
  input: CreateInput<SessionPlanFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const locked = await lockClass(db, {
    accountId: actor.accountId,
    classId: input.toOne.class,
  });
  if (!locked) throw absentTarget(resource, "class");
  const created = await createMissing(context, locked, await plannedSessions(context, locked));
  await assignLessons(context, locked);
  return insertRow(context, resource, {
    ...input,
    attributes: { "created-count": created },
    toOne: { ...input.toOne, course: locked.courseId },
  });
}

interface Term {
  starts: number | null;
  ends: number | null;
  schedule: Slot[];
  timeZone: string;
}

async function plannedSessions(
  { actor, db }: WriteContext,
  { id }: LockedClass,
): Promise<PlannedSession[]> {
  const [term] = await db<Term[]>`
    select extract(epoch from starts)::float8 * 1000 as starts, extract(epoch from ends)::float8 * 1000 as ends,
      schedule, time_zone as "timeZone"
    from course_classes where account_id = ${actor.accountId} and id = ${id}`;
  const { ends = null, schedule = [], starts = null, timeZone = "UTC" } = term ?? {};
  const missing = [
    ...(schedule.length === 0 ? ["schedule"] : []),
    ...(starts === null ? ["starts"] : []),
    ...(ends === null ? ["ends"] : []),
  ];
  if (starts === null || ends === null || missing.length > 0)
    throw new ApiError(missing.map(missingOfClass));
  return sessionsBetween(schedule, {
    from: wallTime(starts, timeZone),
    until: wallTime(ends, timeZone),
    max: SESSIONS_MAX + 1,
  });
}

const missingOfClass = (name: string) =>
  problem(
    "missing-attribute",
    { rule: "required", hint: `The class has no \`${name}\`.` },
    { pointer: "/data/relationships/class/data" },
  );

/** Creates the sessions that no session of the class begins with, and returns their number. */
async function createMissing(
  { actor, db }: WriteContext,
  { courseId, id }: LockedClass,
  planned: readonly PlannedSession[],
): Promise<number> {
  const { accountId, personId } = actor;
  const rows = planned.map((session) => ({ ...session, id: newId() }));
  const { count } = await db`
    insert into course_sessions
      (account_id, id, course_id, class_id, date, starts_at, ends_at, created_by, modified_by)
    select ${accountId}, planned.id, ${courseId}, ${id}, planned.date, planned.starts_at, planned.ends_at, ${personId},
      ${personId}
    from json_populate_recordset(null::course_sessions, ${json(rows)}::json) planned
    where not exists (
      select from course_sessions present
      where present.account_id = ${accountId} and present.class_id = ${id} and present.date = planned.date
        and present.starts_at = planned.starts_at)`;
  if ((await sessionsOf(db, accountId, id)) > SESSIONS_MAX) throw tooManySessions();
  return count;
}

/** Gives the active lessons that the class has not planned, in their order, to its planned sessions without a lesson. */
async function assignLessons(context: WriteContext, { courseId, id }: LockedClass): Promise<void> {
  const { actor, db } = context;
  const { accountId } = actor;
  await db`
    select from course_sessions
    where account_id = ${accountId} and class_id = ${id} order by id for no key update`;
  const assigned = await db<{ id: string }[]>`
    with free as (
      select id, row_number() over (order by date, starts_at, id) as place from course_sessions
      where account_id = ${accountId} and class_id = ${id} and status = 'planned' and lesson_id is null),
    next as (
      select lesson.id, row_number() over (order by lesson.number) as place from course_lessons lesson
      where lesson.account_id = ${accountId} and lesson.course_id = ${courseId} and lesson.is_active and not exists (
        select from course_sessions taken
        where taken.account_id = lesson.account_id and taken.class_id = ${id} and taken.lesson_id = lesson.id
          and taken.status <> 'cancelled'))
    update course_sessions session
    set lesson_id = next.id, ${revisedBy(actor, "session")}
    from free join next on next.place = free.place
    where session.account_id = ${accountId} and session.id = free.id
    returning session.id`;
  await followSessions(
    context,
    id,
    assigned.map((one) => one.id),
  );
}
