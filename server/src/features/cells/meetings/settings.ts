import type { Tx } from "../../../store/db.ts";

/** The settings of an account on which meetings depend, and its present date. */
export interface MeetingSettings {
  today: string;
  reportEditDays: number;
  takesOfferings: boolean;
}

export async function meetingSettings(tx: Tx, accountId: string): Promise<MeetingSettings> {
  const [settings] = await tx<MeetingSettings[]>`
    select today_in(id)::text as today, coalesce((settings ->> 'report-edit-days')::integer, 14) as "reportEditDays",
      coalesce((settings ->> 'meeting-offerings')::boolean, false) as "takesOfferings"
    from accounts where id = ${accountId}`;
  if (!settings) throw new Error("The account of the caller does not exist.");
  return settings;
}
