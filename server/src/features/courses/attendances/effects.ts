import { beginBatch } from "../../../events/capture.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { captureRows, revisedBy } from "../../../jsonapi/sql/write.ts";
import { updateProgress } from "../enrollments/progress.ts";
import type { LockedSession } from "./locks.ts";

/** Stores the effects of a write of attendances on the session and on the progress of the enrollments. */
export async function afterAttendances(
  context: WriteContext,
  { id }: LockedSession,
  enrollmentIds: readonly string[],
  status: LockedSession["status"] = "held",
): Promise<void> {
  const { actor, db } = context;
  beginBatch(db);
  await db`
    update course_sessions set status = ${status}, ${revisedBy(actor)}
    where account_id = ${actor.accountId} and id = ${id}`;
  await captureRows(context, "course-sessions", "course-attendance.recorded", [id]);
  await updateProgress(context, { ids: enrollmentIds });
}
