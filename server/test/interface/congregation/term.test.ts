import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Die, seedOf } from "../../../src/sample-data/random.ts";
import { makeEndpoint } from "../../support/make.ts";
import { document, many, one, type Resource, startService } from "../../support/service.ts";

/**
 * A term of a class over the interface: 30 people for 20 seats, 12 lessons with their sheets, a task, two withdrawals and
 * the graduations that follow. The test keeps its own books and compares them with the service.
 */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const LESSONS = 12;
const NEEDED = 8;
/** A graduate has been to this lesson. */
const MANDATORY = 6;
const SEATS = 20;
const PEOPLE = 30;
const WITHDRAWAL_AFTER = 3;

const [row] = await db<{ today: string }[]>`select today_in(${account.id})::text as today`;
const dayBefore = (days: number): string =>
  new Date(Date.parse(`${row?.today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
/** The last lesson was yesterday. */
const dateOf = (lesson: number): string => dayBefore((LESSONS - lesson) * 7 + 1);

const to = (type: string, id: string) => ({ data: { type, id } });
const create = async (
  type: string,
  attributes: Record<string, unknown>,
  relationships: Record<string, unknown> = {},
): Promise<Resource> => {
  const answer = await service.post(`/v1/${type}`, document(type, attributes, { relationships }));
  assert.equal(answer.status, 201, `${type} ${answer.text}`);
  return one(answer);
};
const change = async (type: string, id: string, attributes: Record<string, unknown>) => {
  const answer = await service.patch(`/v1/${type}/${id}`, document(type, attributes, { id }));
  assert.equal(answer.status, 200, `${type} ${answer.text}`);
  return one(answer);
};
const list = async (path: string): Promise<Resource[]> => {
  const answer = await service.get(`${path}&page[size]=100`);
  assert.equal(answer.status, 200, `${path} ${answer.text}`);
  return many(answer);
};
const total = async (path: string): Promise<unknown> =>
  (await service.get(`${path}&page[size]=1`)).document.meta?.["total"];

type Status = "active" | "waitlisted" | "withdrawn" | "completed";

/** The books: one entry for each enrollment, in the order of the enrollments. */
interface Entry {
  id: string;
  personId: string;
  status: Status;
  rows: Map<number, string>;
  hasWorked: boolean;
}
const books: Entry[] = [];

const counts = (status: string | undefined): boolean =>
  status === "present" || status === "late" || status === "online";
const attendedBy = ({ rows }: Entry): number => [...rows.values()].filter(counts).length;
const isEligible = (entry: Entry): boolean =>
  attendedBy(entry) >= NEEDED && counts(entry.rows.get(MANDATORY)) && entry.hasWorked;
/** Graduation is automatic. A graduate stays one. */
const settle = (entry: Entry): void => {
  if (entry.status === "active" && isEligible(entry)) entry.status = "completed";
};
const having = (...statuses: Status[]): Entry[] =>
  books.filter(({ status }) => statuses.includes(status));

test("the progress of a term is the one that the test computes", async () => {
  await makeEndpoint(db, account.id, {
    events: [
      "course-attendance.recorded",
      "course-enrollment.completed",
      "course-enrollment.created",
      "course-enrollment.updated",
      "course-enrollment.withdrawn",
    ],
  });
  const die = new Die(seedOf("term"), "term", 0, 0);
  const course = await create("courses", { "name": "Foundations", "lessons-to-graduate": NEEDED });
  for (let number = 1; number <= LESSONS; number += 1)
    await create(
      "course-lessons",
      { "name": `Lesson ${number}`, number, "is-mandatory": number === MANDATORY },
      { course: to("courses", course.id) },
    );
  const task = await create(
    "course-tasks",
    { "name": "Read John 3", "is-mandatory": true },
    { course: to("courses", course.id) },
  );
  const optional = await create(
    "course-tasks",
    { name: "Sing" },
    { course: to("courses", course.id) },
  );
  const weekday = new Date(dateOf(1)).getUTCDay();
  const { id: classId } = await create(
    "course-classes",
    {
      "name": "Tuesdays",
      "status": "open",
      "seats": SEATS,
      "time-zone": "UTC",
      "starts": `${dateOf(1)}T00:00:00Z`,
      "ends": `${dateOf(LESSONS)}T23:59:00Z`,
      "schedule": [{ weekday, "starts-at": 1_140, "ends-at": 1_230 }],
    },
    { course: to("courses", course.id) },
  );
  const ofClass = { class: to("course-classes", classId) };
  const plan = await create("course-session-plans", {}, ofClass);
  assert.equal(plan.attributes["created-count"], LESSONS);
  const sessions = await list(`/v1/course-sessions?filter[class]=${classId}&sort=date`);
  assert.deepEqual(
    sessions.map(({ attributes }) => attributes["date"]),
    Array.from({ length: LESSONS }, (_, index) => dateOf(index + 1)),
  );

  for (let n = 0; n < PEOPLE; n += 1) {
    const person = await create("people", { "full-name": `Person ${n + 1}` });
    const enrolled = await create(
      "course-enrollments",
      {},
      { ...ofClass, person: to("people", person.id) },
    );
    const status = n < SEATS ? "active" : "waitlisted";
    assert.equal(enrolled.attributes["status"], status);
    assert.equal(enrolled.attributes["waitlist-position"], n < SEATS ? null : n - SEATS + 1);
    const rows = new Map<number, string>();
    books.push({ id: enrolled.id, personId: person.id, status, rows, hasWorked: false });
  }
  await change("course-classes", classId, { status: "in-progress" });
  await compare(classId, sessions);

  let sheets = 0;
  for (const [index, session] of sessions.entries()) {
    const lesson = index + 1;
    const entries = having("active", "completed").map((entry) => {
      const status = die.chance(0.8)
        ? die.pick(["present", "present", "late", "online"])
        : die.pick(["absent", "excused", "not-applicable"]);
      entry.rows.set(lesson, status);
      return { "enrollment-id": entry.id, status };
    });
    const resource = { session: to("course-sessions", session.id) };
    const sheet = await create("course-attendance-sheets", { entries }, resource);
    sheets += 1;
    assert.equal(sheet.attributes["recorded-count"], entries.length);
    assert.equal(sheet.attributes["changed-count"], entries.length);
    for (const entry of having("active")) settle(entry);
    if (lesson === WITHDRAWAL_AFTER) await withdrawTwo();
    if (lesson === MANDATORY) await work(task.id, optional.id, die);
  }
  await compare(classId, sessions);

  // A student was there after all, and graduates by the last correction.
  const late = having("active").find(({ hasWorked }) => hasWorked);
  assert.ok(late, "The dice leave an active student who has done the task.");
  let corrections = 0;
  while (late.status === "active") {
    const missed = [...late.rows].filter(([, status]) => !counts(status)).map(([n]) => n);
    const lesson = missed.includes(MANDATORY) ? MANDATORY : (missed[0] ?? 0);
    const session = sessions[lesson - 1]?.id;
    const [wrong] = await list(
      `/v1/course-attendances?filter[session]=${session}&filter[person]=${late.personId}`,
    );
    await change("course-attendances", wrong?.id ?? "", { status: "present" });
    late.rows.set(lesson, "present");
    corrections += 1;
    settle(late);
  }
  await change("course-classes", classId, { status: "finished" });
  await compare(classId, sessions);

  const graduates = having("completed");
  assert.ok(graduates.length > 3 && having("active").length > 3, `${graduates.length}`);
  const completedBy = await list(`/v1/courses/${course.id}/completed-by?fields[people]=full-name`);
  assert.deepEqual(
    new Set(completedBy.map(({ id }) => id)),
    new Set(graduates.map(({ personId }) => personId)),
  );
  const events = await db<{ type: string; count: number }[]>`
    select event_type as type, count(*)::integer as count from webhook_events
    where account_id = ${account.id} and event_type ~ '^course-(attendance|enrollment)'
    group by event_type`;
  assert.deepEqual(Object.fromEntries(events.map(({ count, type }) => [type, count])), {
    "course-attendance.recorded": sheets + corrections,
    "course-enrollment.completed": graduates.length,
    "course-enrollment.created": PEOPLE,
    // The two who moved up.
    "course-enrollment.updated": 2,
    "course-enrollment.withdrawn": 2,
  });
});

/** Two students leave. The two who have waited longest take their seats. */
async function withdrawTwo(): Promise<void> {
  for (const entry of [books[4], books[11]]) {
    assert.ok(entry);
    await change("course-enrollments", entry.id, { status: "withdrawn" });
    entry.status = "withdrawn";
    const [next] = having("waitlisted");
    assert.ok(next);
    next.status = "active";
  }
}

/** Three quarters hand in the mandatory task. Their teachers accept most of it. */
async function work(task: string, optional: string, die: Die): Promise<void> {
  for (const entry of having("active")) {
    if (die.chance(0.25)) continue;
    const resource = { enrollment: to("course-enrollments", entry.id) };
    const done = await create(
      "course-task-completions",
      { text: "Born of water." },
      { ...resource, task: to("course-tasks", task) },
    );
    await create(
      "course-task-completions",
      { text: "La." },
      { ...resource, task: to("course-tasks", optional) },
    );
    const status = die.chance(0.9) ? "accepted" : "returned";
    await change("course-task-completions", done.id, { status });
    entry.hasWorked = status === "accepted";
    settle(entry);
  }
}

async function compare(classId: string, sessions: readonly Resource[]): Promise<void> {
  const enrollments = await list(`/v1/course-enrollments?filter[class]=${classId}`);
  const shown = new Map(enrollments.map((each) => [each.id, each.attributes]));
  const waiting = having("waitlisted");
  for (const entry of books) {
    const attended = attendedBy(entry);
    assert.partialDeepStrictEqual(shown.get(entry.id), {
      "status": entry.status,
      "waitlist-position": entry.status === "waitlisted" ? waiting.indexOf(entry) + 1 : null,
      "lessons-attended": attended,
      "lessons-required": NEEDED,
      "progress": Math.min(100, Math.floor((100 * attended) / NEEDED)),
      "is-eligible-to-graduate": isEligible(entry),
    });
  }
  assert.equal(
    await total(`/v1/course-enrollments?filter[class]=${classId}&filter[eligible]=true`),
    books.filter(isEligible).length,
  );

  const seated = having("active", "completed");
  assert.equal(seated.length, SEATS);
  const { attributes } = one(await service.get(`/v1/course-classes/${classId}`));
  assert.equal(attributes["seats-taken"], SEATS);
  assert.equal(attributes["waitlist-count"], waiting.length);

  for (const status of ["present", "late", "online", "absent", "excused", "not-applicable"]) {
    const inLesson = (lesson: number) =>
      books.filter(({ rows }) => rows.get(lesson) === status).length;
    const expected = sessions.map((_, index) => inLesson(index + 1));
    const found = await list(`/v1/course-sessions?filter[class]=${classId}&sort=date`);
    assert.deepEqual(
      found.map((each) => (each.attributes["attendance-counts"] as Record<string, number>)[status]),
      expected,
      status,
    );
    assert.equal(
      await total(`/v1/course-attendances?filter[class]=${classId}&filter[status]=${status}`),
      expected.reduce((sum, count) => sum + count, 0),
      status,
    );
  }
}
