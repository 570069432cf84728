import { fail, notFound } from "../../../base/errors.ts";
import type { MaterialFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, insertRow, updateRow } from "../../../jsonapi/sql/write.ts";

/** POST /v1/course-materials */
export async function createMaterial(
  context: WriteContext<MaterialFields>,
  input: CreateInput<MaterialFields>,
): Promise<Written> {
  await assertSameCourse(context, input.toOne.course, input);
  return insertRow(
    context,
    context.resource,
    input,
    leavesDraft(input) ? { published_at: "now()" } : {},
  );
}

/** PATCH /v1/course-materials/:id */
export async function updateMaterial(
  context: WriteContext<MaterialFields>,
  id: string,
  input: UpdateInput<MaterialFields>,
): Promise<Written> {
  await assertMayChange(context, context.resource, id);
  const { actor, db } = context;
  const [material] = await db<{ courseId: string }[]>`
    select course_id as "courseId" from course_materials
    where account_id = ${actor.accountId} and id = ${id}`;
  if (!material) throw notFound();
  await assertSameCourse(context, material.courseId, input);
  const published = { published_at: "coalesce(course_materials.published_at, now())" };
  return updateRow(context, context.resource, id, input, leavesDraft(input) ? published : {});
}

const leavesDraft = ({ attributes }: UpdateInput<MaterialFields>): boolean =>
  (attributes["publish-status"] ?? "draft") !== "draft";

/** 422 for a lesson or class of another course. Foreign keys report absent ones with the same words. */
async function assertSameCourse(
  { actor, db }: WriteContext,
  courseId: string,
  { toOne }: UpdateInput<MaterialFields>,
): Promise<void> {
  const { class: classId = null, lesson: lessonId = null } = toOne;
  const others = await db<{ name: string }[]>`
    select 'class' as name from course_classes
    where account_id = ${actor.accountId} and id = ${classId} and course_id <> ${courseId}
    union all
    select 'lesson' from course_lessons
    where account_id = ${actor.accountId} and id = ${lessonId} and course_id <> ${courseId}`;
  for (const { name } of others)
    throw fail(
      "invalid-relationship",
      { rule: "not-found" },
      { pointer: `/data/relationships/${name}/data` },
    );
}
