import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, test } from "node:test";
import { newId } from "../../../src/base/ids.ts";
import { StorageFailed } from "../../../src/store/files/file-store.ts";
import type { Files } from "../../../src/store/files/files.ts";
import { filesIn, freshDirectory } from "../../support/files.ts";
import { noise } from "../../support/images.ts";
import { makeAccount, makeCourse, makeFile, makePerson } from "../../support/make.ts";
import { codes, one, PUBLIC_URL, startService } from "../../support/service.ts";

const directory = await freshDirectory();
const files = filesIn(directory.path, PUBLIC_URL);
const service = await startService({ files });
after(async () => {
  await service.stop();
  await directory.remove();
});
const { account, db } = service;

const photo = await noise(90, 90).jpeg().toBuffer();
const courseId = await makeCourse(db, account.id);
await service.request("PUT", `/v1/courses/${courseId}/image`, {
  body: photo,
  headers: { "Content-Type": "image/jpeg" },
});
const read = async () => one(await service.get(`/v1/courses/${courseId}`)).attributes;
const link = String((await read())["image-url"]);
const [fileId = ""] = /[^/]+(?=\?)/.exec(link) ?? [];

const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(url.replace(PUBLIC_URL, service.url), { method, headers });
const whole = Buffer.from(await (await get(link)).arrayBuffer());

const [clock] = await db<{ second: number }[]>`
  select floor(extract(epoch from now()))::float8 as second`;
const inSeconds = (seconds: number) => (clock?.second ?? 0) + seconds;
/** A genuine link of the service. */
const signed = (accountId: string, id: string, expires: number) =>
  files.links.urlOf(accountId, `${id}?expires=${expires}`);

test("200 · the link alone returns the file, as a download that browsers do not run", async () => {
  const answer = await get(link);
  assert.equal(answer.status, 200);
  const header = (name: string) => answer.headers.get(name);
  assert.equal(header("content-type"), "image/jpeg");
  assert.equal(header("content-length"), String(whole.length));
  assert.equal(header("content-disposition"), "attachment");
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.match(header("content-security-policy") ?? "", /default-src 'none'.*sandbox/);
  assert.equal(header("cross-origin-resource-policy"), "cross-origin");
  assert.equal(header("accept-ranges"), "bytes");
  const [, seconds = ""] = /^private, max-age=(\d+)$/.exec(header("cache-control") ?? "") ?? [];
  assert.ok(Number(seconds) > 3_500 && Number(seconds) <= 7_200, seconds);
  assert.match(link, /\?expires=\d+&signature=[\w-]+$/);
});

test("200 · HEAD returns the headers, and 304 follows from the ETag", async () => {
  const head = await get(link, {}, "HEAD");
  assert.equal(head.status, 200);
  assert.equal(head.headers.get("content-length"), String(whole.length));
  assert.equal((await head.bytes()).length, 0);
  const etag = head.headers.get("etag") ?? "";
  assert.equal((await get(link, { "If-None-Match": etag })).status, 304);
  assert.equal((await get(link, { "If-None-Match": '"other"' })).status, 200);
});

test("206 · one range of bytes, from the start, from the middle and from the end", async () => {
  const last = whole.length - 1;
  for (const [range, start, end] of [
    ["bytes=0-0", 0, 0],
    ["bytes=10-19", 10, 19],
    ["bytes=10-", 10, last],
    ["bytes=-5", last - 4, last],
    [`bytes=-${whole.length + 9}`, 0, last],
    [`bytes=3-${whole.length + 9}`, 3, last],
  ] as const) {
    const answer = await get(link, { Range: range });
    assert.equal(answer.status, 206, range);
    assert.equal(answer.headers.get("content-range"), `bytes ${start}-${end}/${whole.length}`);
    assert.deepEqual(Buffer.from(await answer.bytes()), whole.subarray(start, end + 1), range);
  }
});

test("200 · several ranges, another unit and a range of another version return the file", async () => {
  for (const headers of [
    { Range: "bytes=0-1,4-5" },
    { Range: "items=0-1" },
    { Range: "bytes=9-3" },
    { Range: "bytes=-" },
    { "Range": "bytes=0-1", "If-Range": '"other"' },
  ]) {
    const answer = await get(link, headers);
    assert.equal(answer.status, 200, JSON.stringify(headers));
    assert.equal((await answer.bytes()).length, whole.length);
  }
});

test("416 · a range outside the file names its length", async () => {
  for (const range of [`bytes=${whole.length}-`, "bytes=-0", `bytes=${"9".repeat(30)}-`]) {
    const answer = await get(link, { Range: range });
    assert.equal(answer.status, 416, range);
    assert.equal(answer.headers.get("content-range"), `bytes */${whole.length}`);
  }
});

test("403 · a link that differs in one character, anywhere", async () => {
  const url = link.replace(PUBLIC_URL, "");
  const start = "/v1/files/".length;
  for (let place = start; place < url.length; place += 1) {
    const other = url[place] === "1" ? "2" : "1";
    const altered = url.slice(0, place) + other + url.slice(place + 1);
    const { status } = await get(service.url + altered);
    // A slash that is altered leaves no path of a file.
    assert.equal(
      status,
      url[place] === "/" || (url[place] === "?" && status === 403) ? status : 403,
      altered,
    );
    assert.notEqual(status, 200, altered);
  }
  for (const altered of [
    `${url}&x=1`,
    url.replace("?", "?x=1&"),
    url.replace(/.signature.*/, ""),
    `${url}A`,
    url.toUpperCase().replace("/V1/FILES", "/v1/files"),
  ]) {
    const answer = await service.get(altered, { as: null });
    assert.deepEqual([answer.status, codes(answer)], [403, ["link-invalid"]], altered);
  }
});

test("403 · a link that has expired by one second, and 200 before", async () => {
  const late = await service.get(signed(account.id, fileId, inSeconds(-1)), { as: null });
  assert.deepEqual([late.status, codes(late)], [403, ["link-invalid"]]);
  assert.equal((await get(signed(account.id, fileId, inSeconds(60)))).status, 200);
});

test("403 · 404 · a link for another account, of another key, or without its file", async () => {
  const other = await makeAccount(db);
  const [path = "", signature] = link.split("&signature=");
  const moved = `${path.replace(account.id, other.id)}&signature=${signature}`;
  assert.equal((await get(moved)).status, 403);
  assert.equal((await get(signed(other.id, fileId, inSeconds(60)))).status, 404);
  assert.equal((await get(signed(account.id, newId(), inSeconds(60)))).status, 404);

  const { id } = await makePerson(db, account.id);
  const put = { body: photo, headers: { "Content-Type": "image/jpeg" } };
  const answer = await service.request("PUT", `/v1/people/${id}/photo`, put);
  const lost = String(one(answer).attributes["photo-url"]);
  const [lostId = ""] = /[^/]+(?=\?)/.exec(lost) ?? [];
  await rm(`${directory.path}/${account.id}/${lostId}`);
  assert.equal((await get(lost)).status, 404);
});

test("200 · the image of a public course keeps its link for a day", async () => {
  assert.ok(!Number.isNaN(Number(/expires=(\d+)/.exec(link)?.[1])));
  await db`update courses set is_public = true where account_id = ${account.id} and id = ${courseId}`;
  const expires = Number(/expires=(\d+)/.exec(String((await read())["image-url"]))?.[1]);
  assert.equal(expires % 86_400, 0);
  assert.ok(expires - inSeconds(0) > 86_400);
});

test("503 · a storage that fails rejects uploads and downloads, and nothing else", async () => {
  const broken: Files = {
    links: files.links,
    store: {
      ...files.store,
      incoming: directory.path,
      keep: () => Promise.reject(new StorageFailed(new Error("The bucket is gone."))),
      read: () => Promise.reject(new StorageFailed(new Error("The bucket is gone."))),
    },
  };
  const other = await startService({ files: broken });
  try {
    const { id } = await makePerson(other.db, other.account.id);
    const put = { body: photo, headers: { "Content-Type": "image/jpeg" } };
    const upload = await other.request("PUT", `/v1/people/${id}/photo`, put);
    assert.deepEqual([upload.status, codes(upload)], [503, ["unavailable"]]);
    assert.notEqual(upload.headers.get("retry-after"), null);
    const person = await other.get(`/v1/people/${id}`);
    assert.deepEqual([person.status, one(person).attributes["photo-url"]], [200, null]);
    const fileId = await makeFile(other.db, other.account.id);
    const url = signed(other.account.id, fileId, inSeconds(60));
    assert.equal((await other.get(url, { as: null })).status, 503);
  } finally {
    await other.stop();
  }
});

test("405 · a file is only read", async () => {
  const answer = await service.request("DELETE", link, { as: null });
  assert.deepEqual([answer.status, answer.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
});

test("429 · downloads have a quota of their own", async () => {
  const limited = await startService({
    db,
    files,
    rateLimits: {
      address: { requests: 1, windowMs: 60_000 },
      file: { requests: 2, windowMs: 60_000 },
    },
  });
  try {
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent += 1)
      statuses.push((await limited.get(link, { as: null })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
    assert.equal((await limited.get("/openapi.json", { as: null })).status, 200);
  } finally {
    await limited.stop();
  }
});
