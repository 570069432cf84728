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
import { identifiers, startService } from "../../support/service.ts";
import {
  type Act,
  type Make,
  makeStage,
  type Rights,
  sends,
  testRights,
  to,
} from "../../support/standings.ts";

/**
 * The table of rights of the interface, for courses and everything that belongs to them. The coordinator has the course `own`,
 * and the teacher has its classes `own`. Classes `beside` are of the same course and have other teachers.
 */

const service = await startService();
after(() => service.stop());
const { account, db } = service;
const stage = await makeStage(service);
const { people, places } = stage;
const elsewhere = await makeCourse(db, account.id, "Elsewhere");
const row = (table: string, columns: Parameters<typeof makeRow>[3]) =>
  makeRow(db, table, account.id, columns);

const course = { own: places.course, elsewhere };
const courses = { own: () => course.own, elsewhere: () => course.elsewhere };
type Columns = Record<string, string>;
const classOf =
  (where: "own" | "beside" | "elsewhere", columns: Columns = {}) =>
  async (): Promise<string> => {
    const resource = course[where === "elsewhere" ? where : "own"];
    const id = await makeClass(db, account.id, resource, columns);
    if (where === "own")
      await db`insert into course_class_teachers values (${account.id}, ${id}, ${people["teacher"].id})`;
    return id;
  };
const classes = {
  own: classOf("own"),
  beside: classOf("beside"),
  elsewhere: classOf("elsewhere"),
};
const draft = { status: "draft" };
const schedule = json([{ "weekday": 2, "starts-at": 600, "ends-at": 660 }]) as never;
const term = { starts: "2027-03-01T00:00:00Z", ends: "2027-03-09T00:00:00Z", schedule };

/** The same rows in each place. */
const inEach = <Place extends string>(
  all: Readonly<Record<Place, Make>>,
  make: (place: string, by: Member) => Promise<string>,
) =>
  Object.fromEntries(
    (Object.entries(all) as [Place, Make][]).map(([place, at]): [Place, Make] => [
      place,
      async (by, standing) => make(await at(by, standing), by),
    ]),
  ) as Record<Place, Make>;

let numbers = 0;
const nextNumber = () => (numbers += 1);
const lesson = (course_id: string) => makeLesson(db, account.id, course_id, nextNumber());
const session = (class_id: string) => makeSession(db, account.id, class_id);
const taskIn = (course_id: string) => row("course_tasks", { course_id, name: "Read" });
// Requirements only warn, so that people can enroll in the same courses.
const requirementOf = (course_id: string) =>
  row("course_requirements", { course_id, kind: "baptized", enforcement: "warn" });

const enrollmentIn = (class_id: string) => makeEnrollment(db, account.id, class_id);
const ownEnrollment =
  (status = "active"): Make =>
  async ({ id: person_id }) =>
    makeEnrollment(db, account.id, await classes.elsewhere(), { person_id, status });
const ofEnrollment = async (id: string) => {
  const [found] = await db<{ course_id: string; class_id: string; person_id: string }[]>`
    select course_id, class_id, person_id from course_enrollments
    where account_id = ${account.id} and id = ${id}`;
  return { course_id: "", class_id: "", person_id: "", ...found, enrollment_id: id };
};
const attendanceOf = async (enrollment: string) => {
  const resource = await ofEnrollment(enrollment);
  const day = {
    session_id: await session(resource.class_id),
    date: "2026-03-03",
    status: "present",
  };
  return row("course_attendances", { ...resource, ...day });
};
const workOf = async (enrollment: string) => {
  const resource = await ofEnrollment(enrollment);
  return row("course_task_completions", {
    ...resource,
    task_id: await taskIn(resource.course_id),
    text: "A",
  });
};
/** Rows that belong to enrollments of others, and to one of the caller. */
const ofEnrollments = (make: (enrollment: string) => Promise<string>) => ({
  ...inEach(classes, async (id) => make(await enrollmentIn(id))),
  mine: (async (by, standing) => make(await ownEnrollment()(by, standing))) as Make,
});
const sheetOf = async (class_id: string) => {
  const { course_id } = await ofEnrollment(await enrollmentIn(class_id));
  const counts = { recorded_count: 1, changed_count: 1 };
  return row("course_attendance_sheets", {
    course_id,
    class_id,
    session_id: await session(class_id),
    ...counts,
  });
};

const material = (course_id: string, columns: Columns) =>
  row("course_materials", { course_id, title: "Guide", ...columns });
const materialOf = async (class_id: string, publish_status: string) =>
  material(course.own, { class_id, publish_status });
const addMaterial =
  (makeClassOf?: () => Promise<string>): Act =>
  async ({ token: as }) => {
    const relationships = {
      course: to("courses", course.own),
      ...(makeClassOf && { class: to("course-classes", await makeClassOf()) }),
    };
    const attributes = { "title": "Guide", "material-type": "text" };
    const data = { type: "course-materials", attributes, relationships };
    return service.post("/v1/course-materials", { data }, { as });
  };
/** Every standing may name themselves. */
const appoint =
  (make: () => Promise<string>): Act =>
  async ({ id, token: as }) => {
    const path = `/v1/course-classes/${await make()}/relationships/teachers`;
    return service.post(path, identifiers("people", [id]), { as });
  };
const post = (type: string, attributes: object, relationships: object, as: string) =>
  service.post(`/v1/${type}`, { data: { type, attributes, relationships } }, { as });
const record =
  (make: () => Promise<string>): Act =>
  async ({ token: as }) => {
    const id = await make();
    const at = { session: to("course-sessions", await session(id)) };
    const whose = { enrollment: to("course-enrollments", await enrollmentIn(id)) };
    return post("course-attendances", { status: "present" }, { ...at, ...whose }, as);
  };
const sheet =
  (make: () => Promise<string>): Act =>
  async ({ token: as }) => {
    const id = await make();
    const entries = [{ "enrollment-id": await enrollmentIn(id), "status": "present" }];
    const at = { session: to("course-sessions", await session(id)) };
    return post("course-attendance-sheets", { entries }, at, as);
  };
const handIn =
  (make: Make): Act =>
  async (by, standing) => {
    const enrollment = await make(by, standing);
    const { course_id } = await ofEnrollment(enrollment);
    const relationships = {
      task: to("course-tasks", await taskIn(course_id)),
      enrollment: to("course-enrollments", enrollment),
    };
    return post("course-task-completions", { text: "A" }, relationships, by.token);
  };

const named = () => ({ attributes: { name: newId() } });
const teaching = { audience: "teacher", publish_status: "unlisted" };

const rights = {
  rows: {
    "courses": { ...courses, new: () => makeCourse(db, account.id) },
    "course-lessons": inEach(courses, lesson),
    "course-requirements": inEach(courses, requirementOf),
    "course-tasks": {
      ...inEach(courses, taskIn),
      new: async () => taskIn(await makeCourse(db, account.id)),
    },
    "course-classes": {
      ...classes,
      "draft of own": classOf("own", draft),
      "draft beside": classOf("beside", draft),
      "draft elsewhere": classOf("elsewhere", draft),
      "with a term, own": classOf("own", term),
      "with a term, elsewhere": classOf("elsewhere", term),
    },
    "course-sessions": inEach(classes, session),
    "course-enrollments": {
      ...ofEnrollments(async (id) => id),
      "my request": ownEnrollment("requested"),
    },
    "course-attendances": ofEnrollments(attendanceOf),
    "course-attendance-sheets": inEach(classes, sheetOf),
    "course-task-completions": ofEnrollments(workOf),
    "course-materials": {
      "draft of own course": () => material(course.own, {}),
      "for teachers of own course": () => material(course.own, teaching),
      "draft of own class": async () => materialOf(await classes.own(), "draft"),
      "of class beside": async () => materialOf(await classes.beside(), "unlisted"),
      "public, elsewhere": () => material(elsewhere, { publish_status: "public" }),
    },
  },
  placed: {
    "course-lessons": ["course", "courses"],
    "course-requirements": ["course", "courses"],
    "course-tasks": ["course", "courses"],
    "course-classes": ["course", "courses"],
    "course-sessions": ["class", "course-classes"],
    "course-session-plans": ["class", "course-classes"],
    "course-enrollments": ["class", "course-classes"],
  },
  sent: {
    "create courses": named,
    "change courses": named,
    "create course-lessons": () => ({ attributes: { name: "Lesson", number: nextNumber() } }),
    "change course-lessons": named,
    "create course-requirements": sends({ kind: "baptized", enforcement: "warn" }),
    "create course-tasks": named,
    "change course-tasks": sends({ points: 5 }),
    "create course-classes": named,
    "change course-classes": named,
    "create course-sessions": sends({ date: "2027-03-02" }),
    "change course-sessions": sends({ status: "held" }),
    "create course-enrollments": sends({ "new-person": { "full-name": "Ana Lima" } }),
    "change course-enrollments": sends({ "payment-status": "paid" }),
    "withdraw course-enrollments": sends({ status: "withdrawn" }),
    "cancel course-enrollments": sends({ status: "cancelled" }),
    "accept course-enrollments": sends({ status: "active" }),
    "waive course-enrollments": sends({
      "status": "completed",
      "graduation-waived": true,
      "waiver-note": "By exam",
    }),
    "change course-attendances": sends({ status: "absent" }),
    "review course-task-completions": sends({ status: "accepted" }),
    "change course-task-completions": sends({ text: "B" }),
    "change course-materials": () => ({ attributes: { title: newId() } }),
  },
  acts: {
    "publish courses: own": async ({ token: as }) => {
      await db`update courses set is_public = false where id = ${course.own}`;
      const data = { type: "courses", id: course.own, attributes: { "is-public": true } };
      return service.patch(`/v1/courses/${course.own}`, { data }, { as });
    },
    "appoint teachers: of own class": appoint(classes.own),
    "appoint teachers: of class elsewhere": appoint(classes.elsewhere),
    "enroll oneself where the policy is open": async ({ id: personId, token: as }) => {
      const { classId } = await makeOpenClass(db, account.id);
      return enroll(service, { classId, personId, as });
    },
    "create course-materials: of own class": addMaterial(classes.own),
    "create course-materials: of class beside": addMaterial(classes.beside),
    "create course-materials: of own course": addMaterial(),
    "create course-attendances: own": record(classes.own),
    "create course-attendances: beside": record(classes.beside),
    "create course-attendances: elsewhere": record(classes.elsewhere),
    "create course-attendance-sheets: own": sheet(classes.own),
    "create course-attendance-sheets: elsewhere": sheet(classes.elsewhere),
    "hand in work: mine": handIn(ownEnrollment()),
    "hand in work: own": handIn(async () => enrollmentIn(await classes.own())),
    "hand in work: elsewhere": handIn(async () => enrollmentIn(await classes.elsewhere())),
  },
} satisfies Rights;

// Full administrator, administrator, pastor, secretary, supervisor, cell leader, cell trainee, course coordinator, teacher,
// member.
testRights(
  service,
  stage,
  rights,
  `
  + + + + + + + + + +  read courses: own
  + + + 3 3 3 3 3 3 3  create courses: new
  + + + 3 3 3 3 + 3 3  change courses: own
  + + + 3 3 3 3 3 3 3  change courses: elsewhere
  + + + 3 3 3 3 3 3 3  publish courses: own
  + + 3 3 3 3 3 3 3 3  delete courses: new

  + + + + + + + + + +  read course-lessons: elsewhere
  + + + 3 3 3 3 + 3 3  create course-lessons: own
  + + + 3 3 3 3 3 3 3  create course-lessons: elsewhere
  + + + 3 3 3 3 + 3 3  change course-lessons: own
  + + + 3 3 3 3 + 3 3  delete course-lessons: own
  + + + 3 3 3 3 3 3 3  delete course-lessons: elsewhere

  + + + + + + + + + +  read course-requirements: elsewhere
  + + + 3 3 3 3 + 3 3  create course-requirements: own
  + + + 3 3 3 3 3 3 3  create course-requirements: new
  + + + 3 3 3 3 + 3 3  delete course-requirements: own

  + + + + + + + + + +  read course-classes: elsewhere
  + + + + 4 4 4 + + 4  read course-classes: draft of own
  + + + + 4 4 4 + 4 4  read course-classes: draft beside
  + + + + 4 4 4 4 4 4  read course-classes: draft elsewhere
  + + + 3 3 3 3 + 3 3  create course-classes: own
  + + + 3 3 3 3 3 3 3  create course-classes: elsewhere
  + + + 3 3 3 3 + + 3  change course-classes: own
  + + + 3 3 3 3 + 3 3  change course-classes: beside
  + + + 3 3 3 3 3 3 3  change course-classes: elsewhere
  + + + 3 3 3 3 + 4 3  change course-classes: draft beside
  + + + 3 3 3 3 + 3 3  appoint teachers: of own class
  + + + 3 3 3 3 3 3 3  appoint teachers: of class elsewhere
  + + + 3 3 3 3 + 3 3  delete course-classes: own
  + + + 3 3 3 3 3 3 3  delete course-classes: elsewhere

  + + + 4 4 4 4 + + 4  read course-sessions: own
  + + + 4 4 4 4 + 4 4  read course-sessions: beside
  + + + 4 4 4 4 4 4 4  read course-sessions: elsewhere
  + + + 3 3 3 3 + + 3  create course-sessions: own
  + + + 3 3 3 3 + 3 3  create course-sessions: beside
  + + + 3 3 3 3 3 3 3  create course-sessions: elsewhere
  + + + 3 3 3 3 + + 3  change course-sessions: own
  + + + 3 3 3 3 + + 3  delete course-sessions: own
  + + + 3 3 3 3 4 4 3  delete course-sessions: elsewhere
  + + + 3 3 3 3 + + 3  create course-session-plans: with a term, own
  + + + 3 3 3 3 3 3 3  create course-session-plans: with a term, elsewhere

  + + + + 4 4 4 + + 4  read course-enrollments: own
  + + + + 4 4 4 + 4 4  read course-enrollments: beside
  + + + + 4 4 4 4 4 4  read course-enrollments: elsewhere
  + + + + + + + + + +  read course-enrollments: mine
  + + + + 3 3 3 + + 3  create course-enrollments: own
  + + + + 3 3 3 + 3 3  create course-enrollments: beside
  + + + + 3 3 3 3 3 3  create course-enrollments: elsewhere
  + + + + + + + + + +  enroll oneself where the policy is open
  + + + + 4 4 4 + + 4  change course-enrollments: own
  + + + + 4 4 4 + 4 4  change course-enrollments: beside
  + + + + 4 4 4 4 4 4  change course-enrollments: elsewhere
  + + + + 3 3 3 3 3 3  change course-enrollments: mine
  + + + + 4 4 4 + + 4  withdraw course-enrollments: own
  + + + + + + + + + +  withdraw course-enrollments: mine
  + + + + + + + + + +  cancel course-enrollments: my request
  + + + + 3 3 3 3 3 3  accept course-enrollments: my request
  + + + 3 4 4 4 + 3 4  waive course-enrollments: own
  + + + 3 4 4 4 4 4 4  waive course-enrollments: elsewhere
  + + + 3 3 3 3 + 3 3  delete course-enrollments: own
  + + + 3 3 3 3 4 3 3  delete course-enrollments: elsewhere
  + + + 3 3 3 3 3 3 3  delete course-enrollments: mine

  + + + 4 4 4 4 + 4 4  read course-materials: draft of own course
  + + + 4 4 4 4 + + 4  read course-materials: for teachers of own course
  + + + 4 4 4 4 + + 4  read course-materials: draft of own class
  + + + 4 4 4 4 + 4 4  read course-materials: of class beside
  + + + + + + + + + +  read course-materials: public, elsewhere
  + + + 3 3 3 3 + + 3  create course-materials: of own class
  + + + 3 3 3 3 + 3 3  create course-materials: of class beside
  + + + 3 3 3 3 + 3 3  create course-materials: of own course
  + + + 3 3 3 3 + + 3  change course-materials: draft of own class
  + + + 3 3 3 3 + 3 3  change course-materials: for teachers of own course
  + + + 3 3 3 3 + + 3  delete course-materials: draft of own class
  + + + 3 3 3 3 + 4 3  delete course-materials: of class beside

  + + + + 4 4 4 + + 4  read course-attendances: own
  + + + + 4 4 4 + 4 4  read course-attendances: beside
  + + + + 4 4 4 4 4 4  read course-attendances: elsewhere
  + + + + + + + + + +  read course-attendances: mine
  + + + 3 3 3 3 + + 3  create course-attendances: own
  + + + 3 3 3 3 + 3 3  create course-attendances: beside
  + + + 3 3 3 3 3 3 3  create course-attendances: elsewhere
  + + + 3 3 3 3 + + 3  change course-attendances: own
  + + + 3 3 3 3 3 3 3  change course-attendances: mine
  + + + 3 3 3 3 + + 3  delete course-attendances: own
  + + + 3 3 3 3 + + 3  create course-attendance-sheets: own
  + + + 3 3 3 3 3 3 3  create course-attendance-sheets: elsewhere
  + + + + 3 3 3 + + 3  read course-attendance-sheets: own
  + + + + 3 3 3 4 4 3  read course-attendance-sheets: elsewhere

  + + + 4 4 4 4 + + 4  read course-tasks: own
  + + + 4 4 4 4 4 4 4  read course-tasks: new
  + + + 3 3 3 3 + 3 3  create course-tasks: own
  + + + 3 3 3 3 3 3 3  create course-tasks: elsewhere
  + + + 3 3 3 3 + 3 3  change course-tasks: own
  + + + 3 3 3 3 + 3 3  delete course-tasks: own
  + + + + + + + + + +  hand in work: mine
  + + + 3 3 3 3 + + 3  hand in work: own
  + + + 3 3 3 3 3 3 3  hand in work: elsewhere
  + + + 4 4 4 4 + + 4  read course-task-completions: own
  + + + 4 4 4 4 + + 4  review course-task-completions: own
  + + + 4 4 4 4 4 4 4  review course-task-completions: elsewhere
  + + + 3 3 3 3 3 3 3  review course-task-completions: mine
  + + + + + + + + + +  change course-task-completions: mine
  + + + 3 3 3 3 + + 3  delete course-task-completions: own
  `,
);
