import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { holdAttendance } from "./held-attendance.ts";
import { afterAttendances } from "./held-session.ts";

/** DELETE /v1/course-attendances/:id */
export async function deleteAttendance(context: WriteContext, id: string): Promise<void> {
  const held = await holdAttendance(context, id);
  await deleteRow(context, context.of, id);
  if (held) await afterAttendances(context, held.session, [held.enrollmentId], held.session.status);
}
