import type { Tx } from "../../../store/db.ts";

/** The settings of an account on which meetings depend, and its present date. */
export interface MeetingSettings {
  today: string;
  reportEditDays: number;
  takesOfferings: boolean;
}

export async function meetingSettings(tx: Tx, accountId: string): Promise<MeetingSettings> {
  const [settings] = await tx<MeetingSettings[]>`
    select today_in(account_id)::text as today, report_edit_days as "reportEditDays",
      takes_offerings as "takesOfferings"
    from account_facts where account_id = ${accountId}`;
  if (!settings) throw new Error("The account of the caller does not exist.");
  return settings;
}
