import { fail, notFound } from "../../../base/errors.ts";
import { limits } from "../../../base/limits.ts";
import type { NewFile, WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { addFile, discardFiles } from "../../../jsonapi/sql/files.ts";
import { deleteRow, insertRow, touchRow } from "../../../jsonapi/sql/write.ts";

/** POST /v1/course-materials/:id/attachments */
export async function addAttachment(
  context: WriteContext,
  materialId: string,
  file: NewFile,
): Promise<Written> {
  const { accountId } = context.actor;
  await lockMaterial(context, materialId);
  const [row] = await context.db<{ count: number }[]>`
    select count(*)::integer as count from material_attachments
    where account_id = ${accountId} and material_id = ${materialId}`;
  const limit = limits.attachmentsPerMaterialMax;
  if ((row?.count ?? 0) >= limit)
    throw fail("limit-reached", `A material has at most ${limit} attachments.`, undefined, {
      limit,
    });
  await addFile(context.db, accountId, file);
  const attachments = definitionOf(context.catalogue, "material-attachments");
  const written = await insertRow(context, attachments, {
    attributes: { url: file.id },
    toOne: { material: materialId },
    toMany: {},
  });
  await touchMaterial(context, materialId);
  return written;
}

/** DELETE /v1/material-attachments/:id */
export async function deleteAttachment(context: WriteContext, id: string): Promise<void> {
  const { accountId } = context.actor;
  const [attachment] = await context.db<{ fileId: string; materialId: string }[]>`
    select file_id as "fileId", material_id as "materialId" from material_attachments
    where account_id = ${accountId} and id = ${id}`;
  if (!attachment) throw notFound();
  await lockMaterial(context, attachment.materialId);
  await deleteRow(context, context.resource, id);
  await discardFiles(context.db, accountId, [attachment.fileId]);
  await touchMaterial(context, attachment.materialId);
}

/** The material is always locked before its attachments. */
async function lockMaterial({ actor, db }: WriteContext, id: string): Promise<void> {
  const [material] = await db`
    select from course_materials where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!material) throw notFound();
}

const touchMaterial = (context: WriteContext, id: string): Promise<void> =>
  touchRow(context, definitionOf(context.catalogue, "course-materials"), id, ["attachments"]);
