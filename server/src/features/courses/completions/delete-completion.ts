import { forbidden, notFound } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { assertReadable } from "../../../jsonapi/sql/read.ts";
import { discardFiles } from "../../../jsonapi/sql/files.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { updateProgress } from "../enrollments/progress.ts";
import { fileOf, holdWork, mayReview, placeOf } from "./held-work.ts";

/** DELETE /v1/course-task-completions/:id */
export async function deleteCompletion(context: WriteContext, id: string): Promise<void> {
  const { of } = context;
  const place = await placeOf(context, id);
  if (!place) throw notFound();
  if (!(await mayReview(context, place.enrollmentId))) {
    await assertReadable(context, of, id);
    throw forbidden("Only reviewers delete completions.");
  }
  await holdWork(context, place);
  const fileId = await fileOf(context, id);
  await deleteRow(context, of, id);
  if (fileId) await discardFiles(context.db, context.actor.accountId, [fileId]);
  await updateProgress(context, { ids: [place.enrollmentId] });
}
