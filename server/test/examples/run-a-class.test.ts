import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { promisify } from "node:util";
import { freePort } from "../../src/store/embedded.ts";
import { dayFromToday } from "../support/cells.ts";
import { makeAssignment } from "../support/make.ts";
import { fenced } from "../support/messages.ts";
import { many, one, startService } from "../support/service.ts";
import { makeLogin, PASSWORD } from "../support/sign-in.ts";

/** Runs the commands of docs/guides/run-a-class.md in a shell. */

test("the commands announce a class, teach it and graduate a student", async (context) => {
  const publicUrl = `http://localhost:${await freePort()}`;
  const service = await startService({ publicUrl, origins: [publicUrl] });
  context.after(() => service.stop());
  const { account, db } = service;
  const coordinator = await makeLogin(db, account, "thomas");
  await makeAssignment(db, account.id, { personId: coordinator.id, role: "course-coordinator" });
  const teacher = await makeLogin(db, account, "graca");
  const student = await makeLogin(db, account, "priya");

  const guide = new URL("../../../docs/guides/run-a-class.md", import.meta.url);
  const [settings = "", ...commands] = fenced(await readFile(guide, "utf8"), "sh");
  const [first, last] = [
    await dayFromToday(db, account.id, -8),
    await dayFromToday(db, account.id, -1),
  ];
  const given: Record<string, string> = {
    HERE: publicUrl,
    ACCOUNT: account.alias,
    COORDINATOR: coordinator.email,
    TEACHER: teacher.email,
    STUDENT: student.email,
    COORDINATOR_PASSWORD: PASSWORD,
    TEACHER_PASSWORD: PASSWORD,
    STUDENT_PASSWORD: PASSWORD,
    STARTS: `${first}T00:00:00Z`,
    ENDS: `${last}T23:59:00Z`,
    WEEKDAY: String(new Date(last).getUTCDay()),
  };
  const replaced = settings.replaceAll(/^(\w+)='.*'$/gm, (_, name) => `${name}='${given[name]}'`);
  const { stdout, stderr } = await promisify(execFile)(
    "sh",
    ["-euc", [replaced, ...commands].join("\n")],
    { env: { PATH: process.env["PATH"] } },
  );
  assert.equal(stderr, "");
  assert.ok(!stdout.includes(`"errors"`), stdout);
  assert.match(stdout, /"created-count":2/);
  assert.match(stdout, /"title":"Study guide"/);

  const origin = { headers: { Origin: publicUrl } };
  const [enrollment] = many(await service.get("/v1/course-enrollments", origin));
  assert.partialDeepStrictEqual(enrollment?.attributes, {
    "status": "completed",
    "lessons-attended": 2,
    "progress": 100,
  });
  const [done] = many(await service.get("/v1/course-task-completions", origin));
  assert.partialDeepStrictEqual(done?.attributes, { "status": "accepted", "points-earned": 9 });
  const [course] = many(await service.get("/v1/courses", origin));
  const { relationships } = one(await service.get(`/v1/courses/${course?.id}`, origin));
  assert.deepEqual(relationships["completed-by"]?.data, [{ type: "people", id: student.id }]);
});
