import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { holdEnrollments } from "./held-enrollments.ts";
import { type HeldSession, holdSession } from "./held-session.ts";

/** Locks the session and the enrollment of an attendance. */
export async function holdAttendance(
  context: WriteContext,
  id: string,
): Promise<{ session: HeldSession; enrollmentId: string } | undefined> {
  const { actor, db } = context;
  const [row] = await db<{ sessionId: string; enrollmentId: string }[]>`
    select session_id as "sessionId", enrollment_id as "enrollmentId" from course_attendances
    where account_id = ${actor.accountId} and id = ${id}`;
  const session = row && (await holdSession(context, row.sessionId));
  if (!session) return undefined;
  await holdEnrollments(context, session, [row.enrollmentId]);
  return { session, enrollmentId: row.enrollmentId };
}
