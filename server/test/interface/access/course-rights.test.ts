import { after } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { json } from "../../../src/store/sql.ts";
import {
  enroll,
  makeClass,
  makeEnrollment,
  makeLesson,
  makeOpenClass,
  makeSession,
} from "../../support/courses.ts";
import { makeCourse, makeRow, type Member } from "../../support/make.ts";
import { document, identifiers, startService } from "../../support/service.ts";
import { type Act, makeStage, testTable } from "../../support/standings.ts";

/** The table of rights of the interface, for courses and everything that belongs to them. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { people, places } = stage;
const elsewhere = await makeCourse(db, account.id, "Elsewhere");

type Make = (by: Member) => Promise<string> | string;
type Attributes = () => Record<string, unknown>;
const to = (type: string, id: string) => ({ data: { type, id } });
const read =
  (type: string, make: Make): Act =>
  async (by) =>
    service.get(`/v1/${type}/${await make(by)}`, { as: by.token });
const change =
  (
    type: string,
    make: Make,
    attributes: Attributes,
    relationships: Record<string, unknown> = {},
  ): Act =>
  async (by) => {
    const id = await make(by);
    const body = document(type, attributes(), { id, relationships });
    return service.patch(`/v1/${type}/${id}`, body, { as: by.token });
  };
const remove =
  (type: string, make: Make): Act =>
  async (by) =>
    service.delete(`/v1/${type}/${await make(by)}`, { as: by.token });
/** Creates a resource at a place. */
const create =
  (type: string, attributes: Attributes, place: [name: string, type: string, make: Make]): Act =>
  async (by) => {
    const [name, placeType, make] = place;
    const relationships = { [name]: to(placeType, await make(by)) };
    return service.post(`/v1/${type}`, document(type, attributes(), { relationships }), {
      as: by.token,
    });
  };

/** A class of a course that the coordinator has, with the teacher. */
const taught = async (columns: Record<string, string>): Promise<string> => {
  const id = await makeClass(db, account.id, places.course, columns);
  await db`insert into course_class_teachers values (${account.id}, ${id}, ${people["teacher"].id})`;
  return id;
};
const ownClass = () => taught({});
/** A class of the same course with other teachers. */
const classBeside = () => makeClass(db, account.id, places.course);
const classElsewhere = () => makeClass(db, account.id, elsewhere);
const ownDraft = () => taught({ status: "draft" });
const draftBeside = () => makeClass(db, account.id, places.course, { status: "draft" });
const draftElsewhere = () => makeClass(db, account.id, elsewhere, { status: "draft" });
const termOf = (make: () => Promise<string>) => async () => {
  const id = await make();
  const schedule = [{ "weekday": 2, "starts-at": 600, "ends-at": 660 }];
  await db`
    update course_classes set starts = '2027-03-01T00:00:00Z', ends = '2027-03-09T00:00:00Z',
      schedule = ${json(schedule)}::jsonb
    where account_id = ${account.id} and id = ${id}`;
  return id;
};
const sessionIn = (make: () => Promise<string>) => async () =>
  makeSession(db, account.id, await make());
let lessons = 0;
const nextNumber = () => (lessons += 1);
const lessonIn = (course: string) => () => makeLesson(db, account.id, course, nextNumber());
// Requirements only warn, so that people can enroll in the same courses.
const requirementIn = (course: string) => () =>
  makeRow(db, "course_requirements", account.id, {
    course_id: course,
    kind: "baptized",
    enforcement: "warn",
  });
const newCourse = () => makeCourse(db, account.id);
const baptized = () => ({ kind: "baptized", enforcement: "warn" });

const named = () => ({ name: newId() });
const numbered = () => ({ name: "Lesson", number: nextNumber() });
const dated = () => ({ date: "2027-03-02" });
const none = () => ({});
const appoint =
  (make: Make): Act =>
  async (by) => {
    const route = `/v1/course-classes/${await make(by)}/relationships/teachers`;
    // Every standing may name themselves.
    return service.post(route, identifiers("people", [by.id]), { as: by.token });
  };

/** An enrollment of another person, or one's own. */
const enrollmentIn = (make: () => Promise<string>) => async () =>
  makeEnrollment(db, account.id, await make());
const ownEnrollment =
  (status = "active"): Make =>
  async ({ id: person_id }) =>
    makeEnrollment(db, account.id, await classElsewhere(), { person_id, status });
const newPerson = () => ({ "new-person": { "full-name": "Ana Lima" } });
const enrollOneself: Act = async (by) => {
  const { classId } = await makeOpenClass(db, account.id);
  return enroll(service, { classId, personId: by.id, as: by.token });
};
const paid = () => ({ "payment-status": "paid" });
const withdrawn = () => ({ status: "withdrawn" });
const waived = () => ({
  "status": "completed",
  "graduation-waived": true,
  "waiver-note": "By exam",
});

const materialIn = (course: string, columns: Record<string, string>) => () =>
  makeRow(db, "course_materials", account.id, { course_id: course, title: "Guide", ...columns });
const materialOf = (make: () => Promise<string>, publish_status: string) => async () =>
  materialIn(places.course, { class_id: await make(), publish_status })();
const createMaterial =
  (makeOf?: () => Promise<string>): Act =>
  async ({ token: as }) => {
    const relationships = {
      course: to("courses", places.course),
      ...(makeOf && { class: to("course-classes", await makeOf()) }),
    };
    const attributes = { "title": "Guide", "material-type": "text" };
    const body = document("course-materials", attributes, { relationships });
    return service.post("/v1/course-materials", body, { as });
  };
const titled = () => ({ title: newId() });
const forTeachers = { audience: "teacher", publish_status: "unlisted" };

// The marks: full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, course
// coordinator, teacher, member.
testTable(stage, [
  ["reading a course", "+ + + + + + + + + +", read("courses", () => places.course)],
  [
    "creating a course",
    "+ + + 3 3 3 3 3 3 3",
    ({ token: as }) => service.post("/v1/courses", document("courses", { name: "New" }), { as }),
  ],
  ["changing the own course", "+ + + 3 3 3 3 + 3 3", change("courses", () => places.course, named)],
  ["changing another course", "+ + + 3 3 3 3 3 3 3", change("courses", () => elsewhere, named)],
  [
    "making the own course public",
    "+ + + 3 3 3 3 3 3 3",
    async (by, standing) => {
      await db`update courses set is_public = false where id = ${places.course}`;
      return change(
        "courses",
        () => places.course,
        () => ({ "is-public": true }),
      )(by, standing);
    },
  ],
  ["deleting a course", "+ + 3 3 3 3 3 3 3 3", remove("courses", newCourse)],

  ["reading a lesson", "+ + + + + + + + + +", read("course-lessons", lessonIn(elsewhere))],
  [
    "adding a lesson to the own course",
    "+ + + 3 3 3 3 + 3 3",
    create("course-lessons", numbered, ["course", "courses", () => places.course]),
  ],
  [
    "adding a lesson to another course",
    "+ + + 3 3 3 3 3 3 3",
    create("course-lessons", numbered, ["course", "courses", () => elsewhere]),
  ],
  [
    "changing a lesson of the own course",
    "+ + + 3 3 3 3 + 3 3",
    change("course-lessons", lessonIn(places.course), named),
  ],
  [
    "deleting a lesson of the own course",
    "+ + + 3 3 3 3 + 3 3",
    remove("course-lessons", lessonIn(places.course)),
  ],
  [
    "deleting a lesson of another course",
    "+ + + 3 3 3 3 3 3 3",
    remove("course-lessons", lessonIn(elsewhere)),
  ],

  [
    "reading a requirement",
    "+ + + + + + + + + +",
    read("course-requirements", requirementIn(elsewhere)),
  ],
  [
    "adding a requirement to the own course",
    "+ + + 3 3 3 3 + 3 3",
    create("course-requirements", baptized, ["course", "courses", () => places.course]),
  ],
  [
    "adding a requirement to another course",
    "+ + + 3 3 3 3 3 3 3",
    create("course-requirements", baptized, ["course", "courses", newCourse]),
  ],
  [
    "deleting a requirement of the own course",
    "+ + + 3 3 3 3 + 3 3",
    remove("course-requirements", requirementIn(places.course)),
  ],

  ["reading a class", "+ + + + + + + + + +", read("course-classes", classElsewhere)],
  ["reading a draft of the own class", "+ + + + 4 4 4 + + 4", read("course-classes", ownDraft)],
  ["reading a draft beside it", "+ + + + 4 4 4 + 4 4", read("course-classes", draftBeside)],
  ["reading a draft elsewhere", "+ + + + 4 4 4 4 4 4", read("course-classes", draftElsewhere)],
  [
    "creating a class of the own course",
    "+ + + 3 3 3 3 + 3 3",
    create("course-classes", named, ["course", "courses", () => places.course]),
  ],
  [
    "creating a class of another course",
    "+ + + 3 3 3 3 3 3 3",
    create("course-classes", named, ["course", "courses", () => elsewhere]),
  ],
  ["changing the own class", "+ + + 3 3 3 3 + + 3", change("course-classes", ownClass, named)],
  [
    "changing a class beside it",
    "+ + + 3 3 3 3 + 3 3",
    change("course-classes", classBeside, named),
  ],
  [
    "changing a class elsewhere",
    "+ + + 3 3 3 3 3 3 3",
    change("course-classes", classElsewhere, named),
  ],
  [
    "changing a draft beside it",
    "+ + + 3 3 3 3 + 4 3",
    change("course-classes", draftBeside, named),
  ],
  ["appointing teachers of the own class", "+ + + 3 3 3 3 + 3 3", appoint(ownClass)],
  ["appointing teachers elsewhere", "+ + + 3 3 3 3 3 3 3", appoint(classElsewhere)],
  ["deleting the own class", "+ + + 3 3 3 3 + 3 3", remove("course-classes", ownClass)],
  ["deleting a class elsewhere", "+ + + 3 3 3 3 3 3 3", remove("course-classes", classElsewhere)],

  [
    "reading a session of the own class",
    "+ + + 3 3 3 3 + + 3",
    read("course-sessions", sessionIn(ownClass)),
  ],
  [
    "reading a session beside it",
    "+ + + 3 3 3 3 + 4 3",
    read("course-sessions", sessionIn(classBeside)),
  ],
  [
    "reading a session elsewhere",
    "+ + + 3 3 3 3 4 4 3",
    read("course-sessions", sessionIn(classElsewhere)),
  ],
  [
    "adding a session to the own class",
    "+ + + 3 3 3 3 + + 3",
    create("course-sessions", dated, ["class", "course-classes", ownClass]),
  ],
  [
    "adding a session to a class beside it",
    "+ + + 3 3 3 3 + 3 3",
    create("course-sessions", dated, ["class", "course-classes", classBeside]),
  ],
  [
    "adding a session elsewhere",
    "+ + + 3 3 3 3 3 3 3",
    create("course-sessions", dated, ["class", "course-classes", classElsewhere]),
  ],
  [
    "changing a session of the own class",
    "+ + + 3 3 3 3 + + 3",
    change("course-sessions", sessionIn(ownClass), () => ({ status: "held" })),
  ],
  [
    "deleting a session of the own class",
    "+ + + 3 3 3 3 + + 3",
    remove("course-sessions", sessionIn(ownClass)),
  ],
  [
    "deleting a session elsewhere",
    "+ + + 3 3 3 3 4 4 3",
    remove("course-sessions", sessionIn(classElsewhere)),
  ],
  [
    "planning the sessions of the own class",
    "+ + + 3 3 3 3 + + 3",
    create("course-session-plans", none, ["class", "course-classes", termOf(ownClass)]),
  ],
  [
    "planning the sessions elsewhere",
    "+ + + 3 3 3 3 3 3 3",
    create("course-session-plans", none, ["class", "course-classes", termOf(classElsewhere)]),
  ],

  [
    "reading an enrollment of the own class",
    "+ + + + 4 4 4 + + 4",
    read("course-enrollments", enrollmentIn(ownClass)),
  ],
  [
    "reading an enrollment beside it",
    "+ + + + 4 4 4 + 4 4",
    read("course-enrollments", enrollmentIn(classBeside)),
  ],
  [
    "reading an enrollment elsewhere",
    "+ + + + 4 4 4 4 4 4",
    read("course-enrollments", enrollmentIn(classElsewhere)),
  ],
  [
    "reading one's own enrollment",
    "+ + + + + + + + + +",
    read("course-enrollments", ownEnrollment()),
  ],
  [
    "enrolling a new person in the own class",
    "+ + + + 3 3 3 + + 3",
    create("course-enrollments", newPerson, ["class", "course-classes", ownClass]),
  ],
  [
    "enrolling a new person in a class beside it",
    "+ + + + 3 3 3 + 3 3",
    create("course-enrollments", newPerson, ["class", "course-classes", classBeside]),
  ],
  [
    "enrolling a new person elsewhere",
    "+ + + + 3 3 3 3 3 3",
    create("course-enrollments", newPerson, ["class", "course-classes", classElsewhere]),
  ],
  ["enrolling oneself where the policy is open", "+ + + + + + + + + +", enrollOneself],
  [
    "changing an enrollment of the own class",
    "+ + + + 4 4 4 + + 4",
    change("course-enrollments", enrollmentIn(ownClass), paid),
  ],
  [
    "changing an enrollment beside it",
    "+ + + + 4 4 4 + 4 4",
    change("course-enrollments", enrollmentIn(classBeside), paid),
  ],
  [
    "changing an enrollment elsewhere",
    "+ + + + 4 4 4 4 4 4",
    change("course-enrollments", enrollmentIn(classElsewhere), paid),
  ],
  [
    "changing the payment of one's own enrollment",
    "+ + + + 3 3 3 3 3 3",
    change("course-enrollments", ownEnrollment(), paid),
  ],
  [
    "withdrawing an enrollment of the own class",
    "+ + + + 4 4 4 + + 4",
    change("course-enrollments", enrollmentIn(ownClass), withdrawn),
  ],
  [
    "withdrawing oneself",
    "+ + + + + + + + + +",
    change("course-enrollments", ownEnrollment(), withdrawn),
  ],
  [
    "cancelling one's own request",
    "+ + + + + + + + + +",
    change("course-enrollments", ownEnrollment("requested"), () => ({ status: "cancelled" })),
  ],
  [
    "accepting one's own request",
    "+ + + + 3 3 3 3 3 3",
    change("course-enrollments", ownEnrollment("requested"), () => ({ status: "active" })),
  ],
  [
    "completing an enrollment of the own class by a waiver",
    "+ + + 3 4 4 4 + 3 4",
    change("course-enrollments", enrollmentIn(ownClass), waived),
  ],
  [
    "completing an enrollment elsewhere by a waiver",
    "+ + + 3 4 4 4 4 4 4",
    change("course-enrollments", enrollmentIn(classElsewhere), waived),
  ],
  [
    "deleting an enrollment of the own class",
    "+ + + 3 3 3 3 + 3 3",
    remove("course-enrollments", enrollmentIn(ownClass)),
  ],
  [
    "deleting an enrollment elsewhere",
    "+ + + 3 3 3 3 4 3 3",
    remove("course-enrollments", enrollmentIn(classElsewhere)),
  ],
  [
    "deleting one's own enrollment",
    "+ + + 3 3 3 3 3 3 3",
    remove("course-enrollments", ownEnrollment()),
  ],

  [
    "reading a draft of the own course",
    "+ + + 4 4 4 4 + 4 4",
    read("course-materials", materialIn(places.course, {})),
  ],
  [
    "reading a material for the teachers of the own course",
    "+ + + 4 4 4 4 + + 4",
    read("course-materials", materialIn(places.course, forTeachers)),
  ],
  [
    "reading a material of the own class that is a draft",
    "+ + + 4 4 4 4 + + 4",
    read("course-materials", materialOf(ownClass, "draft")),
  ],
  [
    "reading a material of a class beside",
    "+ + + 4 4 4 4 + 4 4",
    read("course-materials", materialOf(classBeside, "unlisted")),
  ],
  [
    "reading a public material of another course",
    "+ + + + + + + + + +",
    read("course-materials", materialIn(elsewhere, { publish_status: "public" })),
  ],
  ["adding a material to the own class", "+ + + 3 3 3 3 + + 3", createMaterial(ownClass)],
  ["adding a material to a class beside", "+ + + 3 3 3 3 + 3 3", createMaterial(classBeside)],
  ["adding a material to the own course", "+ + + 3 3 3 3 + 3 3", createMaterial()],
  [
    "changing a material of the own class",
    "+ + + 3 3 3 3 + + 3",
    change("course-materials", materialOf(ownClass, "draft"), titled),
  ],
  [
    "changing a material of the own course",
    "+ + + 3 3 3 3 + 3 3",
    change("course-materials", materialIn(places.course, forTeachers), titled),
  ],
  [
    "deleting a material of the own class",
    "+ + + 3 3 3 3 + + 3",
    remove("course-materials", materialOf(ownClass, "draft")),
  ],
  [
    "deleting a material of a class beside",
    "+ + + 3 3 3 3 + 4 3",
    remove("course-materials", materialOf(classBeside, "unlisted")),
  ],
]);
