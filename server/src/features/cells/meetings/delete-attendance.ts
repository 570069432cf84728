import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { assertNotClosed, rightsAt } from "./reporting-rights.ts";
import { meetingSettings } from "./settings.ts";

/** DELETE /v1/cell-attendances/:id needs the rights of the report. */
export async function deleteAttendance(context: WriteContext, id: string): Promise<void> {
  const { actor, db, resource } = context;
  const [row] = await db<{ cell_id: string; date: string }[]>`
    select cell_id, date::text from cell_attendances
    where account_id = ${actor.accountId} and id = ${id}`;
  if (row) {
    const rights = await rightsAt(context, row.cell_id);
    if (rights.report)
      assertNotClosed(rights, row.date, await meetingSettings(db, actor.accountId));
  }
  await deleteRow(context, resource, id);
}
