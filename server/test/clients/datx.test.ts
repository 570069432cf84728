import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Collection, Model } from "@datx/core";
import { config, jsonapiCollection, jsonapiModel } from "@datx/jsonapi";
import { courses, startSetting } from "./support.ts";

class Course extends jsonapiModel(Model) {
  static override type = "courses";
  declare name: string;
}
class Person extends jsonapiModel(Model) {
  static override type = "people";
}
class Store extends jsonapiCollection(Collection) {
  static override types = [Course, Person];
}

const setting = await startSetting();
after(() => setting.service.stop());

const headers = { "content-type": "application/vnd.api+json", ...setting.headers };
Object.assign(config, { baseUrl: `${setting.url}/`, fetchReference: fetch });
config.defaultFetchOptions = { headers };

test("datx walks through the pages of a list by their links", async () => {
  const store = new Store();
  const names: string[] = [];
  const options = { queryParams: { sort: "name", custom: ["page[size]=1"] } };
  let page = await store.getMany<Course>(Course, options);
  for (;;) {
    names.push(...(page.data as Course[]).map(({ name }) => name));
    if (!page.next) break;
    page = await page.next();
  }
  assert.deepEqual(names, courses);
});

test("datx creates, changes and deletes a course", async () => {
  const store = new Store();
  const course = store.add({ name: "Discipleship" }, Course);
  await course.save();
  assert.match(String(course.meta.id), /^[0-9a-f-]{36}$/);
  course.name = "Followers";
  await course.save();
  const id = String(course.meta.id);
  const read = await new Store().getOne<Course>(Course, id);
  assert.equal((read.data as Course).name, "Followers");
  await course.destroy();
  await assert.rejects(new Store().getOne(Course, id));
});
