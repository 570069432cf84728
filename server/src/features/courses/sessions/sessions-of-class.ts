import { fail } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import type { Tx } from "../../../store/db.ts";
import { lockProgress, updateProgress } from "../enrollments/progress.ts";
import { revisedBy } from "../../../jsonapi/sql/write.ts";

export const SESSIONS_MAX = 500;

export const tooManySessions = () =>
  fail(
    "limit-reached",
    `A class has at most ${SESSIONS_MAX} sessions.`,
    { pointer: "/data/relationships/class/data" },
    { limit: SESSIONS_MAX },
  );

/** Attendances repeat the date and the lesson of their session, and count for that lesson. */
export async function followSessions(
  context: WriteContext,
  classId: string,
  sessionIds: readonly string[],
): Promise<void> {
  const { actor, db } = context;
  await lockProgress(context, { classId });
  const { count } = await db`
    update course_attendances attendance
    set lesson_id = session.lesson_id, date = session.date, ${revisedBy(actor, "attendance")}
    from course_sessions session
    where session.account_id = ${actor.accountId} and session.id = any(${[...sessionIds]}::uuid[])
      and attendance.account_id = session.account_id and attendance.session_id = session.id
      and (attendance.lesson_id, attendance.date) is distinct from (session.lesson_id, session.date)`;
  if (count > 0) await updateProgress(context, { classId });
}

/** The number of sessions of a class that the caller holds. */
export async function sessionsOf(tx: Tx, accountId: string, classId: string): Promise<number> {
  const [row] = await tx<{ sessions: number }[]>`
    select count(*)::int as sessions from course_sessions
    where account_id = ${accountId} and class_id = ${classId}`;
  return row?.sessions ?? 0;
}
