import { freePort } from "../../src/store/embedded.ts";
import { makeClass } from "../support/courses.ts";
import { makeCourse, makePerson, makeRow } from "../support/make.ts";
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

/** A class with one session, for clients that enroll a person. */
export async function makeTerm({ service: { account, db } }: Setting) {
  const course = await makeCourse(db, account.id, "Discipleship");
  const classId = await makeClass(db, account.id, course);
  const session = await makeRow(db, "course_sessions", account.id, {
    course_id: course,
    class_id: classId,
    date: "2026-03-03",
  });
  return { course, classId, session };
}
