import assert from "node:assert/strict";
import { after, test } from "node:test";
import { JSONAPISerializers, JSONAPISource } from "@orbit/jsonapi";
import { type InitializedRecord, RecordKeyMap, RecordSchema } from "@orbit/records";
import { buildSerializerSettingsFor } from "@orbit/serializers";
import { startSetting } from "./support.ts";

// The service makes the ids, so Orbit keeps its own beside them: `remoteId` is the service's.
const keys = { remoteId: {} };
const schema = new RecordSchema({
  models: {
    courses: {
      keys,
      attributes: {
        name: { type: "string" },
        price: { type: "number" },
        priceCurrency: { type: "string" },
        isActive: { type: "boolean" },
        lessonsCount: { type: "number" },
        createdAt: { type: "datetime" },
      },
      relationships: {
        teachers: { kind: "hasMany", type: "people" },
        createdBy: { kind: "hasOne", type: "people" },
      },
    },
    people: { keys, attributes: { fullName: { type: "string" } } },
  },
});
const keyMap = new RecordKeyMap();

const setting = await startSetting();
after(() => setting.service.stop());

const dasherized = { serializationOptions: { inflectors: ["dasherize"] } };
const source = new JSONAPISource({
  schema,
  keyMap,
  host: setting.service.url,
  namespace: "v1",
  defaultFetchSettings: { headers: setting.headers },
  serializerSettingsFor: buildSerializerSettingsFor({
    settingsByType: {
      [JSONAPISerializers.ResourceField]: dasherized,
      [JSONAPISerializers.ResourceFieldParam]: dasherized,
      [JSONAPISerializers.ResourceFieldPath]: dasherized,
      // The models have the names of the types already, in the plural.
      [JSONAPISerializers.ResourceTypePath]: dasherized,
    },
  }),
});
await source.activated;

const person = (remoteId: string) => ({
  type: "people",
  id: keyMap.idFromKeys("people", { remoteId }) ?? newPerson(remoteId),
});

function newPerson(remoteId: string): string {
  const id = schema.generateId("people");
  keyMap.pushRecord({ type: "people", id, keys: { remoteId } });
  return id;
}

const textsOf = (records: InitializedRecord[], attribute: string) =>
  records.map(({ attributes }) => attributes?.[attribute]);

const addCourse = (name: string, teachers: string[] = []) =>
  source.update<InitializedRecord>((t) =>
    t.addRecord({
      type: "courses",
      attributes: { name, price: 1_500, priceCurrency: "BRL" },
      relationships: { teachers: { data: teachers.map(person) } },
    }),
  );

const teachersOf = async (course: InitializedRecord) => {
  const teachers = await source.query<InitializedRecord[]>((q) =>
    q.findRelatedRecords(course, "teachers").sort("fullName"),
  );
  return textsOf(teachers, "fullName");
};

test("Orbit lists courses with filter, sort, page and include", async () => {
  const courses = await source.query<InitializedRecord[]>((q) =>
    q
      .findRecords("courses")
      .filter({ attribute: "name", value: "a" }, { attribute: "isActive", value: true })
      .sort("-name")
      .options({
        page: { number: 1, size: 2 },
        include: ["teachers", "createdBy"],
        fields: { courses: ["name", "teachers"] },
      }),
  );
  assert.deepEqual(textsOf(courses, "name"), ["Marriage", "Foundations"]);
});

test("Orbit creates, reads, changes and deletes a course", async () => {
  const course = await addCourse("Discipleship", [setting.tess]);

  const read = await source.query<InitializedRecord>((q) =>
    q.findRecord(course).options({ include: ["teachers", "createdBy"] }),
  );
  const { attributes, relationships } = read;
  assert.equal(attributes?.["name"], "Discipleship");
  assert.ok(attributes?.["createdAt"] instanceof Date);
  assert.deepEqual(relationships?.["teachers"]?.data, [person(setting.tess)]);
  assert.deepEqual(relationships?.["createdBy"]?.data, person(setting.administrator));

  await source.update((t) => t.replaceAttribute(course, "name", "Followers"));
  const changed = await source.query<InitializedRecord>((q) => q.findRecord(course));
  assert.equal(changed.attributes?.["name"], "Followers");
  assert.equal(changed.attributes?.["priceCurrency"], "BRL");

  await source.update((t) => t.removeRecord(course));
  const gone = await source.query((q) => q.findRecord(course));
  assert.equal(gone, undefined);
});

test("Orbit follows a course's relationships, adds, removes and replaces teachers", async () => {
  const { administrator, tess, theo } = setting;
  const course = await addCourse("Leadership");

  await source.update((t) => [
    t.addToRelatedRecords(course, "teachers", person(tess)),
    t.addToRelatedRecords(course, "teachers", person(theo)),
  ]);
  assert.deepEqual(await teachersOf(course), ["Tess Teacher", "Theo Teacher"]);
  const author = await source.query<InitializedRecord>((q) =>
    q.findRelatedRecord(course, "createdBy"),
  );
  assert.deepEqual(author.keys, { remoteId: administrator });

  await source.update((t) => t.removeFromRelatedRecords(course, "teachers", person(tess)));
  assert.deepEqual(await teachersOf(course), ["Theo Teacher"]);
  await source.update((t) => t.replaceRelatedRecords(course, "teachers", [person(tess)]));
  assert.deepEqual(await teachersOf(course), ["Tess Teacher"]);
});
