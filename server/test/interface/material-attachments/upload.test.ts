import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { after, test } from "node:test";
import { limits } from "../../../src/base/limits.ts";
import { makeClass, makeStudent, makeTeacher } from "../../support/courses.ts";
import { samples } from "../../support/documents.ts";
import { filesIn, freshDirectory } from "../../support/files.ts";
import { noise } from "../../support/images.ts";
import { makeAssignment, makeCourse, makePerson, makeRow } from "../../support/make.ts";
import {
  codes,
  eventsOf,
  many,
  one,
  PUBLIC_URL,
  type RequestOptions,
  startService,
} from "../../support/service.ts";
import { together } from "../../support/together.ts";

const directory = await freshDirectory();
const files = filesIn(directory.path, PUBLIC_URL);
const service = await startService({ files });
after(async () => {
  await service.stop();
  await directory.remove();
});
const { account, db } = service;
const courseId = await makeCourse(db, account.id);

const makeMaterial = () =>
  makeRow(db, "course_materials", account.id, {
    course_id: courseId,
    title: "Guide",
    material_type: "file",
    audience: "teacher",
  });
const material = await makeMaterial();
const path = (id = material) => `/v1/course-materials/${id}/attachments`;
const pdf = samples["application/pdf"] as Buffer;
const upload = (
  body: Uint8Array | string,
  type = "application/pdf",
  { headers, id, ...more }: RequestOptions & { id?: string } = {},
) =>
  service.request("POST", path(id), {
    body,
    headers: {
      "Content-Type": type,
      "Content-Disposition": 'attachment; filename="guide.pdf"',
      ...headers,
    },
    ...more,
  });
const stored = async () =>
  (await readdir(directory.path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

test("201 · an attachment has a name, a type, a size and a link for 15 minutes", async () => {
  const id = await makeMaterial();
  const events = await eventsOf(async () => {
    const answer = await upload(pdf, "application/pdf", {
      id,
      headers: { "Content-Disposition": "attachment; filename*=UTF-8''li%C3%A7%C3%A3o.pdf" },
    });
    assert.equal(answer.status, 201, answer.text);
    const { attributes, id: attachmentId, relationships } = one(answer);
    assert.equal(
      answer.headers.get("location"),
      `${PUBLIC_URL}/v1/material-attachments/${attachmentId}`,
    );
    assert.deepEqual(relationships["material"]?.data, { type: "course-materials", id });
    assert.partialDeepStrictEqual(attributes, {
      "name": "lição.pdf",
      "media-type": "application/pdf",
      "bytes": pdf.length,
    });
    const url = String(attributes["url"]);
    const expires = Number(/expires=(\d+)/.exec(url)?.[1]) * 1_000;
    assert.equal(attributes["url-expires-at"], new Date(expires).toISOString());
    const left = expires - Date.parse(answer.headers.get("date") ?? "");
    assert.ok(left > 895_000 && left <= 901_000, String(left));

    const file = await fetch(url.replace(PUBLIC_URL, service.url));
    assert.deepEqual(Buffer.from(await file.bytes()), pdf);
    assert.equal(
      file.headers.get("content-disposition"),
      "attachment; filename=\"li??o.pdf\"; filename*=UTF-8''li%C3%A7%C3%A3o.pdf",
    );
  });
  assert.deepEqual(events, ["course-material.updated"]);
});

test("200 · attachments are read alone, of their material and with include, and never stored", async () => {
  const id = await makeMaterial();
  const made = [
    one(await upload(pdf, undefined, { id })),
    one(await upload(pdf, undefined, { id })),
  ];
  const [first = ""] = made.map((one) => one.id);
  const alone = await service.get(`/v1/material-attachments/${first}`);
  assert.equal(one(alone).attributes["name"], "guide.pdf");
  const list = await service.get(path(id));
  assert.deepEqual(
    many(list).map((one) => one.id),
    made.map((one) => one.id),
  );
  const included = await service.get(`/v1/course-materials/${id}?include=attachments`);
  assert.equal(included.document.included?.length, 2);
  const listed = await service.get(`/v1/course-materials?include=attachments`);
  for (const answer of [alone, list, included, listed])
    assert.equal(answer.headers.get("cache-control"), "no-store");
  const again = await service.get(`/v1/material-attachments/${first}`, {
    headers: { "If-None-Match": "*" },
  });
  assert.equal(again.status, 200);
  const without = await service.get(`/v1/course-materials/${id}`);
  assert.equal(without.headers.get("cache-control"), "private, no-cache");
});

test("204 · a deleted attachment loses its link, and the material has a new version", async () => {
  const id = await makeMaterial();
  const attachment = one(await upload(pdf, undefined, { id }));
  const version = async () => (await service.get(`/v1/course-materials/${id}`)).headers.get("etag");
  const before = await version();
  const events = await eventsOf(async () => {
    const answer = await service.delete(`/v1/material-attachments/${attachment.id}`);
    assert.equal(answer.status, 204);
  });
  assert.deepEqual(events, ["course-material.updated"]);
  assert.notEqual(await version(), before);
  const url = String(attachment.attributes["url"]);
  assert.equal((await service.get(url, { as: null })).status, 404);
  const again = await service.delete(`/v1/material-attachments/${attachment.id}`);
  assert.equal(again.status, 404);
});

test("201 · every accepted type, as programs write it", async () => {
  const image = noise(20, 20);
  const images = {
    "image/jpeg": await image.clone().jpeg().toBuffer(),
    "image/png": await image.clone().png().toBuffer(),
    "image/webp": await image.clone().webp().toBuffer(),
  };
  const id = await makeMaterial();
  for (const [type, bytes] of Object.entries({ ...samples, ...images })) {
    const answer = await upload(bytes, `${type}; charset=utf-8`, { id });
    assert.equal(answer.status, 201, `${type} ${answer.text}`);
    assert.equal(one(answer).attributes["media-type"], type);
  }
});

test("415 · 422 · 400 · another type, bytes of another type, and no name", async () => {
  const before = await stored();
  const html = "<!doctype html><script>alert(1)</script>";
  const program = Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)]);
  const document = samples["application/zip"] as Buffer;
  for (const [type, body, status, code] of [
    ["text/html", html, 415, "unsupported-media-type"],
    ["image/svg+xml", "<svg/>", 415, "unsupported-media-type"],
    ["application/octet-stream", pdf, 415, "unsupported-media-type"],
    ["application/pdf", html, 422, "file-type-mismatch"],
    ["application/pdf", program, 422, "file-type-mismatch"],
    ["text/plain", program, 422, "file-type-mismatch"],
    ["text/plain", pdf, 422, "file-type-mismatch"],
    ["text/csv", "a\0b", 422, "file-type-mismatch"],
    ["video/mp4", samples["audio/mp4"] as Buffer, 422, "file-type-mismatch"],
    ["application/epub+zip", document, 422, "file-type-mismatch"],
    ["application/pdf", "", 422, "file-type-mismatch"],
  ] as const) {
    const answer = await upload(body, type);
    assert.deepEqual([answer.status, codes(answer)], [status, [code]], `${type} ${answer.text}`);
  }
  for (const header of [null, "attachment", "inline; filename=a.pdf", "attachment; filename=.."]) {
    const answer = await upload(pdf, undefined, { headers: { "Content-Disposition": header } });
    assert.deepEqual([answer.status, codes(answer)], [400, ["invalid-header"]], String(header));
    assert.equal(answer.document.errors?.[0]?.source?.header, "Content-Disposition");
  }
  assert.deepEqual(await stored(), before);
});

test("413 · a file of more than 50 MiB, with and without a stated length", async () => {
  const before = await stored();
  const body = Buffer.alloc(limits.attachmentBytesMax + 1);
  const stated = await upload(body);
  assert.deepEqual([stated.status, codes(stated)], [413, ["body-too-large"]]);
  const answer = await fetch(service.url + path(), {
    method: "POST",
    headers: {
      "Authorization": `Bearer ${account.administrator.token}`,
      "Origin": "http://vestry.test",
      "Content-Type": "application/pdf",
      "Content-Disposition": "attachment; filename=a.pdf",
    },
    body: new Blob([body]).stream(),
    duplex: "half",
  });
  assert.equal(answer.status, 413);
  assert.deepEqual(await stored(), before);
});

test("an upload that stops in the middle leaves nothing", async () => {
  const before = await stored();
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const head = [
    `POST ${path()} HTTP/1.1`,
    "Host: x",
    "Origin: http://vestry.test",
    `Authorization: Bearer ${account.administrator.token}`,
    "Content-Type: application/pdf",
    "Content-Disposition: attachment; filename=a.pdf",
    `Content-Length: ${pdf.length + 100_000}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(pdf);
  while ((await stored()).length === before.length) await new Promise(setImmediate);
  socket.destroy();
  while ((await stored()).length > before.length) await new Promise(setImmediate);
  assert.deepEqual(await stored(), before);
});

test("409 · a material has at most 20 attachments, also when they come at once", async () => {
  const id = await makeMaterial();
  for (let count = 0; count < 17; count += 1) await upload(pdf, undefined, { id });
  const answers = await together(
    db,
    account.id,
    Array.from({ length: 8 }, () => () => upload(pdf, undefined, { id })),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [201, 201, 201, 409, 409, 409, 409, 409],
  );
  const refused = answers.find(({ status }) => status === 409);
  assert.equal(refused?.document.errors?.[0]?.meta["limit"], 20);
  assert.equal(many(await service.get(path(id))).length, 20);
});

test("403 · 404 · attachments need the rights of their material", async () => {
  const { id, token } = await makePerson(db, account.id);
  const attachment = one(await upload(pdf)).id;
  assert.equal((await upload(pdf, undefined, { as: token })).status, 403);
  const otherCourse = await makeCourse(db, account.id);
  await makeAssignment(db, account.id, {
    personId: id,
    role: "teacher",
    scopeType: "course",
    scopeIds: [otherCourse],
  });
  assert.equal((await upload(pdf, undefined, { as: token })).status, 404);
  const one_ = `/v1/material-attachments/${attachment}`;
  assert.equal((await service.get(one_, { as: token })).status, 404);
  assert.equal((await service.delete(one_, { as: token })).status, 404);
  await makeAssignment(db, account.id, {
    personId: id,
    role: "teacher",
    scopeType: "course",
    scopeIds: [courseId],
  });
  assert.equal((await upload(pdf, undefined, { as: token })).status, 201);
  assert.equal((await service.get(one_, { as: token })).status, 200);
  assert.equal((await service.delete(one_, { as: token })).status, 204);
});

test("200 · 403 · 404 · the readers of a material read its attachments and change nothing", async () => {
  const classId = await makeClass(db, account.id, courseId);
  const teacher = await makeTeacher(db, account.id, classId);
  const student = await makeStudent(db, account.id, classId);
  const other = await makePerson(db, account.id);
  const id = await makeMaterial();
  const attachment = one(await upload(pdf, undefined, { id })).id;
  const statuses = () =>
    Promise.all(
      [teacher, student, other].map(async ({ token: as }) => {
        const read = await service.get(`/v1/material-attachments/${attachment}`, { as });
        const added = await upload(pdf, undefined, { id, as });
        const list = await service.get("/v1/material-attachments", { as });
        const isListed = many(list).some((one) => one.id === attachment);
        assert.equal(isListed, read.status === 200);
        return [read.status, added.status];
      }),
    );
  assert.deepEqual(await statuses(), [
    [404, 404],
    [404, 403],
    [404, 403],
  ]);
  await db`
    update course_materials set publish_status = 'unlisted', audience = 'student'
    where account_id = ${account.id} and id = ${id}`;
  assert.deepEqual(await statuses(), [
    [200, 403],
    [200, 403],
    [404, 403],
  ]);
  await db`
    update course_materials set publish_status = 'public' where account_id = ${account.id} and id = ${id}`;
  assert.deepEqual(await statuses(), [
    [200, 403],
    [200, 403],
    [200, 403],
  ]);
});
