import { notFound } from "../../../base/errors.ts";
import { checkTransition } from "../../../base/transitions.ts";
import type { ClassFields } from "./fields.ts";
import type { UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, updateRow } from "../../../jsonapi/sql/write.ts";
import { admitWaiting, lockClass } from "../enrollments/seats.ts";
import { classEvents, classTransitions } from "./statuses.ts";

/** PATCH /v1/course-classes/:id. More seats, and a class that continues, admit people who wait. */
export async function updateClass(
  context: WriteContext<ClassFields>,
  id: string,
  input: UpdateInput<ClassFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  await assertMayChange(context, resource, id);
  const before = await lockClass(db, { accountId: actor.accountId, classId: id });
  if (!before) throw notFound();
  const status = input.attributes.status ?? before.status;
  const isChange = checkTransition(classTransitions, before.status, status);
  const event = isChange ? classEvents[status] : undefined;
  const updated = await updateRow(context, resource, id, input, {}, { event });
  if (!updated.changed.some((name) => name === "seats" || name === "status")) return updated;
  await admitWaiting(context, id);
  // The update returned the class with the people who waited.
  return { id };
}
