import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeClass, makeEnrollment, makeTeacher } from "../../support/courses.ts";
import { samples } from "../../support/documents.ts";
import { makeCourse, makePerson, makeRow, type Member } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  ids,
  one,
  PUBLIC_URL,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const course = await makeCourse(db, account.id);
const class_id = await makeClass(db, account.id, course);
const teacher = await makeTeacher(db, account.id, class_id);
const pdf = samples["application/pdf"] as Buffer;

/** A student of the class with a completion of a task that asks for a file. */
async function makeWork(status = "submitted"): Promise<{ id: string; student: Member }> {
  const student = await makePerson(db, account.id);
  const enrollment_id = await makeEnrollment(db, account.id, class_id, { person_id: student.id });
  const task = { course_id: course, name: "Draw a map", submission_type: "file" };
  const task_id = await makeRow(db, "course_tasks", account.id, task);
  const person_id = student.id;
  const columns = { course_id: course, class_id, task_id, enrollment_id, person_id, status };
  return { id: await makeRow(db, "course_task_completions", account.id, columns), student };
}

const upload = (id: string, { token: as }: Pick<Member, "token">, body: Uint8Array = pdf) =>
  service.request("PUT", `/v1/course-task-completions/${id}/file`, {
    as,
    body,
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": 'attachment; filename="map.pdf"',
    },
  });
const read = async (id: string) =>
  one(await service.get(`/v1/course-task-completions/${id}`)).attributes;
const urlOf = ({ file }: Record<string, unknown>) =>
  String((file as { url: string }).url).replace(PUBLIC_URL, service.url);

test("200 · a student hands in a file, and the next one replaces it", async () => {
  const { id, student } = await makeWork();
  assert.equal((await read(id))["file"], null);
  const first = await upload(id, student);
  assert.equal(first.status, 200, first.text);
  const { attributes } = one(first);
  const {
    url: _,
    "url-expires-at": until,
    ...file
  } = attributes["file"] as Record<string, unknown>;
  assert.deepEqual(file, {
    "name": "map.pdf",
    "media-type": "application/pdf",
    "bytes": pdf.length,
  });
  assert.match(String(until), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(attributes["attempt-count"], 1);
  const url = urlOf(attributes);
  assert.deepEqual(Buffer.from(await (await fetch(url)).bytes()), pdf);

  const events = await eventsOf(() => upload(id, student));
  assert.deepEqual(events, ["course-task-completion.updated"]);
  assert.equal((await fetch(url)).status, 404);
  assert.equal((await fetch(urlOf(await read(id)))).status, 200);
  const answer = await service.get(`/v1/course-task-completions/${id}`);
  assert.equal(answer.headers.get("cache-control"), "no-store");
});

test("200 · a file after the review is a new attempt", async () => {
  const { id, student } = await makeWork("returned");
  const { attributes } = one(await upload(id, student));
  assert.deepEqual([attributes["status"], attributes["attempt-count"]], ["submitted", 2]);
});

test("200 · a client can send back the file that it has read", async () => {
  const { id, student } = await makeWork();
  await upload(id, student);
  const { file } = await read(id);
  const earlier = {
    ...(file as object),
    "url": String((file as { url: string }).url).replace(
      /\?.*/,
      `?expires=9&signature=${"x".repeat(43)}`,
    ),
    "url-expires-at": "2026-01-01T00:00:00.000Z",
  };
  const send = (sent: unknown) =>
    service.patch(
      `/v1/course-task-completions/${id}`,
      document("course-task-completions", { "file": sent, "student-comment": "Late" }, { id }),
      { as: student.token },
    );
  assert.equal((await send(earlier)).status, 200);
  const renamed = await send({ ...earlier, name: "other.pdf" });
  assert.deepEqual([renamed.status, codes(renamed)], [422, ["read-only-attribute"]]);
});

test("200 · reviewers see a completion when its file arrives, and can accept work on paper before it", async () => {
  const begin = async () => {
    const student = await makePerson(db, account.id);
    const enrollment = await makeEnrollment(db, account.id, class_id, { person_id: student.id });
    const task = await makeRow(db, "course_tasks", account.id, {
      course_id: course,
      name: "Draw a map",
      submission_type: "file",
    });
    const relationships = {
      task: { data: { type: "course-tasks", id: task } },
      enrollment: { data: { type: "course-enrollments", id: enrollment } },
    };
    const create = (as: string, attributes = {}) => {
      const data = { type: "course-task-completions", attributes, relationships };
      return service.post("/v1/course-task-completions", { data }, { as });
    };
    const begun = await create(student.token);
    assert.equal(begun.status, 201, begun.text);
    const queue = (as?: string) =>
      service.get(
        `/v1/course-task-completions?filter[task]=${task}&filter[status]=submitted`,
        as === undefined ? {} : { as },
      );
    return { id: one(begun).id, student, create, queue };
  };
  const { id, queue, student } = await begin();
  assert.deepEqual(ids(await queue(student.token)), [id]);
  for (const as of [teacher.token, undefined]) assert.deepEqual(ids(await queue(as)), []);
  const path = `/v1/course-task-completions/${id}`;
  assert.equal((await service.get(path, { as: teacher.token })).status, 404);
  assert.equal((await upload(id, student)).status, 200);
  for (const as of [teacher.token, undefined]) assert.deepEqual(ids(await queue(as)), [id]);

  const onPaper = await begin();
  const again = await onPaper.create(onPaper.student.token);
  assert.deepEqual([again.status, codes(again)], [409, ["already-exists"]]);
  const accepted = await onPaper.create(teacher.token, { status: "accepted" });
  assert.equal(accepted.status, 201, accepted.text);
  assert.equal((await upload(onPaper.id, onPaper.student)).status, 404);
});

test("204 · the file of a deleted completion is deleted with it", async () => {
  const { id, student } = await makeWork();
  const url = urlOf(one(await upload(id, student)).attributes);
  const answer = await service.delete(`/v1/course-task-completions/${id}`, { as: teacher.token });
  assert.equal(answer.status, 204);
  assert.equal((await fetch(url)).status, 404);
});

test("403 · 404 · 413 · another student, accepted work, and a file of more than 10 MiB", async () => {
  const { id, student } = await makeWork();
  const other = await makePerson(db, account.id);
  assert.equal((await upload(id, other)).status, 404);
  const large = Buffer.concat([pdf, Buffer.alloc(10 * 1_048_576)]);
  assert.equal((await upload(id, student, large)).status, 413);
  const accepted = await makeWork("accepted");
  const refused = await upload(accepted.id, accepted.student);
  assert.deepEqual([refused.status, codes(refused)], [403, ["forbidden"]]);
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from files where account_id = ${account.id}
      and not exists (select from course_task_completions x
        where x.account_id = files.account_id and x.file_id = files.id)`;
  assert.equal(row?.count, 0);
});
