import { notFound } from "../../../base/errors.ts";
import type { AttendanceFields } from "./fields.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, AUTHOR, updateRow } from "../../../jsonapi/sql/write.ts";
import { afterAttendances } from "./effects.ts";
import { lockAttendance, assertNotCancelled } from "./locks.ts";

/** PATCH /v1/course-attendances/:id */
export async function updateAttendance(
  context: WriteContext<AttendanceFields>,
  id: string,
  input: UpdateInput<AttendanceFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const locked = await lockAttendance(context, id);
  if (!locked) throw notFound();
  const recorded = { recorded_at: "now()", recorded_by: AUTHOR };
  const written = await updateRow(context, context.resource, id, input, recorded);
  if (written.changed.length === 0) return written;
  assertNotCancelled(locked.session);
  await afterAttendances(context, locked.session, [locked.enrollmentId]);
  return written;
}
