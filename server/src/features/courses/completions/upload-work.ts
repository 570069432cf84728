import type { NewFile, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { addFile, discardFiles } from "../../../jsonapi/sql/files.ts";
import type { CompletionFields } from "./fields.ts";
import { fileOf, lockWork, placeOf } from "./work.ts";
import { updateCompletion } from "./update-completion.ts";

/** PUT /v1/course-task-completions/:id/file. Another file hands in again, like another text. */
export async function uploadWork(
  context: WriteContext<CompletionFields>,
  id: string,
  file: NewFile,
): Promise<Written> {
  const { actor, db } = context;
  const place = await placeOf(context, id);
  // Two uploads at once must not replace the same former file.
  if (place) await lockWork(context, place);
  const former = await fileOf(context, id);
  await addFile(db, actor.accountId, file);
  const written = await updateCompletion(context, id, {
    attributes: { file: file.id },
    toOne: {},
    toMany: {},
  });
  if (former !== null) await discardFiles(db, actor.accountId, [former]);
  return written;
}
