import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { discardFiles } from "../../../jsonapi/sql/files.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { updateProgress } from "../enrollments/progress.ts";
import { fileOf, lockWork, placeOf } from "./work.ts";

/** DELETE /v1/course-task-completions/:id */
export async function deleteCompletion(context: WriteContext, id: string): Promise<void> {
  const place = await placeOf(context, id);
  if (place) await lockWork(context, place);
  const fileId = await fileOf(context, id);
  await deleteRow(context, context.resource, id);
  if (fileId) await discardFiles(context.db, context.actor.accountId, [fileId]);
  if (place) await updateProgress(context, { ids: [place.enrollmentId] });
}
