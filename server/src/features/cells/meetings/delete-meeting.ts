import { forbidden } from "../../../base/errors.ts";
import type { WriteContext } from "../../../jsonapi/definition/resource.ts";
import { deleteRow } from "../../../jsonapi/sql/write.ts";
import { assertNotClosed, rightsAt } from "./reporting-rights.ts";
import { meetingSettings } from "./settings.ts";

/** DELETE /v1/cell-meetings/:id. Foreign keys delete the attendances. */
export async function deleteMeeting(context: WriteContext, id: string): Promise<void> {
  const { actor, db, resource } = context;
  const [meeting] = await db<{ cell_id: string; date: string; reported: boolean }[]>`
    select cell_id, date::text, submitted_at is not null as reported
    from cell_meetings where account_id = ${actor.accountId} and id = ${id} for update`;
  if (meeting) {
    const rights = await rightsAt(context, meeting.cell_id);
    if (rights.write && !rights.isSupervisor && meeting.reported)
      throw forbidden("A reported meeting is deleted by a supervisor.");
    if (rights.write)
      assertNotClosed(rights, meeting.date, await meetingSettings(db, actor.accountId));
  }
  await deleteRow(context, resource, id);
}
