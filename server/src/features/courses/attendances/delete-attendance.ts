import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { afterAttendances } from "./effects.ts";
import { lockAttendance } from "./locks.ts";

/** DELETE /v1/course-attendances/:id */
export async function deleteAttendance(context: WriteContext, id: string): Promise<void> {
  const locked = await lockAttendance(context, id);
  await deleteRow(context, context.resource, id);
  if (locked)
    await afterAttendances(context, locked.session, [locked.enrollmentId], locked.session.status);
}
