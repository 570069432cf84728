import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  changeEnrollment,
  makeAttendance,
  makeEnrollment,
  makeLesson,
  makeOpenClass,
  makeSession,
} from "../../support/courses.ts";
import { makeRow } from "../../support/make.ts";
import {
  type Answer,
  codes,
  document,
  eventsOf,
  one,
  startService,
} from "../../support/service.ts";

/** The progress of an enrollment and its graduation. */

const service = await startService();
after(() => service.stop());
const { account, db } = service;

type Columns = NonNullable<Parameters<typeof makeOpenClass>[3]>;
const to = (type: string, id: string) => ({ data: { type, id } });
const written = (answer: Answer) => {
  assert.ok(answer.status < 300, answer.text);
  return answer;
};
const create = async (
  type: string,
  attributes: Record<string, unknown>,
  relationships: Record<string, unknown>,
) => one(written(await service.post(`/v1/${type}`, document(type, attributes, { relationships }))));
const change = async (type: string, id: string, attributes: Record<string, unknown>) => {
  written(await service.patch(`/v1/${type}/${id}`, document(type, attributes, { id })));
};
const remove = async (type: string, id: string) => {
  written(await service.delete(`/v1/${type}/${id}`));
};

/** The types of the events about enrollments. */
const enrollmentEvents = async (act: () => Promise<unknown>) =>
  (await eventsOf(act)).filter((type) => type.startsWith("course-enrollment."));

/** An enrollment in a course with these lessons. Graduation is manual unless the course says otherwise. */
async function studying(course: Columns, lessonColumns: readonly Columns[]) {
  const rules = { graduation_mode: "manual", ...course };
  const { classId, courseId } = await makeOpenClass(db, account.id, {}, rules);
  const lessons: string[] = [];
  for (const [index, columns] of lessonColumns.entries())
    lessons.push(await makeLesson(db, account.id, courseId, index + 1, columns));
  const enrollment = await makeEnrollment(db, account.id, classId);
  /** Records an attendance in a new session of a lesson. */
  const attend = async (lesson_id: string | undefined, status = "present") => {
    const session = await makeSession(db, account.id, classId, { lesson_id: lesson_id ?? null });
    const relationships = {
      session: to("course-sessions", session),
      enrollment: to("course-enrollments", enrollment),
    };
    const { id } = await create("course-attendances", { status }, relationships);
    return { attendance: id, session };
  };
  const makeTask = (columns: Columns) =>
    makeRow(db, "course_tasks", account.id, { course_id: courseId, name: "Read", ...columns });
  const handIn = async (task: string, status = "submitted") => {
    const relationships = {
      task: to("course-tasks", task),
      enrollment: to("course-enrollments", enrollment),
    };
    return (await create("course-task-completions", { text: "Mine", status }, relationships)).id;
  };
  const read = async () =>
    one(await service.get(`/v1/course-enrollments/${enrollment}`)).attributes;
  /** For example "1 of 3, 33 %", with "eligible" if it is. */
  const progress = async () => {
    const all = await read();
    const [attended, required, percent] = ["lessons-attended", "lessons-required", "progress"].map(
      (name) => Number(all[name]),
    );
    const text = `${attended} of ${required}, ${percent} %`;
    return all["is-eligible-to-graduate"] === true ? `${text}, eligible` : text;
  };
  return { attend, classId, courseId, enrollment, handIn, lessons, makeTask, progress, read };
}

for (const [status, course, expected] of [
  ["present", {}, "1 of 1, 100 %, eligible"],
  ["late", {}, "1 of 1, 100 %, eligible"],
  ["online", {}, "1 of 1, 100 %, eligible"],
  ["excused", {}, "0 of 1, 0 %"],
  ["excused", { excused_counts: true }, "1 of 1, 100 %, eligible"],
  ["absent", { excused_counts: true }, "0 of 1, 0 %"],
  ["not-applicable", { excused_counts: true }, "0 of 1, 0 %"],
] as const) {
  const condition = "excused_counts" in course ? " where excused counts" : "";
  test(`201 · a lesson with the attendance ${status}${condition} is ${expected}`, async () => {
    const { attend, lessons, progress } = await studying(course, [{}]);
    await attend(lessons[0], status);
    assert.equal(await progress(), expected);
  });
}

test("201 · progress is rounded down, and is at most 100", async () => {
  const { attend, lessons, progress } = await studying({ lessons_to_graduate: 3 }, [
    {},
    {},
    {},
    {},
  ]);
  const found = [];
  for (const lesson of lessons) {
    await attend(lesson);
    found.push(await progress());
  }
  assert.deepEqual(found, [
    "1 of 3, 33 %",
    "2 of 3, 66 %",
    "3 of 3, 100 %, eligible",
    "4 of 3, 100 %, eligible",
  ]);
});

test("201 · without lessons to graduate, the active lessons are required", async () => {
  for (const lessons_to_graduate of [null, 0]) {
    const course = await studying({ lessons_to_graduate }, [{}, {}, { is_active: false }]);
    await course.attend(course.lessons[0]);
    assert.equal(await course.progress(), "1 of 2, 50 %");
  }
});

test("409 · progress is 0, and no student is eligible, where no lesson is required", async () => {
  const { attend, enrollment, progress } = await studying({}, [{ is_active: false }]);
  await attend(undefined);
  assert.equal(await progress(), "0 of 0, 0 %");
  const answer = await changeEnrollment(service, enrollment, { status: "completed" });
  assert.deepEqual([answer.status, ...codes(answer)], [409, "not-eligible-to-graduate"]);
});

test("201 · lessons are counted once, and only active ones", async () => {
  const { attend, lessons, progress } = await studying({}, [{}, {}, { is_active: false }]);
  const [first, second, inactive] = lessons;
  await attend(first);
  await attend(first, "late");
  await attend(inactive);
  await attend(undefined);
  assert.equal(await progress(), "1 of 2, 50 %");
  // An absence does not take back the attendance in another session of the lesson.
  await attend(second);
  await attend(second, "absent");
  assert.equal(await progress(), "2 of 2, 100 %, eligible");
});

test("409 · a student who missed a mandatory lesson is not eligible", async () => {
  const { attend, enrollment, lessons, progress } = await studying({ lessons_to_graduate: 1 }, [
    {},
    { is_mandatory: true },
    { is_mandatory: true, is_active: false },
  ]);
  await attend(lessons[0]);
  assert.equal(await progress(), "1 of 1, 100 %");
  const answer = await changeEnrollment(service, enrollment, { status: "completed" });
  assert.equal(answer.status, 409, answer.text);
  assert.partialDeepStrictEqual(answer.document.errors?.[0]?.meta, {
    missing: { "lessons": 0, "mandatory-lessons": [lessons[1]], "tasks": [] },
  });
  await attend(lessons[1]);
  assert.equal(await progress(), "2 of 1, 100 %, eligible");
});

test("200 · the mandatory tasks of students must be accepted", async () => {
  const { attend, handIn, lessons, makeTask, progress } = await studying({}, [{}]);
  const task = await makeTask({ is_mandatory: true });
  await makeTask({ is_mandatory: true, assigned_to: "teacher" });
  await makeTask({ is_mandatory: false });
  await attend(lessons[0]);
  assert.equal(await progress(), "1 of 1, 100 %");
  const completion = await handIn(task);
  assert.equal(await progress(), "1 of 1, 100 %");
  await change("course-task-completions", completion, { status: "accepted" });
  assert.equal(await progress(), "1 of 1, 100 %, eligible");
  await change("course-task-completions", completion, { status: "returned" });
  assert.equal(await progress(), "1 of 1, 100 %");
  await remove("course-task-completions", completion);
  await handIn(task, "accepted");
  assert.equal(await progress(), "1 of 1, 100 %, eligible");
});

type Course = Awaited<ReturnType<typeof studying>>;

/** Each prepares a course in which a student who attended the first of two lessons lacks one thing, and returns the change. */
const lastSteps: Record<string, (course: Course) => Promise<() => Promise<unknown>>> = {
  "an attendance":
    async ({ attend, lessons }) =>
    () =>
      attend(lessons[1]),
  "a corrected attendance": async ({ attend, lessons }) => {
    const { attendance } = await attend(lessons[1], "absent");
    return () => change("course-attendances", attendance, { status: "online" });
  },
  "the lesson of a session": async ({ attend, lessons }) => {
    const { session } = await attend(undefined);
    const relationships = { lesson: to("course-lessons", lessons[1] ?? "") };
    const body = document("course-sessions", {}, { id: session, relationships });
    return async () => written(await service.patch(`/v1/course-sessions/${session}`, body));
  },
  "an inactive lesson":
    async ({ lessons }) =>
    () =>
      change("course-lessons", lessons[1] ?? "", { "is-active": false }),
  "a deleted lesson":
    async ({ lessons }) =>
    () =>
      remove("course-lessons", lessons[1] ?? ""),
  "fewer lessons to graduate":
    async ({ courseId }) =>
    () =>
      change("courses", courseId, { "lessons-to-graduate": 1 }),
  "excused attendances that count": async ({ attend, courseId, lessons }) => {
    await attend(lessons[1], "excused");
    return () => change("courses", courseId, { "excused-counts": true });
  },
  "a mandatory lesson that becomes optional": async ({ courseId, lessons }) => {
    const lesson = lessons[1] ?? "";
    await change("course-lessons", lesson, { "is-mandatory": true });
    await change("courses", courseId, { "lessons-to-graduate": 1 });
    return () => change("course-lessons", lesson, { "is-mandatory": false });
  },
  "accepted work": async ({ attend, handIn, lessons, makeTask }) => {
    const completion = await handIn(await makeTask({ is_mandatory: true }));
    await attend(lessons[1]);
    return () => change("course-task-completions", completion, { status: "accepted" });
  },
  "a task that becomes optional": async ({ attend, lessons, makeTask }) => {
    const task = await makeTask({ is_mandatory: true });
    await attend(lessons[1]);
    return () => change("course-tasks", task, { "is-mandatory": false });
  },
  "a task that passes to teachers": async ({ attend, lessons, makeTask }) => {
    const task = await makeTask({ is_mandatory: true });
    await attend(lessons[1]);
    return () => change("course-tasks", task, { "assigned-to": "teacher" });
  },
  "a deleted task": async ({ attend, lessons, makeTask }) => {
    const task = await makeTask({ is_mandatory: true });
    await attend(lessons[1]);
    return () => remove("course-tasks", task);
  },
};

for (const [step, prepare] of Object.entries(lastSteps)) {
  const started = async (graduation_mode: string) => {
    const course = await studying({ graduation_mode }, [{}, {}]);
    await course.attend(course.lessons[0]);
    const act = await prepare(course);
    assert.equal((await course.read())["is-eligible-to-graduate"], false);
    return { ...course, events: await enrollmentEvents(act) };
  };

  test(`200 · ${step} completes the enrollment where graduation is automatic`, async () => {
    const { events, read } = await started("automatic");
    const found = await read();
    assert.partialDeepStrictEqual(found, {
      "status": "completed",
      "is-eligible-to-graduate": true,
    });
    assert.ok(found["completed-at"]);
    assert.equal(found["status-changed-at"], found["completed-at"]);
    assert.deepEqual(events, ["course-enrollment.completed"]);
  });

  test(`200 · ${step} makes the student eligible where graduation is manual`, async () => {
    const { enrollment, events, read } = await started("manual");
    assert.partialDeepStrictEqual(await read(), {
      "status": "active",
      "completed-at": null,
      "is-eligible-to-graduate": true,
    });
    assert.deepEqual(events, []);
    const answer = await changeEnrollment(service, enrollment, { status: "completed" });
    assert.equal(answer.status, 200, answer.text);
    assert.ok(one(answer).attributes["completed-at"]);
  });
}

test("200 · only active enrollments graduate by themselves", async () => {
  const { classId, lessons } = await studying({ graduation_mode: "automatic" }, [{}, {}]);
  const [lesson_id = "", missed = ""] = lessons;
  const session = await makeSession(db, account.id, classId, { lesson_id });
  const found: Record<string, unknown> = {};
  const made = new Map<string, string>();
  for (const status of ["active", "failed", "withdrawn"]) {
    const enrollment_id = await makeEnrollment(db, account.id, classId, { status });
    await makeAttendance(db, account.id, session, { enrollment_id });
    made.set(status, enrollment_id);
  }
  const events = await enrollmentEvents(() =>
    change("course-lessons", missed, { "is-active": false }),
  );
  for (const [status, id] of made) {
    const { attributes } = one(await service.get(`/v1/course-enrollments/${id}`));
    assert.equal(attributes["is-eligible-to-graduate"], true);
    found[status] = attributes["status"];
  }
  assert.deepEqual(found, { active: "completed", failed: "failed", withdrawn: "withdrawn" });
  assert.deepEqual(events, ["course-enrollment.completed"]);
});

test("200 · an enrollment that was set back to active graduates when it becomes eligible again", async () => {
  const { attend, enrollment, lessons, read } = await studying(
    { graduation_mode: "automatic", lessons_to_graduate: 1 },
    [{}, {}],
  );
  const { attendance } = await attend(lessons[0]);
  assert.equal((await read())["status"], "completed");
  const corrected = one(await changeEnrollment(service, enrollment, { status: "active" }));
  const active = { "status": "active", "completed-at": null };
  assert.partialDeepStrictEqual(corrected.attributes, active);
  await change("course-attendances", attendance, { status: "late" });
  assert.partialDeepStrictEqual(await read(), { ...active, "is-eligible-to-graduate": true });
  await change("course-attendances", attendance, { status: "absent" });
  await attend(lessons[1]);
  assert.equal((await read())["status"], "completed");
});

test("200 · a completed enrollment stays completed when its attendance is corrected", async () => {
  const { attend, lessons, read } = await studying({ graduation_mode: "automatic" }, [{}]);
  const { attendance } = await attend(lessons[0]);
  const { "completed-at": completedAt } = await read();
  await change("course-attendances", attendance, { status: "absent" });
  assert.partialDeepStrictEqual(await read(), {
    "status": "completed",
    "completed-at": completedAt,
    "progress": 0,
    "is-eligible-to-graduate": false,
  });
});

test("200 · lessons-left counts the lessons of planned sessions that the student has not attended", async () => {
  const { attend, classId, enrollment, lessons, read } = await studying({ excused_counts: true }, [
    {},
    {},
    {},
    { is_active: false },
  ]);
  const left = async () => (await read())["lessons-left"];
  const plan = (lesson: string | null | undefined, columns: Columns = {}) =>
    makeSession(db, account.id, classId, { lesson_id: lesson ?? null, ...columns });
  assert.equal(await left(), 0);
  await plan(lessons[0]);
  // A lesson in two sessions is one lesson. Sessions without one and those of inactive lessons count for nothing.
  await plan(lessons[1], { date: "2020-01-07" });
  await plan(lessons[1]);
  await plan(lessons[3]);
  await plan(null);
  await plan(lessons[2], { status: "cancelled" });
  assert.equal(await left(), 2);
  await attend(lessons[0], "excused");
  assert.equal(await left(), 1);
  await attend(lessons[1], "absent");
  assert.equal(await left(), 1);
  await attend(lessons[1]);
  assert.equal(await left(), 0);
  const list = await service.get(`/v1/course-enrollments?filter[id]=${enrollment}`);
  assert.match(list.text, /"lessons-left":0/);
});
