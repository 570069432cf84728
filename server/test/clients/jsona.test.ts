import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Jsona } from "jsona";
import { makeTerm, type Setting, startSetting } from "./support.ts";

const jsona = new Jsona();
let setting: Setting;

before(async () => {
  setting = await startSetting();
});
after(() => setting.service.stop());

interface Model {
  id: string;
  type: string;
  [member: string]: any;
}

/** jsona turns models into documents and back; fetch carries them. */
async function send(method: string, path: string, model?: object): Promise<Model | Model[]> {
  const answer = await fetch(setting.url + path, {
    method,
    headers: {
      ...setting.headers,
      "Accept": "application/vnd.api+json",
      "Content-Type": "application/vnd.api+json",
    },
    ...(model && { body: JSON.stringify(jsona.serialize({ stuff: model })) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return (text === "" ? [] : jsona.deserialize(text)) as Model | Model[];
}

const one = async (method: string, path: string, model?: object) =>
  (await send(method, path, model)) as Model;
const many = async (method: string, path: string, model?: object) =>
  (await send(method, path, model)) as Model[];

const person = (id: string) => ({ type: "people", id });
const idsOf = (models: Model[]) => models.map(({ id }) => id).sort();

test("jsona lists courses with filter, sort, page and include", async () => {
  const query = "filter[name]=a&sort=-name&page[number]=1&page[size]=2&include=created-by,teachers";
  const courses = await many("GET", `/courses?${query}`);
  assert.deepEqual(
    courses.map(({ name }) => name),
    ["Marriage", "Foundations"],
  );
});

test("jsona creates, reads, changes and deletes a course", async () => {
  const created = await one("POST", "/courses", {
    "type": "courses",
    "name": "Discipleship",
    "price": 1_500,
    "price-currency": "BRL",
    "teachers": [person(setting.tess)],
    "relationshipNames": ["teachers"],
  });
  const path = `/courses/${created.id}`;

  const read = await one("GET", `${path}?include=teachers,created-by`);
  assert.equal(read["name"], "Discipleship");
  assert.equal(read["teachers"][0]["full-name"], "Tess Teacher");
  assert.equal(read["created-by"]["full-name"], "Ada Administrator");

  const { id, type } = read;
  const changed = await one("PATCH", path, { type, id, name: "Followers" });
  assert.equal(changed["name"], "Followers");
  assert.equal(changed["price-currency"], "BRL");

  assert.deepEqual(await send("DELETE", path), []);
  await assert.rejects(send("GET", path), /not-found/);
});

test("jsona follows a course's relationships, adds, removes and replaces teachers", async () => {
  const { administrator, tess, theo } = setting;
  const course = await one("POST", "/courses", { type: "courses", name: "Leadership" });
  const path = `/courses/${course.id}`;
  const linkage = `${path}/relationships/teachers`;
  const teachers = async () => idsOf(await many("GET", linkage));

  await send("POST", linkage, [person(tess), person(theo)]);
  assert.deepEqual(await teachers(), [tess, theo]);
  assert.deepEqual(idsOf(await many("GET", `${path}/teachers`)), [tess, theo]);
  assert.equal((await one("GET", `${path}/created-by`)).id, administrator);

  await send("DELETE", linkage, [person(tess)]);
  assert.deepEqual(await teachers(), [theo]);
  await send("PATCH", linkage, [person(tess)]);
  assert.deepEqual(await teachers(), [tess]);
});

test("jsona creates and reads an enrollment, an attendance and a material", async () => {
  const { classId, course, session } = await makeTerm(setting);
  const enrollment = await one("POST", "/course-enrollments", {
    type: "course-enrollments",
    class: { type: "course-classes", id: classId },
    person: person(setting.theo),
    relationshipNames: ["class", "person"],
  });
  const attendance = await one("POST", "/course-attendances", {
    type: "course-attendances",
    status: "online",
    session: { type: "course-sessions", id: session },
    enrollment: { type: "course-enrollments", id: enrollment.id },
    relationshipNames: ["session", "enrollment"],
  });
  const read = await one("GET", `/course-attendances/${attendance.id}?include=person,enrollment`);
  assert.equal(read["status"], "online");
  assert.equal(read["person"]["full-name"], "Theo Teacher");
  assert.equal(read["enrollment"]["status"], "active");

  const material = await one("POST", "/course-materials", {
    "type": "course-materials",
    "title": "Study guide",
    "material-type": "text",
    "content": "# Week 1",
    "course": { type: "courses", id: course },
    "relationshipNames": ["course"],
  });
  const found = await one("GET", `/course-materials/${material.id}?include=course`);
  assert.equal(found["content"], "# Week 1");
  assert.equal(found["course"]["name"], "Discipleship");
});
