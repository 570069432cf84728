import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { limits } from "../../../src/base/limits.ts";
import { makeCell, makeMember } from "../../support/cells.ts";
import { filesIn, freshDirectory } from "../../support/files.ts";
import { noise, pngBomb, telephonePhoto } from "../../support/images.ts";
import { makeAccount, makeAssignment, makePerson } from "../../support/make.ts";
import {
  codes,
  document,
  etag,
  eventsOf,
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

const jpeg = await noise(60, 40).jpeg().toBuffer();

const put = (id: string, body: Uint8Array | string, { headers, ...more }: RequestOptions = {}) =>
  service.request("PUT", `/v1/people/${id}/photo`, {
    body,
    headers: { "Content-Type": "image/jpeg", ...headers },
    ...more,
  });
const linkOf = async (id: string) =>
  String(one(await service.get(`/v1/people/${id}`)).attributes["photo-url"]);
const download = async (link: string) =>
  fetch(link.replace(PUBLIC_URL, service.url)).then((answer) => answer.bytes());
/** The names of the files on the disk. */
const stored = async () =>
  (await readdir(directory.path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test("200 · a photo is stored upright as a JPEG of 512 × 512 without metadata", async () => {
  const { id } = await makePerson(db, account.id);
  const events = await eventsOf(async () => {
    const answer = await put(id, await telephonePhoto());
    assert.equal(answer.status, 200, answer.text);
    assert.notEqual(etag(answer), "");
    const link = String(one(answer).attributes["photo-url"]);
    assert.equal(link, await linkOf(id));
    const image = sharp(await download(link));
    const {
      density: _,
      exif,
      format,
      height,
      icc,
      orientation,
      width,
      xmp,
    } = await image.metadata();
    assert.deepEqual(
      [format, width, height, exif, icc, xmp, orientation],
      ["jpeg", 512, 512, undefined, undefined, undefined, undefined],
    );
  });
  assert.deepEqual(events, ["person.updated"]);
});

test("200 · PNG and WebP are accepted, and transparent parts become white", async () => {
  const { id } = await makePerson(db, account.id);
  const clear = sharp({
    create: { width: 30, height: 30, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  });
  for (const [type, bytes] of [
    ["image/png", await clear.clone().png().toBuffer()],
    ["image/webp", await clear.clone().webp().toBuffer()],
  ] as const) {
    const answer = await put(id, bytes, { headers: { "Content-Type": type } });
    assert.equal(answer.status, 200, answer.text);
    const { dominant } = await sharp(await download(await linkOf(id))).stats();
    assert.ok(dominant.r > 240, JSON.stringify(dominant));
  }
});

test("200 · a new photo replaces the former one, whose link ends", async () => {
  const { id } = await makePerson(db, account.id);
  await put(id, jpeg);
  const former = await linkOf(id);
  await put(id, jpeg);
  assert.notEqual(await linkOf(id), former);
  const answer = await service.get(former, { as: null });
  assert.equal(answer.status, 404);
});

test("200 · the link stays the same, and a client can send it back", async () => {
  const { id } = await makePerson(db, account.id);
  await put(id, jpeg);
  const link = await linkOf(id);
  assert.equal(await linkOf(id), link);
  const later = link.replace(/\?.*/, `?expires=2000000000&signature=${"x".repeat(43)}`);
  const same = { "photo-url": later, "occupation": "Baker" };
  const kept = await service.patch(`/v1/people/${id}`, document("people", same, { id }));
  assert.equal(kept.status, 200, kept.text);
  const other = document("people", { "photo-url": "https://example.org/me.jpg" }, { id });
  const answer = await service.patch(`/v1/people/${id}`, other);
  assert.deepEqual([answer.status, codes(answer)], [422, ["read-only-attribute"]]);
});

test("204 · a photo is deleted with its link, and again without effect", async () => {
  const { id } = await makePerson(db, account.id);
  await put(id, jpeg);
  const link = await linkOf(id);
  const events = await eventsOf(async () => {
    assert.equal((await service.delete(`/v1/people/${id}/photo`)).status, 204);
    assert.equal((await service.delete(`/v1/people/${id}/photo`)).status, 204);
  });
  assert.deepEqual(events, ["person.updated"]);
  assert.equal(one(await service.get(`/v1/people/${id}`)).attributes["photo-url"], null);
  assert.equal((await service.get(link, { as: null })).status, 404);
});

test("204 · the photo of a deleted person is deleted with them", async () => {
  const { id } = await makePerson(db, account.id);
  await put(id, jpeg);
  const link = await linkOf(id);
  assert.equal((await service.delete(`/v1/people/${id}`)).status, 204);
  assert.equal((await service.get(link, { as: null })).status, 404);
});

test("201 · a merge keeps the photo of the kept person, or takes the first one", async () => {
  const merge = async (kept: string, ...removed: string[]) => {
    const answer = await service.post(
      "/v1/person-merges",
      document(
        "person-merges",
        {},
        {
          relationships: {
            kept: { data: { type: "people", id: kept } },
            removed: { data: removed.map((id) => ({ type: "people", id })) },
          },
        },
      ),
    );
    assert.equal(answer.status, 201, answer.text);
  };
  const people = await Promise.all(Array.from({ length: 4 }, () => makePerson(db, account.id)));
  const [first = "", second = "", third = "", fourth = ""] = people.map(({ id }) => id);
  for (const id of [second, third]) await put(id, jpeg);
  const [taken, dropped] = [await linkOf(second), await linkOf(third)];
  await merge(first, fourth, second, third);
  assert.equal(await linkOf(first), taken);
  assert.equal((await service.get(dropped, { as: null })).status, 404);
});

test("403 · 404 · a photo needs the permission and the scope of the names", async () => {
  const cell = await makeCell(db, account.id);
  const leader = await makeMember(db, account.id, cell, { cell_role: "leader" });
  const member = await makeMember(db, account.id, cell);
  const stranger = await makePerson(db, account.id);
  const secretary = await makePerson(db, account.id);
  await makeAssignment(db, account.id, { personId: secretary.id, role: "secretary" });

  for (const [as, id, status] of [
    [leader.token, leader.id, 200],
    [leader.token, "me", 200],
    [leader.token, member.id, 403],
    [leader.token, stranger.id, 404],
    [member.token, leader.id, 404],
    [secretary.token, member.id, 200],
    [(await makeAccount(db)).administrator.token, member.id, 404],
    [null, member.id, 401],
  ] as const) {
    const answer = await put(id, jpeg, { as });
    assert.equal(answer.status, status, answer.text);
    const removal = await service.delete(`/v1/people/${id}/photo`, { as });
    assert.equal(removal.status, status === 200 ? 204 : status, removal.text);
  }
  await put(member.id, jpeg);
  const reduced = one(await service.get(`/v1/people/${member.id}`, { as: leader.token }));
  assert.equal(reduced.attributes["photo-url"], await linkOf(member.id));
});

test("413 · 415 · 422 · a rejected photo changes nothing and leaves nothing on the disk", async () => {
  const { id } = await makePerson(db, account.id);
  await put(id, jpeg);
  const link = await linkOf(id);
  const before = await stored();
  const large = Buffer.concat([jpeg, Buffer.alloc(limits.imageBytesMax)]);
  const inPieces = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < large.length; sent += 65_536)
        controller.enqueue(large.subarray(sent, sent + 65_536));
      controller.close();
    },
  });
  const pieces = await fetch(`${service.url}/v1/people/${id}/photo`, {
    method: "PUT",
    headers: {
      "Authorization": `Bearer ${account.administrator.token}`,
      "Origin": "http://vestry.test",
      "Content-Type": "image/jpeg",
    },
    body: inPieces,
    duplex: "half",
  });
  assert.equal(pieces.status, 413);

  const png = await noise(30, 30).png().toBuffer();
  const gif = await noise(30, 30).gif().toBuffer();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  const wide = { create: { width: 6_000, height: 5_000, channels: 3, background: "red" } } as const;
  const progressive = await sharp(wide).jpeg({ progressive: true }).toBuffer();
  const cut = jpeg.subarray(0, jpeg.length / 2);
  for (const [type, body, status, code] of [
    ["image/jpeg", large, 413, "body-too-large"],
    ["image/svg+xml", svg, 415, "unsupported-media-type"],
    ["image/gif", gif, 415, "unsupported-media-type"],
    ["application/vnd.api+json", "{}", 415, "unsupported-media-type"],
    [null, jpeg, 415, "unsupported-media-type"],
    ["image/jpeg", png, 422, "file-type-mismatch"],
    ["image/jpeg", svg, 422, "file-type-mismatch"],
    ["image/png", gif, 422, "file-type-mismatch"],
    ["image/jpeg", "", 422, "file-type-mismatch"],
    ["image/jpeg", "GIF89a", 422, "file-type-mismatch"],
    ["image/jpeg", cut, 422, "file-type-mismatch"],
    ["image/png", pngBomb(20_000, 20_000), 422, "file-type-mismatch"],
    ["image/png", pngBomb(5_000, 4_000, true), 422, "file-type-mismatch"],
    ["image/jpeg", progressive, 422, "file-type-mismatch"],
  ] as const) {
    const answer = await put(id, body, { headers: { "Content-Type": type } });
    assert.deepEqual([answer.status, codes(answer)], [status, [code]], answer.text);
  }
  // The signature changes with the hour.
  const fileIn = (text: string) => text.split("?")[0];
  assert.equal(fileIn(await linkOf(id)), fileIn(link));
  assert.deepEqual(await stored(), before);
});

test("200 · eight photos at once leave one row of a file", async () => {
  const { id } = await makePerson(db, account.id);
  const people = await Promise.all(Array.from({ length: 8 }, () => makePerson(db, account.id)));
  for (const { id: personId } of people)
    await makeAssignment(db, account.id, { personId, role: "secretary" });
  const answers = await together(
    db,
    account.id,
    people.map(
      ({ token: as }) =>
        () =>
          put(id, jpeg, { as }),
    ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from files f where account_id = ${account.id}
      and not exists (select from people p where p.account_id = f.account_id and p.photo_id = f.id)`;
  assert.equal(row?.count, 0);
  assert.equal((await download(await linkOf(id))).length > 500, true);
  assert.equal(dirname(files.store.incoming), directory.path);
});

test("503 · a person who sends many large images has one waiting, and others get their turn", async () => {
  const large = pngBomb(12_000, 12_000);
  const [greedy, other] = [await makePerson(db, account.id), await makePerson(db, account.id)];
  const send = (as: string, body: Buffer) =>
    put("me", body, { as, headers: { "Content-Type": "image/png" } });
  const flood = Array.from({ length: 10 }, () => send(greedy.token, large));
  const first = await Promise.race(flood);
  assert.deepEqual([first.status, codes(first)], [503, ["unavailable"]], first.text);
  assert.match(first.headers.get("Retry-After") ?? "", /^[1-9]\d*$/);
  const small = await noise(60, 40).png().toBuffer();
  assert.equal((await send(other.token, small)).status, 200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  assert.ok(statuses.includes(200), String(statuses));
});
