import { fail } from "../../../base/errors.ts";
import { beginBatch } from "../../../events/capture.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { captureRows, revisedBy } from "../../../jsonapi/sql/write.ts";
import { updateProgress } from "../enrollments/progress.ts";

/**
 * A session that this transaction has locked, so that writes of its attendances follow each other. Every write of
 * attendances locks course, class, session, people, enrollments and attendances, in this order.
 */
export interface HeldSession {
  id: string;
  courseId: string;
  classId: string;
  lessonId: string | null;
  date: string;
  status: "planned" | "held" | "cancelled";
}

export async function holdSession(
  { actor, db }: WriteContext,
  sessionId: string,
): Promise<HeldSession | undefined> {
  const { accountId } = actor;
  // Attendances refer to all three rows. The deletion of a course or a class locks them in this order.
  await db`
    select from courses where account_id = ${accountId}
      and id = (select course_id from course_sessions where account_id = ${accountId} and id = ${sessionId})
    for key share`;
  await db`
    select from course_classes where account_id = ${accountId}
      and id = (select class_id from course_sessions where account_id = ${accountId} and id = ${sessionId})
    for key share`;
  const [session] = await db<HeldSession[]>`
    select id, course_id as "courseId", class_id as "classId", lesson_id as "lessonId", date::text, status
    from course_sessions where account_id = ${accountId} and id = ${sessionId} for no key update`;
  return session;
}

/** Locks the session of the document. */
export async function holdNamedSession(
  context: WriteContext,
  sessionId: string,
): Promise<HeldSession> {
  const session = await holdSession(context, sessionId);
  if (session) return session;
  throw absentTarget(context.of, "session");
}

export function refuseCancelled({ status }: HeldSession): void {
  if (status === "cancelled")
    throw fail("session-cancelled", "The session is cancelled.", {
      pointer: "/data/relationships/session/data",
    });
}

/** Stores the effects of a write of attendances on the session and on the progress of the enrollments. */
export async function afterAttendances(
  context: WriteContext,
  { id }: HeldSession,
  enrollmentIds: readonly string[],
  status: HeldSession["status"] = "held",
): Promise<void> {
  const { actor, db } = context;
  beginBatch(db);
  await db`
    update course_sessions set status = ${status}, ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = ${id}`;
  await captureRows(context, "course-sessions", "course-attendance.recorded", [id]);
  await updateProgress(context, { ids: enrollmentIds });
}
