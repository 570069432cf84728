import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makeCourse } from "../../support/make.ts";
import { codes, document, startService } from "../../support/service.ts";

const service = await startService();
after(() => service.stop());
const course = await makeCourse(service.db, service.account.id);
const path = `/v1/courses/${course}`;
const MEDIA_TYPE = "application/vnd.api+json";

test("2xx · 4xx · every document has the media type without parameters", async () => {
  for (const answer of [
    await service.get(path),
    await service.get("/v1/courses"),
    await service.get("/v1/courses?nonsense=1"),
    await service.get("/nowhere"),
    await service.get("/v1/courses", { as: null }),
    await service.post("/v1/courses", document("courses", { name: "x" })),
    await service.request("PUT", path),
  ])
    assert.equal(answer.headers.get("content-type"), MEDIA_TYPE, String(answer.status));
});

test("415 · a body must have the JSON:API media type without unknown parameters", async () => {
  for (const type of [
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    `${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE}; ext="https://example.org/ext"`,
    `${MEDIA_TYPE};version=1`,
    `${MEDIA_TYPE}x`,
    "application/vnd.api",
    "nonsense",
    ";",
    "",
  ])
    for (const [method, at] of [
      ["POST", "/v1/courses"],
      ["PATCH", path],
      ["POST", `${path}/relationships/teachers`],
      ["DELETE", `${path}/relationships/teachers`],
    ] as const) {
      const answer = await service.request(method, at, {
        body: { data: [] },
        headers: { "Content-Type": type },
      });
      assert.equal(answer.status, 415, `${method} ${type}`);
      assert.deepEqual(codes(answer), ["unsupported-media-type"]);
      assert.equal(answer.document.errors?.[0]?.source?.header, "Content-Type");
    }
  const none = await service.request("POST", "/v1/courses", {
    body: new TextEncoder().encode("{}"),
    headers: { "Content-Type": null },
  });
  assert.equal(none.status, 415);
});

test("201 · Content-Type may have a profile, capitals and spaces", async () => {
  for (const type of [
    `${MEDIA_TYPE};profile="https://example.org/profile"`,
    MEDIA_TYPE.toUpperCase(),
    `${MEDIA_TYPE} `,
    `${MEDIA_TYPE};`,
  ]) {
    const headers = { "Content-Type": type };
    const answer = await service.post("/v1/courses", document("courses", { name: "x" }), {
      headers,
    });
    assert.equal(answer.status, 201, type);
  }
});

test("406 · Accept must contain the media type without unknown parameters", async () => {
  for (const accept of [
    `${MEDIA_TYPE};version=1`,
    `${MEDIA_TYPE}; ext="https://example.org/ext"`,
    `text/html, ${MEDIA_TYPE};charset=utf-8`,
    `${MEDIA_TYPE};a=1, ${MEDIA_TYPE};b=2`,
  ])
    for (const method of ["GET", "PATCH"]) {
      const answer = await service.request(method, path, {
        headers: { Accept: accept },
        ...(method === "PATCH" && { body: document("courses", {}, { id: course }) }),
      });
      assert.equal(answer.status, 406, accept);
      assert.equal(answer.document.errors?.[0]?.source?.header, "Accept");
    }
});

test("200 · Accept may be absent, */*, application/json or the media type", async () => {
  for (const accept of [
    null,
    "*/*",
    "",
    "application/json",
    "text/html",
    MEDIA_TYPE,
    `${MEDIA_TYPE};q=0.5`,
    `${MEDIA_TYPE};profile="https://example.org/profile"`,
    `${MEDIA_TYPE};a=1, ${MEDIA_TYPE}`,
    `${MEDIA_TYPE};a=1, */*;q=0.1`,
    ",,,;;;",
  ])
    assert.equal(
      (await service.get(path, { headers: { Accept: accept } })).status,
      200,
      String(accept),
    );
});

test("200 · a GET may have a Content-Type", async () => {
  const headers = { "Content-Type": "text/nonsense" };
  assert.equal((await service.get(path, { headers })).status, 200);
});
