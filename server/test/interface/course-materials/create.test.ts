import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { makeClass, makeTeacher } from "../../support/courses.ts";
import { makeAccount, makeCourse, makeEndpoint, makeRow } from "../../support/make.ts";
import {
  codes,
  document,
  eventsOf,
  linkedId,
  one,
  pointers,
  startService,
} from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;
await makeEndpoint(db, account.id, { events: ["course-material.created"] });

const course = await makeCourse(db, account.id);
const ownClass = await makeClass(db, account.id, course);
const teacher = await makeTeacher(db, account.id, ownClass);
const otherClass = await makeClass(db, account.id, course);
const lesson = await makeRow(db, "course_lessons", account.id, {
  course_id: course,
  name: "One",
  number: 1,
});
const otherCourse = await makeCourse(db, account.id);

const types = { course: "courses", class: "course-classes", lesson: "course-lessons" } as const;
type Places = Partial<Record<keyof typeof types, string | null>>;

const create = (attributes: Record<string, unknown>, places: Places = {}, as?: string) =>
  service.post(
    "/v1/course-materials",
    document(
      "course-materials",
      { "title": "Study guide", "material-type": "text", ...attributes },
      {
        relationships: Object.fromEntries(
          Object.entries({ course, ...places }).map(([name, id]) => [
            name,
            { data: id === null ? null : { type: types[name as keyof Places], id } },
          ]),
        ),
      },
    ),
    as === undefined ? {} : { as },
  );

const pointerTo = (name: string) => `/data/relationships/${name}/data`;

test("201 · a material with everything, and with the defaults", async () => {
  const attributes = {
    "title": "Study guide",
    "description": "For the first week.",
    "content": "# Week 1",
    "material-type": "link",
    "audience": "teacher",
    "publish-status": "unlisted",
    "available-from": -7,
    "url": "https://example.org/guide",
    "order": 1,
  };
  const full = one(await create(attributes, { class: ownClass, lesson }));
  for (const [name, value] of Object.entries(attributes))
    assert.equal(full.attributes[name], value, name);
  assert.ok(full.attributes["published-at"]);
  assert.deepEqual(
    ["course", "class", "lesson"].map((name) => linkedId(full, name)),
    [course, ownClass, lesson],
  );
  const plain = one(await create({})).attributes;
  assert.deepEqual(
    [plain["audience"], plain["publish-status"], plain["published-at"], plain["content"]],
    ["student", "draft", null, null],
  );
});

test("201 · one event, without the content", async () => {
  const events = await eventsOf(() => create({ content: "# Week 1" }));
  assert.deepEqual(events, ["course-material.created"]);
  const [event] = await db<{ snapshot: string }[]>`
    select snapshot from webhook_events where account_id = ${account.id} limit 1`;
  const { attributes } = JSON.parse(event?.snapshot ?? "") as { attributes: object };
  assert.deepEqual(["title" in attributes, "content" in attributes], [true, false]);
});

test("201 · raw HTML and unsafe links are removed from the content, and code is kept", async () => {
  const content =
    "<script>x</script>\n\nRead [this](javascript:x) and `<b>`.\n\n```html\n<p>\n```\n";
  const made = one(await create({ content }));
  assert.equal(made.attributes["content"], "Read this and `<b>`.\n\n```html\n<p>\n```\n");
  const read = one(await service.get(`/v1/course-materials/${made.id}`));
  assert.equal(read.attributes["content"], made.attributes["content"]);
});

test("201 · content of 200,000 characters; 422 more, also once cleaned, and nesting that cannot be read", async () => {
  const longest = "x".repeat(200_000);
  assert.equal(one(await create({ content: longest })).attributes["content"], longest);
  for (const content of [`${longest}x`, `${"> ".repeat(12_000)}<b>`, `${"[".repeat(110_000)}<b>`]) {
    const answer = await create({ content });
    assert.deepEqual(
      [answer.status, codes(answer), pointers(answer)],
      [422, ["invalid-attribute"], ["/data/attributes/content"]],
    );
  }
});

test("422 · a class or lesson of another course, absent, or of another account", async () => {
  const stranger = await makeAccount(db);
  const strange = await makeCourse(db, stranger.id);
  const strangeClass = await makeClass(db, stranger.id, strange);
  const otherLesson = await makeRow(db, "course_lessons", account.id, {
    course_id: otherCourse,
    name: "One",
    number: 1,
  });
  for (const [name, id] of [
    ["class", await makeClass(db, account.id, otherCourse)],
    ["class", newId()],
    ["class", strangeClass],
    ["lesson", otherLesson],
    ["lesson", newId()],
    ["course", strange],
  ] as const) {
    const answer = await create({}, { [name]: id });
    assert.deepEqual(
      [answer.status, codes(answer), pointers(answer)],
      [422, ["invalid-relationship"], [pointerTo(name)]],
      `${name} ${answer.text}`,
    );
  }
});

test("403 · a teacher writes materials of their own class only", async () => {
  const { token } = teacher;
  assert.equal((await create({}, { class: ownClass }, token)).status, 201);
  for (const place of [{ class: otherClass }, { class: null }, {}, { class: newId() }])
    assert.deepEqual(codes(await create({}, place, token)), ["forbidden"], JSON.stringify(place));
  const elsewhere = await create({}, { course: otherCourse, class: ownClass }, token);
  assert.deepEqual(pointers(elsewhere), [pointerTo("class")]);
});
