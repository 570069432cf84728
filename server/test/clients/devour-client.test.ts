import assert from "node:assert/strict";
import { after, test } from "node:test";
import JsonApi from "devour-client";
import { startSetting } from "./support.ts";

const setting = await startSetting();
after(() => setting.service.stop());

const { headers, url } = setting;
const devour = new JsonApi({ apiUrl: url, logger: false });
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
