import { fail } from "../../../base/errors.ts";
import { alreadyExists } from "../../../jsonapi/definition/constraint-words.ts";
import type { AttendanceFields } from "./fields.ts";
import type { CreateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { absentTarget } from "../../../jsonapi/request/input.ts";
import { assertNoOther } from "../../../jsonapi/sql/read.ts";
import { AUTHOR, insertRow } from "../../../jsonapi/sql/write.ts";
import { afterAttendances } from "./effects.ts";
import { lockEnrollments, lockNamedSession, assertNotCancelled } from "./locks.ts";

export const alreadyRecorded = alreadyExists(
  "/data/relationships/session/data",
  "The session has an attendance of this enrollment.",
);

/** POST /v1/course-attendances */
export async function createAttendance(
  context: WriteContext<AttendanceFields>,
  input: CreateInput<AttendanceFields>,
): Promise<Written> {
  const { resource } = context;
  const session = await lockNamedSession(context, input.toOne.session);
  const { enrollment: enrollmentId } = input.toOne;
  const enrollment = (await lockEnrollments(context, session, [enrollmentId])).get(enrollmentId);
  if (!enrollment) throw absentTarget(resource, "enrollment");
  assertNotCancelled(session);
  await assertNotEnrolled(context, { sessionId: session.id, enrollmentId });
  if (!enrollment.takesPart)
    throw fail("enrollment-not-active", "The enrollment is not active.", {
      pointer: "/data/relationships/enrollment/data",
    });

  const written = await insertRow(
    context,
    resource,
    {
      ...input,
      attributes: { ...input.attributes, date: session.date },
      toOne: {
        ...input.toOne,
        person: enrollment.personId,
        lesson: session.lessonId,
        class: session.classId,
        course: session.courseId,
      },
    },
    { recorded_by: AUTHOR },
  );
  await afterAttendances(context, session, [enrollmentId]);
  return written;
}

/** Names the attendance that exists. */
async function assertNotEnrolled(
  context: WriteContext,
  { enrollmentId, sessionId }: { enrollmentId: string; sessionId: string },
): Promise<void> {
  const { actor, db } = context;
  const [known] = await db<{ id: string }[]>`
    select id from course_attendances
    where account_id = ${actor.accountId} and session_id = ${sessionId} and enrollment_id = ${enrollmentId}`;
  await assertNoOther(context, known, alreadyRecorded);
}
