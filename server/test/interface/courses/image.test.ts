import assert from "node:assert/strict";
import { after, test } from "node:test";
import sharp from "sharp";
import { noise } from "../../support/images.ts";
import { makeCoordinator } from "../../support/courses.ts";
import { makeCourse, makePerson } from "../../support/make.ts";
import { one, startService } from "../../support/service.ts";
import { openPublicArea, WEBSITE } from "../../support/visits.ts";

const service = await startService();
after(() => service.stop());
const { account, db } = service;

const png = await noise(400, 900).png().toBuffer();
const put = (id: string, as?: string) =>
  service.request("PUT", `/v1/courses/${id}/image`, {
    body: png,
    headers: { "Content-Type": "image/png" },
    ...(as !== undefined && { as }),
  });

test("200 · 204 · an image is stored as a JPEG of 1200 × 675, and deleted", async () => {
  const id = await makeCourse(db, account.id);
  const answer = await put(id);
  assert.equal(answer.status, 200, answer.text);
  const link = String(one(answer).attributes["image-url"]);
  const image = await fetch(link.replace("http://localhost", service.url));
  const { format, height, width } = await sharp(await image.bytes()).metadata();
  assert.deepEqual([format, width, height], ["jpeg", 1_200, 675]);
  assert.equal((await service.delete(`/v1/courses/${id}/image`)).status, 204);
  assert.equal(one(await service.get(`/v1/courses/${id}`)).attributes["image-url"], null);
});

test("200 · a website shows the image of a public course", async () => {
  const id = await makeCourse(db, account.id);
  await db`update courses set is_public = true where account_id = ${account.id} and id = ${id}`;
  await openPublicArea(db, account.id);
  await put(id);
  const headers = { Authorization: `Account ${account.id}`, Origin: WEBSITE };
  const answer = await service.get(`/p/v1/courses/${id}`, { as: null, headers });
  assert.equal(answer.status, 200, answer.text);
  const link = String(one(answer).attributes["image-url"]);
  const image = await service.get(link, { as: null, headers: { Origin: WEBSITE } });
  assert.equal(image.status, 200);
});

test("403 · an image needs the permission to write the course", async () => {
  const id = await makeCourse(db, account.id);
  const { token: outside } = await makePerson(db, account.id);
  assert.equal((await put(id, outside)).status, 403);
  const { token } = await makeCoordinator(db, account.id, id);
  assert.equal((await put(id, token)).status, 200);
  assert.equal((await put(await makeCourse(db, account.id), token)).status, 403);
});
