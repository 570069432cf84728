import type { WriteContext } from "../../jsonapi/definition/resource.ts";

/**
 * Locks the cells, courses, classes and sessions that change when people are deleted or merged, before the people. The account
 * must be locked. The returned function passes on the seats that become free in classes.
 */
export async function lockPlacesOf(
  context: WriteContext,
  personIds: readonly string[],
): Promise<() => Promise<void>> {
  const { lockCellsOf, lockCoursesOf } = context.catalogue.published;
  await lockCellsOf(context, personIds);
  return lockCoursesOf(context, personIds);
}
