import { api } from "./client.ts";
import { forgetRows } from "./device.ts";
import { forgetPerson } from "./kept.ts";
import { forgetSheets } from "./kept-sheets.ts";
import { forgetSession } from "./session.ts";

/** Ends the session at the service and deletes what this device keeps about the person. */
export async function closeSession(personId: string): Promise<void> {
  await api.session.close();
  forgetSession();
  forgetPerson(personId);
  await forgetSheets();
  await forgetRows(personId);
}
