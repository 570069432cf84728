import { beginBatch } from "../../../events/capture.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { lockEnrollment } from "./locks.ts";
import { admitWaiting } from "./seats.ts";

/** DELETE /v1/course-enrollments/:id */
export async function deleteEnrollment(context: WriteContext, id: string): Promise<void> {
  const { actor, db, resource } = context;
  const { lockedClass } = await lockEnrollment(context, id, "for update");
  beginBatch(db);
  // Attendances would stay, as they do when a person is deleted.
  await db`
    delete from course_attendances where account_id = ${actor.accountId} and enrollment_id = ${id}`;
  await deleteRow(context, resource, id);
  await admitWaiting(context, lockedClass.id);
}
