import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  Model,
  PaginationStrategy,
  type PluralResponse,
  type SingularResponse,
  type ToManyRelation,
  type ToOneRelation,
} from "coloquent";
import { type Setting, startSetting } from "./support.ts";

let setting: Setting;

abstract class VestryModel extends Model {
  protected static override paginationStrategy = PaginationStrategy.PageBased;
  protected static override pageSize = 2;

  getJsonApiBaseUrl(): string {
    return `${setting.url}/`;
  }
}

class Person extends VestryModel {
  protected jsonApiType = "people";
}

class Course extends VestryModel {
  protected jsonApiType = "courses";
  protected override readOnlyAttributes = [
    "created-at",
    "modified-at",
    "image-url",
    "lessons-count",
    "open-classes-count",
    "enrolled-count",
  ];

  teachers(): ToManyRelation {
    return this.hasMany(Person, "teachers");
  }

  author(): ToOneRelation {
    return this.hasOne(Person, "created-by");
  }
}

before(async () => {
  setting = await startSetting();
  new Course();
  Object.assign(Model.getHttpClient().getImplementingClient().defaults.headers, setting.headers);
});
after(() => setting.service.stop());

const textsOf = (response: PluralResponse, attribute: string) =>
  response.getData().map((model) => model.getAttribute(attribute));

const oneOf = (response: SingularResponse): Model => {
  const model = response.getData();
  assert.ok(model);
  return model;
};

function newCourse(name: string, teachers: string[]): Course {
  const course = new Course();
  course.setAttribute("name", name);
  const people = teachers.map((id) => {
    const person = new Person();
    person.setApiId(id);
    return person;
  });
  course.setRelation("teachers", people);
  return course;
}

test("coloquent lists courses with filter, sort, page and include", async () => {
  const found = Course.where("name", "a").where("is-active", "true").with("teachers");
  const sorted = found.orderBy("name", "desc");
  assert.deepEqual(textsOf(await sorted.get(1), "name"), ["Marriage", "Foundations"]);
  assert.deepEqual(textsOf(await sorted.get(2), "name"), ["Baptism"]);
  const first = await sorted.first();
  assert.equal(oneOf(first).getAttribute("name"), "Marriage");
});

test("coloquent creates, reads, changes and deletes a course", async () => {
  const course = newCourse("Discipleship", [setting.tess]);
  await course.save();
  const id = course.getApiId() ?? "";

  const read = oneOf(await Course.with("teachers").with("created-by").find(id));
  assert.equal(read.getAttribute("name"), "Discipleship");
  const [teacher] = read.getRelation("teachers") as Person[];
  assert.equal(teacher?.getAttribute("full-name"), "Tess Teacher");
  assert.equal(read.getRelation("created-by").getAttribute("full-name"), "Ada Administrator");

  // All attributes that were read go back.
  const changed = oneOf(await Course.with("teachers").find(id));
  changed.setAttribute("name", "Followers");
  await changed.save();
  const fresh = await changed.fresh();
  assert.equal(fresh?.getAttribute("name"), "Followers");
  assert.equal(fresh?.getRelation("teachers").length, 1);

  await changed.delete();
  await assert.rejects(Course.find(id), /404/);
});

test("coloquent follows a course's relationships and replaces its teachers", async () => {
  const { administrator, tess, theo } = setting;
  const course = newCourse("Leadership", [tess, theo]);
  await course.save();

  const teachers = await course.teachers().orderBy("full-name", "desc").get();
  assert.deepEqual(textsOf(teachers, "full-name"), ["Theo Teacher", "Tess Teacher"]);
  const author = await course.author().get();
  assert.equal(oneOf(author).getApiId(), administrator);

  course.setRelation("teachers", newCourse("", [theo]).getRelation("teachers"));
  await course.save();
  assert.deepEqual(textsOf(await course.teachers().get(), "full-name"), ["Theo Teacher"]);
});
