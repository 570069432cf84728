import assert from "node:assert/strict";
import { test } from "node:test";
import { runGuide, startDemo } from "../support/guides.ts";
import { linkedId, many, one } from "../support/service.ts";

test("the commands announce a class, teach it and graduate a student", async (context) => {
  const start = await startDemo(context);
  const printed = await runGuide("run-a-class", start);
  assert.match(printed, /"created-count":2/);
  assert.match(printed, /"title":"Study guide"/);

  const [course] = many(await start.read("/v1/courses?filter[name]=baptism&sort=-created-at"));
  const [enrollment] = many(
    await start.read(`/v1/course-enrollments?filter[course]=${course?.id}`),
  );
  assert.ok(enrollment);
  assert.partialDeepStrictEqual(enrollment.attributes, {
    "status": "completed",
    "lessons-attended": 2,
    "progress": 100,
  });
  const [done] = many(
    await start.read(`/v1/course-task-completions?filter[enrollment]=${enrollment.id}`),
  );
  assert.partialDeepStrictEqual(done?.attributes, { "status": "accepted", "points-earned": 9 });
  const { relationships } = one(await start.read(`/v1/courses/${course?.id}`));
  const student = linkedId(enrollment, "person");
  assert.deepEqual(relationships["completed-by"]?.data, [{ type: "people", id: student }]);
});
