import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { makeCourse } from "../../support/make.ts";
import {
  codes,
  document,
  one,
  pointers,
  startService,
  type TestService,
} from "../../support/service.ts";

describe("PATCH with the whole resource, as many clients send it", () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  test("200 · what the service sets may be repeated, as long as it is what it was", async () => {
    const id = await makeCourse(service.db, service.church.id);
    const read = one(await service.get(`/v1/courses/${id}`));
    const attributes = { ...read.attributes, name: "Renamed" };
    const answer = await service.patch(`/v1/courses/${id}`, { data: { ...read, attributes } });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(one(answer).attributes["name"], "Renamed");
  });

  test("422 · a read-only attribute or relationship with another value is refused by name", async () => {
    const id = await makeCourse(service.db, service.church.id);
    const answer = await service.patch(
      `/v1/courses/${id}`,
      document(
        "courses",
        { "lessons-count": 7, "name": "Renamed" },
        { id, relationships: { lessons: { data: [{ type: "course-lessons", id }] } } },
      ),
    );
    assert.equal(answer.status, 422);
    assert.deepEqual(codes(answer), ["read-only-attribute", "read-only-attribute"]);
    assert.deepEqual(pointers(answer), [
      "/data/attributes/lessons-count",
      "/data/relationships/lessons",
    ]);
    assert.equal(one(await service.get(`/v1/courses/${id}`)).attributes["name"], "Foundations");
  });

  test("200 · filter[id][] is read as filter[id] with several values", async () => {
    const ids = [
      await makeCourse(service.db, service.church.id),
      await makeCourse(service.db, service.church.id),
    ];
    const answer = await service.get(`/v1/courses?filter[id][]=${ids[0]}&filter[id][]=${ids[1]}`);
    assert.equal(answer.document.meta?.["total"], 2);
  });

  test("400 · linkage understands no include", async () => {
    const id = await makeCourse(service.db, service.church.id);
    const answer = await service.get(`/v1/courses/${id}/relationships/teachers?include=teachers`);
    assert.equal(answer.status, 400);
  });
});
