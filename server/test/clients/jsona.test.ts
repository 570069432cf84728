import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Jsona } from "jsona";
import { startSetting } from "./support.ts";

const jsona = new Jsona();
const setting = await startSetting();
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
