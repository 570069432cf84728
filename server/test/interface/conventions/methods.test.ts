import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { onObservation } from "../../../src/base/observe.ts";
import { makeCourse } from "../../support/make.ts";
import { codes, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const course = await makeCourse(service.db, service.account.id);

const paths: Record<string, string> = {
  "/v1/courses": "GET, HEAD, POST, OPTIONS",
  [`/v1/courses/${course}`]: "GET, HEAD, PATCH, DELETE, OPTIONS",
  [`/v1/courses/${course}/teachers`]: "GET, HEAD, OPTIONS",
  [`/v1/courses/${course}/relationships/teachers`]: "GET, HEAD, PATCH, POST, DELETE, OPTIONS",
  "/v1/cell-attendances": "GET, HEAD, OPTIONS",
  "/authenticate": "POST, OPTIONS",
  "/livez": "GET, HEAD, OPTIONS",
};

test("405 · the error for an unsupported method lists the supported ones", async () => {
  for (const [path, allow] of Object.entries(paths))
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      if (allow.includes(method)) continue;
      const answer = await service.request(method, path);
      assert.deepEqual([answer.status, ...codes(answer)], [405, "method-not-allowed"], path);
      assert.equal(answer.headers.get("allow"), allow);
      assert.equal(answer.document.errors?.[0]?.detail, `${method} is not one of ${allow}.`);
    }
});

test("405 · the method is checked before the body, also for an encoded path", async () => {
  const broken = await service.request("PUT", "/v1/courses", { body: "{" });
  assert.deepEqual([broken.status, ...codes(broken)], [405, "method-not-allowed"]);
  const escaped = await service.request("DELETE", "/v1/c%6Furses?page=1");
  assert.deepEqual([escaped.status, escaped.headers.get("allow")], [405, paths["/v1/courses"]]);
});

test("405 · the observation names the route, not the path", async () => {
  const routes: string[] = [];
  const stop = onObservation((one) => {
    if (one.kind === "request-finished") routes.push(one.route);
  });
  await service.request("PUT", `/v1/courses/${course}`);
  stop();
  assert.deepEqual(routes, ["/v1/courses/:id"]);
});

test("405 · methods that no route supports are rejected", async () => {
  for (const method of ["PROPFIND", "SEARCH", "LINK", "PURGE"]) {
    const answer = await service.request(method, "/v1/courses");
    assert.ok([404, 405].includes(answer.status), method);
    assert.equal(answer.document.errors?.length, 1);
  }
});

test("204 · OPTIONS lists the methods and needs no credentials", async () => {
  for (const [path, allow] of Object.entries(paths)) {
    const answer = await service.request("OPTIONS", path, { as: null });
    assert.deepEqual([answer.status, answer.headers.get("allow"), answer.text], [204, allow, ""]);
  }
});

test("200 · HEAD has the headers of GET and no body", async () => {
  for (const path of ["/v1/courses", `/v1/courses/${course}`]) {
    const [head, get] = [await service.request("HEAD", path), await service.get(path)];
    assert.equal(head.status, 200);
    assert.equal(head.text, "");
    for (const name of ["content-type", "content-length", "etag"])
      assert.equal(head.headers.get(name), get.headers.get(name), name);
  }
  assert.equal((await service.request("HEAD", "/v1/courses/x")).status, 404);
});

test("404 · an unknown path and an absent id have different details", async () => {
  const detail = async (method: string, path: string) => {
    const answer = await service.request(method, path);
    assert.deepEqual([answer.status, ...codes(answer)], [404, "not-found"]);
    return answer.document.errors?.[0]?.detail ?? "";
  };
  for (const path of ["/v1/nonsense", `/v1/courses/${course}/nonsense`])
    for (const method of ["GET", "POST", "OPTIONS"])
      assert.match(await detail(method, path), /\bpath\b/);
  assert.equal((await service.request("HEAD", "/v1/nonsense")).status, 404);
  for (const id of [newId(), "x"])
    assert.doesNotMatch(await detail("GET", `/v1/courses/${id}`), /\bpath\b/);
});

test("404 · an unknown or malformed path has an ordinary error document", async () => {
  for (const path of [
    "/v1",
    "/v1/",
    "/v1/courses/",
    "//v1/courses",
    "/v1//courses",
    "/V1/courses",
    "/v2/courses",
    "/v1/nonsense",
    "/v1/__proto__",
    "/v1/constructor",
    `/v1/courses/${course}/nonsense`,
    `/v1/courses/${course}/__proto__`,
    `/v1/courses/${course}/relationships`,
    `/v1/courses/${course}/teachers/x`,
    "/v1/courses/%",
    "/v1/courses/%ff",
    "/v1/courses/%00",
    "/v1/%63ourses/%2e%2e/x",
    "/v1/courses;x=1",
    `/v1/courses/${"x".repeat(201)}`,
    `/v1/courses/${"%41".repeat(2_000)}`,
    "/../../etc/passwd",
    "/.env",
  ])
    for (const method of ["GET", "POST"]) {
      const answer = await service.request(method, path);
      assert.ok([404, 405].includes(answer.status), `${method} ${path} ${answer.status}`);
      assert.equal(
        answer.document.errors?.[0]?.meta["request-id"],
        answer.headers.get("x-request-id"),
      );
    }
});
