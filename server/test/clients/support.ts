import { freePort } from "../../src/store/embedded.ts";
import { makeCourse, makePerson } from "../support/make.ts";
import { FIRST_PARTY, startService, type TestService } from "../support/service.ts";

/** The setting of every client: a service with three courses and two people who could teach them. */
export interface Setting {
  service: TestService;
  /** Where a client finds the interface. */
  url: string;
  /** The headers of a first party: an origin and a bearer token. */
  headers: { Origin: string; Authorization: string };
  administrator: string;
  tess: string;
  theo: string;
}

/** The courses that are there at first, by name. */
export const courses = ["Baptism", "Foundations", "Marriage"];

export async function startSetting(): Promise<Setting> {
  // Clients follow links, so these have to lead to the service.
  const service = await startService({ publicUrl: `http://127.0.0.1:${await freePort()}` });
  const { db } = service;
  const { administrator, id } = service.account;
  for (const name of courses) await makeCourse(db, id, name);
  const tess = await makePerson(db, id, { fullName: "Tess Teacher" });
  const theo = await makePerson(db, id, { fullName: "Theo Teacher" });
  return {
    service,
    url: `${service.url}/v1`,
    headers: { Origin: FIRST_PARTY, Authorization: `Bearer ${administrator.token}` },
    administrator: administrator.id,
    tess: tess.id,
    theo: theo.id,
  };
}
