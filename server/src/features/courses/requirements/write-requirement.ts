import { lockAccount } from "../../../access/locks.ts";
import {
  ApiError,
  fail,
  notAllowedHere,
  notFound,
  type Problem,
  refuse,
} from "../../../base/errors.ts";
import type { RequirementFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { definitionOf } from "../../../jsonapi/definition/targets.ts";
import { assertMayChange, insertRow, updateRow } from "../../../jsonapi/sql/write.ts";
import { checkRequirement, type Relation, type RequirementKind } from "./kinds.ts";

const REQUIREMENTS_MAX = 20;

const requiredPointer = "/data/relationships/required-course";

/** POST /v1/course-requirements */
export async function createRequirement(
  context: WriteContext<RequirementFields>,
  input: CreateInput<RequirementFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  const { attributes, toOne } = input;
  const { kind, relation = "prerequisite", value = null } = attributes;
  const { course: courseId, "required-course": requiredId = null } = toOne;
  const problems: Problem[] = [];
  checkRequirement({ kind, relation, value }, statusesIn(context), problems);
  if (kind === "course" && requiredId === null)
    refuse(problems, "missing-relationship", { rule: "required" }, requiredPointer);
  if (kind !== "course" && requiredId !== null)
    refuse(
      problems,
      "invalid-relationship",
      notAllowedHere(`The kind ${kind} names no course.`),
      requiredPointer,
    );
  if (problems.length > 0) throw new ApiError(problems);

  // The requirements of an account are written one after the other, so that two of them cannot close a circle.
  await lockAccount(db, actor.accountId);
  if (requiredId !== null) await assertNoCircle(context, { courseId, requiredId });
  await assertRoom(context, courseId);
  return insertRow(context, resource, input);
}

/** PATCH /v1/course-requirements/:id */
export async function updateRequirement(
  context: WriteContext<RequirementFields>,
  id: string,
  input: UpdateInput<RequirementFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  await assertMayChange(context, resource, id);
  const [before] = await db<{ kind: RequirementKind; relation: Relation; value: unknown }[]>`
    select kind, relation, value from course_requirements
    where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();
  const { attributes } = input;
  const { relation = before.relation, value = before.value } = attributes;
  const problems: Problem[] = [];
  checkRequirement({ kind: before.kind, relation, value }, statusesIn(context), problems);
  if (problems.length > 0) throw new ApiError(problems);
  return updateRow(context, resource, id, input);
}

/** The statuses that people have. */
function statusesIn({ catalogue }: WriteContext): readonly string[] {
  const { attributes } = definitionOf(catalogue, "people");
  const schema = attributes["membership-status"]?.schema as { enum?: string[] } | undefined;
  return schema?.enum ?? [];
}

/** 422 if the required course requires this course, by itself or through others. Enrollments in both would wait for each other. */
async function assertNoCircle(
  { actor, db }: WriteContext,
  { courseId, requiredId }: { courseId: string; requiredId: string },
): Promise<void> {
  const [circle] = await db`
    with recursive required (id) as (
      select ${requiredId}::uuid
      union
      select next.required_course_id from required
      join course_requirements next on next.account_id = ${actor.accountId} and next.course_id = required.id
      where next.required_course_id is not null)
    select from required where id = ${courseId}`;
  if (!circle) return;
  const hint =
    requiredId === courseId
      ? "A course cannot require itself."
      : "The required course requires this course.";
  throw fail("invalid-relationship", notAllowedHere(hint), { pointer: `${requiredPointer}/data` });
}

async function assertRoom({ actor, db }: WriteContext, courseId: string): Promise<void> {
  const [row] = await db<{ requirements: number }[]>`
    select count(*)::int as requirements from course_requirements
    where account_id = ${actor.accountId} and course_id = ${courseId}`;
  if (row && row.requirements >= REQUIREMENTS_MAX)
    throw fail(
      "limit-reached",
      `A course has at most ${REQUIREMENTS_MAX} requirements.`,
      { pointer: "/data/relationships/course/data" },
      { limit: REQUIREMENTS_MAX },
    );
}
