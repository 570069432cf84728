import assert from "node:assert/strict";
import { after, test } from "node:test";
import Kitsu from "kitsu";
import { makeTerm, startSetting } from "./support.ts";

const setting = await startSetting();
after(() => setting.service.stop());

const { headers, url } = setting;
const kitsu = new Kitsu({ baseURL: url, headers, camelCaseTypes: false });

interface Resource {
  id: string;
  [attribute: string]: unknown;
}

const idsOf = (resources: Resource[]) => resources.map(({ id }) => id).sort();

test("kitsu lists courses with filter, sort, page, fields and include", async () => {
  const page = await kitsu.get("courses", {
    params: {
      filter: { "name": "a", "is-active": true },
      sort: "-name",
      page: { number: 1, size: 2 },
      fields: { courses: "name,teachers" },
      include: "teachers",
    },
  });
  const courses = page.data as Resource[];
  assert.deepEqual(
    courses.map(({ name }) => name),
    ["Marriage", "Foundations"],
  );
  assert.equal(page.meta.total, 3);
  const next = new URL(page.links.next, setting.url);
  assert.equal(next.searchParams.get("page[number]"), "2");
});

test("kitsu creates, reads, changes and deletes a course", async () => {
  const created = await kitsu.create("courses", {
    "name": "Discipleship",
    "price": 1_500,
    "price-currency": "BRL",
    "teachers": { data: [{ type: "people", id: setting.tess }] },
  });
  assert.equal(created.status, 201);
  const { id } = created.data;

  const read = await kitsu.get(`courses/${id}`, { params: { include: "teachers,created-by" } });
  assert.equal(read.data.name, "Discipleship");
  assert.equal(read.data.teachers.data[0]["full-name"], "Tess Teacher");
  assert.equal(read.data["created-by"].data["full-name"], "Ada Administrator");

  const changed = await kitsu.update("courses", { id, name: "Followers", price: null });
  assert.equal(changed.data.name, "Followers");
  assert.equal(changed.data.price, null);

  const removed = await kitsu.delete("courses", id);
  assert.equal(removed.status, 204);
  await assert.rejects(kitsu.get(`courses/${id}`), /status code 404/);
});

test("kitsu follows a course's relationships, adds teachers and replaces them", async () => {
  const { administrator, tess, theo } = setting;
  const { data: course } = await kitsu.create("courses", { name: "Leadership" });
  const url = `courses/${course.id}/relationships/teachers`;
  const teachers = async () => idsOf((await kitsu.get(url)).data);

  await kitsu.request({ method: "POST", url, type: "people", body: [{ id: tess }] });
  await kitsu.request({ method: "POST", url, type: "people", body: [{ id: theo }] });
  assert.deepEqual(await teachers(), [tess, theo]);

  const followed = await kitsu.get(`courses/${course.id}/teachers`, {
    params: { sort: "-full-name" },
  });
  assert.deepEqual(
    (followed.data as Resource[]).map((person) => person["full-name"]),
    ["Theo Teacher", "Tess Teacher"],
  );
  const author = await kitsu.get(`courses/${course.id}/created-by`);
  assert.equal(author.data.id, administrator);

  await kitsu.request({ method: "PATCH", url, type: "people", body: [{ id: theo }] });
  assert.deepEqual(await teachers(), [theo]);
});

test("kitsu reports every error with its pointer", async () => {
  const refused = kitsu.create("courses", { "name": "", "price-currency": "real" });
  await assert.rejects(refused, (error: { errors: { source: { pointer: string } }[] }) => {
    assert.deepEqual(error.errors.map(({ source }) => source.pointer).sort(), [
      "/data/attributes/name",
      "/data/attributes/price-currency",
    ]);
    return true;
  });
});

test("kitsu creates and reads an enrollment, an attendance and a material", async () => {
  const { classId, course, session } = await makeTerm(setting);
  const to = (type: string, id: string) => ({ data: { type, id } });
  const { data: enrollment } = await kitsu.create("course-enrollments", {
    class: to("course-classes", classId),
    person: to("people", setting.tess),
  });
  const { data: attendance } = await kitsu.create("course-attendances", {
    status: "late",
    session: to("course-sessions", session),
    enrollment: to("course-enrollments", enrollment.id),
  });
  const read = await kitsu.get(`course-attendances/${attendance.id}`, {
    params: { include: "person,enrollment" },
  });
  assert.equal(read.data.status, "late");
  assert.equal(read.data.person.data["full-name"], "Tess Teacher");
  assert.equal(read.data.enrollment.data.status, "active");

  const { data: material } = await kitsu.create("course-materials", {
    "title": "Study guide",
    "material-type": "text",
    "content": "# Week 1",
    "course": to("courses", course),
    "class": to("course-classes", classId),
  });
  const found = await kitsu.get(`course-materials/${material.id}`, {
    params: { include: "class" },
  });
  assert.equal(found.data.content, "# Week 1");
  assert.equal(found.data.class.data.status, "open");
});
