import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
  Model,
  PaginationStrategy,
  type PluralResponse,
  type ToManyRelation,
  type ToOneRelation,
} from "coloquent";
import { startSetting } from "./support.ts";

const setting = await startSetting();
after(() => setting.service.stop());

abstract class VestryModel extends Model {
  protected static override paginationStrategy = PaginationStrategy.PageBased;
  protected static override pageSize = 2;

  getJsonApiBaseUrl(): string {
    return `${setting.url}/`;
  }
}

class Person extends VestryModel {
  protected jsonApiType = "people";

  static withId(id: string): Person {
    const person = new Person();
    person.setApiId(id);
    return person;
  }

  get fullName(): string {
    return this.getAttribute("full-name");
  }
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

  static named(name: string, teachers: Person[] = []): Course {
    const course = new Course();
    course.name = name;
    course.taughtBy = teachers;
    return course;
  }

  get name(): string {
    return this.getAttribute("name");
  }

  set name(name: string) {
    this.setAttribute("name", name);
  }

  get taughtBy(): Person[] {
    return this.getRelation("teachers");
  }

  set taughtBy(teachers: Person[]) {
    this.setRelation("teachers", teachers);
  }

  teachers(): ToManyRelation {
    return this.hasMany(Person);
  }

  author(): ToOneRelation {
    return this.hasOne(Person, "created-by");
  }
}

new Course(); // The first instance makes the HTTP client.
Object.assign(Model.getHttpClient().getImplementingClient().defaults.headers, setting.headers);

const modelsOf = (page: object) => (page as PluralResponse).getData();
const namesOf = (page: object) => modelsOf(page).map((course) => (course as Course).name);
const fullNamesOf = (people: Model[]) => people.map((person) => (person as Person).fullName);

const readCourse = async (id: string | undefined) =>
  (await Course.with("teachers").find(id ?? "")).getData() as Course;

test("coloquent lists courses with filter, sort, page and include", async () => {
  const found = Course.where("name", "a").where("is-active", "true").with("teachers");
  const sorted = found.orderBy("name", "desc");
  assert.deepEqual(namesOf(await sorted.get(1)), ["Marriage", "Foundations"]);
  assert.deepEqual(namesOf(await sorted.get(2)), ["Baptism"]);
});

test("coloquent creates, reads, changes and deletes a course", async () => {
  const created = Course.named("Discipleship", [Person.withId(setting.tess)]);
  await created.save();
  const id = created.getApiId();

  // All writable attributes and the relationships that were read go back.
  const course = await readCourse(id);
  assert.equal(course.name, "Discipleship");
  assert.deepEqual(fullNamesOf(course.taughtBy), ["Tess Teacher"]);
  course.name = "Followers";
  await course.save();
  const changed = await readCourse(id);
  assert.equal(changed.name, "Followers");
  assert.deepEqual(fullNamesOf(changed.taughtBy), ["Tess Teacher"]);

  await changed.delete();
  await assert.rejects(readCourse(id), /status code 404/);
});

test("coloquent follows a course's relationships and replaces its teachers", async () => {
  const { administrator, tess, theo } = setting;
  const course = Course.named("Leadership", [Person.withId(tess), Person.withId(theo)]);
  await course.save();

  const teachers = await course.teachers().orderBy("full-name", "desc").get();
  assert.deepEqual(fullNamesOf(modelsOf(teachers)), ["Theo Teacher", "Tess Teacher"]);
  const author = await course.author().first();
  assert.equal(author.getData()?.getApiId(), administrator);

  course.taughtBy = [Person.withId(theo)];
  await course.save();
  assert.deepEqual(fullNamesOf(modelsOf(await course.teachers().get())), ["Theo Teacher"]);
});
