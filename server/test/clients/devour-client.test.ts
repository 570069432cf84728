import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import JsonApi from "devour-client";
import { makeTerm, type Setting, startSetting } from "./support.ts";

let setting: Setting;
let devour: JsonApi;

before(async () => {
  setting = await startSetting();
  const { headers, url } = setting;
  devour = new JsonApi({ apiUrl: url, logger: false });
  Object.assign(devour.headers, headers);
  devour.define(
    "course",
    {
      "name": "",
      "price": "",
      "price-currency": "",
      "lessons-count": "",
      "created-at": "",
      "created-by": { jsonApi: "hasOne", type: "people" },
      "teachers": { jsonApi: "hasMany", type: "people" },
    },
    { readOnly: ["lessons-count", "created-at", "created-by"] },
  );
  // By the singular when a document is read, by the relationship's type when one is written.
  devour.define("person", { "full-name": "" });
  devour.define("people", { "full-name": "" });
  devour.define("course-class", { status: "" });
  devour.define("course-session", { date: "" });
  devour.define("course-enrollment", {
    status: "",
    class: { jsonApi: "hasOne", type: "course-classes" },
    person: { jsonApi: "hasOne", type: "people" },
  });
  devour.define("course-attendance", {
    status: "",
    session: { jsonApi: "hasOne", type: "course-sessions" },
    enrollment: { jsonApi: "hasOne", type: "course-enrollments" },
    person: { jsonApi: "hasOne", type: "people" },
  });
  devour.define("course-material", {
    "title": "",
    "material-type": "",
    "content": "",
    "course": { jsonApi: "hasOne", type: "courses" },
  });
});
after(() => setting.service.stop());

interface Resource {
  id: string;
  [attribute: string]: unknown;
}

const idsOf = (resources: Resource[]) => resources.map(({ id }) => id).sort();

test("devour-client lists courses with filter, sort, page, fields and include", async () => {
  const page = await devour.findAll("course", {
    filter: { "name": "a", "is-active": true },
    sort: "-name",
    page: { number: 1, size: 2 },
    fields: { courses: "name,teachers" },
    include: "teachers",
  });
  assert.deepEqual(
    (page.data as Resource[]).map(({ name }) => name),
    ["Marriage", "Foundations"],
  );
  assert.equal(page.meta.total, 3);
  const next = await devour.request(page.links.next);
  assert.deepEqual(
    (next.data as Resource[]).map(({ name }) => name),
    ["Baptism"],
  );
});

test("devour-client creates, reads, changes and deletes a course", async () => {
  const { data: created } = await devour.create("course", {
    "name": "Discipleship",
    "price": 1_500,
    "price-currency": "BRL",
    "teachers": [{ id: setting.tess }],
  });
  const { id } = created;

  const { data: read } = await devour.find("course", id, { include: "teachers,created-by" });
  assert.equal(read.name, "Discipleship");
  assert.equal(read["lessons-count"], 0);
  assert.equal(read.teachers[0]["full-name"], "Tess Teacher");
  assert.equal(read["created-by"]["full-name"], "Ada Administrator");

  // All of what was read goes back, relationships and links too.
  const { data: changed } = await devour.update("course", { ...read, name: "Followers" });
  assert.equal(changed.name, "Followers");
  assert.equal(changed["price-currency"], "BRL");

  await devour.destroy("course", id);
  await assert.rejects(devour.find("course", id), (errors: { title: string }[]) => {
    assert.equal(errors[0]?.title, "Not found");
    return true;
  });
});

test("devour-client follows a course's relationships, adds, removes and replaces teachers", async () => {
  const { administrator, tess, theo, url } = setting;
  const { data: course } = await devour.create("course", { name: "Leadership" });
  const linkage = () => devour.one("course", course.id).relationships("teachers");
  const teachers = async () => idsOf((await linkage().get()).data);

  await linkage().post([{ id: tess }]);
  await linkage().post([{ id: theo }]);
  assert.deepEqual(await teachers(), [tess, theo]);

  const followed = await devour.one("course", course.id).all("teachers").get();
  assert.deepEqual(
    (followed.data as Resource[]).map((person) => person["full-name"]),
    ["Tess Teacher", "Theo Teacher"],
  );
  const author = await devour.request(`${url}/courses/${course.id}/created-by`);
  assert.equal(author.data.id, administrator);

  await linkage().destroy([{ type: "people", id: tess }]);
  assert.deepEqual(await teachers(), [theo]);
  await linkage().patch([{ id: tess }]);
  assert.deepEqual(await teachers(), [tess]);
});

test("devour-client creates and reads an enrollment, an attendance and a material", async () => {
  const { classId, course, session } = await makeTerm(setting);
  const { data: enrollment } = await devour.create("course-enrollment", {
    class: { id: classId },
    person: { id: setting.tess },
  });
  const { data: attendance } = await devour.create("course-attendance", {
    status: "excused",
    session: { id: session },
    enrollment: { id: enrollment.id },
  });
  const { data: read } = await devour.find("course-attendance", attendance.id, {
    include: "person,enrollment",
  });
  assert.equal(read.status, "excused");
  assert.equal(read.person["full-name"], "Tess Teacher");
  assert.equal(read.enrollment.status, "active");

  const { data: material } = await devour.create("course-material", {
    "title": "Study guide",
    "material-type": "text",
    "content": "# Week 1",
    "course": { id: course },
  });
  const { data: found } = await devour.find("course-material", material.id, { include: "course" });
  assert.equal(found.content, "# Week 1");
  assert.equal(found.course.name, "Discipleship");
});
