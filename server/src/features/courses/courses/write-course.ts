import { notFound } from "../../../base/errors.ts";
import type { CourseFields } from "./fields.ts";
import type { CreateInput, UpdateInput } from "../../../jsonapi/definition/input.ts";
import type { WriteContext, Written } from "../../../jsonapi/definition/resource.ts";
import { assertMayChange, insertRow, updateRow } from "../../../jsonapi/sql/write.ts";
import { updateProgress } from "../enrollments/progress.ts";

/** POST /v1/courses */
export async function createCourse(
  context: WriteContext<CourseFields>,
  input: CreateInput<CourseFields>,
): Promise<Written> {
  return insertRow(context, context.resource, await withCurrency(context, input, null));
}

/** The graduation of the enrollments depends on these attributes. */
const rules = ["lessons-to-graduate", "excused-counts", "graduation-mode"];

/** PATCH /v1/courses/:id */
export async function updateCourse(
  context: WriteContext<CourseFields>,
  id: string,
  input: UpdateInput<CourseFields>,
): Promise<Written> {
  const { actor, db, resource } = context;
  await assertMayChange(context, resource, id);
  const [before] = await db<{ currency: string | null }[]>`
    select price_currency as currency from courses
    where account_id = ${actor.accountId} and id = ${id} for no key update`;
  if (!before) throw notFound();
  const updated = await updateRow(
    context,
    resource,
    id,
    await withCurrency(context, input, before.currency),
  );
  if (!updated.changed.some((name) => rules.includes(name))) return updated;
  await updateProgress(context, { courseId: id });
  // The update returned the course before people graduated.
  return { id };
}

/** A price without a currency takes that of the account, if it has one. */
async function withCurrency(
  { actor, db }: WriteContext,
  input: UpdateInput<CourseFields>,
  present: string | null,
): Promise<UpdateInput<CourseFields>> {
  const { attributes } = input;
  const { price = null, "price-currency": currency } = attributes;
  if (price === null || present !== null || currency !== undefined) return input;
  const [account] = await db<{ currency: string | null }[]>`
    select currency from account_facts where account_id = ${actor.accountId}`;
  if (!account?.currency) return input;
  return { ...input, attributes: { ...attributes, "price-currency": account.currency } };
}
