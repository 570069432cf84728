import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { newId } from "../../src/base/ids.ts";
import { makeAccount } from "../support/make.ts";
import {
  type Answer,
  codes,
  document,
  etag,
  many,
  one,
  type Resource,
  startService,
} from "../support/service.ts";
import { catalogue } from "./definitions.ts";

const service = await startService({}, catalogue);
after(() => service.stop());

let made = 0;

async function makeSignpost(as?: string): Promise<string> {
  made += 1;
  const body = document("signposts", { url: `https://host-${made}.example/` });
  return one(await service.post("/v1/signposts", body, as === undefined ? {} : { as })).id;
}

const refused = (answer: Answer) => [answer.status, ...codes(answer)];
const matching = (header: string) => ({ headers: { "If-Match": header } });
const rename = (id: string, name: string, more = {}) =>
  service.patch(`/v1/signposts/${id}`, document("signposts", { name }, { id }), more);

describe("an ETag of the version alone", () => {
  test("200 · is independent of the query and never causes 304", async () => {
    const path = `/v1/signposts/${await makeSignpost()}`;
    for (const query of ["", "?include=diary", "?fields[signposts]=name"]) {
      const answer = await service.get(path + query, {
        headers: { "If-None-Match": '"signpost-1"' },
      });
      assert.deepEqual([answer.status, etag(answer)], [200, '"signpost-1"']);
    }
  });

  test("200 · 201 · is part of responses to writes", async () => {
    const body = document("signposts", { url: "https://tagged.example/" });
    const created = await service.post("/v1/signposts", body);
    assert.equal(etag(created), '"signpost-1"');
    const changed = await rename(one(created).id, "Named", matching(etag(created)));
    assert.deepEqual([changed.status, etag(changed)], [200, '"signpost-2"']);
  });

  test("428 · is required by changes and deletions, exactly once", async () => {
    const id = await makeSignpost();
    const other = await makeSignpost();
    const wrong = [
      null,
      "*",
      "",
      "signpost-1",
      'W/"signpost-1"',
      '"signpost-1", "signpost-2"',
      '"1-abc"',
      '"signpost-"',
      '"signpost--1"',
      '"signpost-1x"',
      '"signpost-1-q2X0p9cJ4mB1sT7u"',
      `"signposts-1"`,
      `"${other}"`,
    ];
    for (const header of wrong) {
      const headers = { "If-Match": header };
      for (const answer of [
        await rename(id, "Unguarded", { headers }),
        await service.delete(`/v1/signposts/${id}`, { headers }),
      ]) {
        assert.deepEqual(refused(answer), [428, "precondition-required"], String(header));
        assert.deepEqual(answer.document.errors?.[0]?.source, { header: "If-Match" });
      }
    }
    assert.equal(one(await service.get(`/v1/signposts/${id}`)).attributes["name"], null);
  });

  test("409 · must be of the current version", async () => {
    const id = await makeSignpost();
    for (const version of ["0", "2", "01", "99999999999999999999", "1".repeat(300)]) {
      const guarded = matching(`"signpost-${version}"`);
      for (const answer of [
        await rename(id, "Stale", guarded),
        await service.delete(`/v1/signposts/${id}`, guarded),
      ]) {
        assert.deepEqual(refused(answer), [409, "stale-version"], version);
        assert.deepEqual(answer.document.errors?.[0]?.source, { header: "If-Match" });
      }
    }
    assert.equal((await rename(id, "Current", matching('"signpost-1"'))).status, 200);
    assert.equal((await rename(id, "Late", matching('"signpost-1"'))).status, 409);
  });

  test("404 · 428 · existence is checked first, then the version, then the document", async () => {
    const account = await makeAccount(service.db);
    const theirs = await makeSignpost(account.administrator.token);
    for (const id of [newId(), theirs, "nonsense"])
      for (const answer of [
        await rename(id, "Nobody's"),
        await service.delete(`/v1/signposts/${id}`),
        await rename(id, "Nobody's", matching('"signpost-1"')),
        await service.delete(`/v1/signposts/${id}`, matching('"signpost-1"')),
      ])
        assert.deepEqual(refused(answer), [404, "not-found"], id);

    const path = `/v1/signposts/${await makeSignpost()}`;
    for (const body of [
      document("people", {}, { id: newId() }),
      document("signposts", { nonsense: 1 }, { id: newId() }),
    ])
      assert.deepEqual(refused(await service.patch(path, body)), [428, "precondition-required"]);
  });

  test("204 · allows a deletion, after which the resource is absent everywhere", async () => {
    const id = await makeSignpost();
    const path = `/v1/signposts/${id}`;
    const [entry] = many(await service.get(`${path}/diary`));
    assert.ok(entry);
    assert.equal((await service.delete(path, matching('"signpost-1"'))).status, 204);

    for (const route of [path, `${path}/diary`, `${path}/relationships/diary`])
      assert.equal((await service.get(route)).status, 404, route);
    assert.deepEqual(refused(await rename(id, "Gone")), [404, "not-found"]);
    const listed = await service.get(`/v1/signposts?filter[id]=${id}`);
    assert.equal(listed.document.meta?.["total"], 0);
    // The entry is still there, and leads nowhere.
    const including = await service.get(`/v1/signpost-entries/${entry.id}?include=signpost`);
    assert.deepEqual(including.document.included, []);
    const related = await service.get(`/v1/signpost-entries/${entry.id}/signpost`);
    assert.deepEqual([related.status, related.document.data], [200, null]);
  });
});

describe("meta.etag", () => {
  const etagIn = (resource: { meta?: Record<string, unknown> } | undefined) =>
    resource?.meta?.["etag"];

  test("200 · 409 · guards a write of a listed resource, with any fields", async () => {
    const id = await makeSignpost();
    for (const name of ["First", "Second"]) {
      const list = `/v1/signposts?filter[id]=${id}&fields[signposts]=name`;
      const [listed] = many(await service.get(list));
      const current = String(etagIn(listed));
      const answer = await rename(id, name, matching(current));
      assert.deepEqual([answer.status, etagIn(one(answer))], [200, undefined]);
      assert.notEqual(etag(answer), current);
      assert.deepEqual(refused(await rename(id, "Lost", matching(current))), [
        409,
        "stale-version",
      ]);
    }
  });

  test("200 · belongs to included and related resources with versions", async () => {
    const path = `/v1/signposts/${await makeSignpost()}`;
    const { data, included } = (await service.get(`${path}?include=diary`)).document;
    assert.equal(etagIn(data as Resource), undefined);
    assert.deepEqual(included?.map(etagIn), [undefined]);
    const entries = await service.get(`${path}/diary?include=signpost`);
    assert.deepEqual(many(entries).map(etagIn), [undefined]);
    assert.deepEqual(entries.document.included?.map(etagIn), ['"signpost-1"']);
  });
});

describe("a type without versions", () => {
  test("304 · the ETag depends only on the bytes", async () => {
    const [entry] = many(await service.get(`/v1/signposts/${await makeSignpost()}/diary`));
    const path = `/v1/signpost-entries/${entry?.id}`;
    const read = await service.get(path);
    assert.match(etag(read), /^"[\w-]{16}"$/);
    const again = await service.get(path, { headers: { "If-None-Match": etag(read) } });
    assert.equal(again.status, 304);
    const other = await service.get(`${path}?fields[signpost-entries]=change`);
    assert.notEqual(etag(other), etag(read));
  });

  test("400 · 405 · it has no filter[modified-since] and no writes", async () => {
    const filtered = await service.get("/v1/signpost-entries?filter[modified-since]=2026-01-01");
    assert.deepEqual(refused(filtered), [400, "unknown-parameter"]);
    const path = `/v1/signpost-entries/${newId()}`;
    const answer = await service.patch(path, document("signpost-entries", {}));
    assert.equal(answer.status, 405);
  });
});

describe("an attribute with detailOnly", () => {
  const attributesOf = (answer: Answer) => Object.keys(one(answer).attributes);

  test("200 · 201 · appears wherever one resource is returned", async () => {
    const body = document("signposts", { url: "https://detailed.example/" });
    const created = await service.post("/v1/signposts", body);
    const { id } = one(created);
    const [entry] = many(await service.get(`/v1/signposts/${id}/diary`));
    for (const answer of [
      created,
      await service.get(`/v1/signposts/${id}`),
      await service.get(`/v1/signposts/${id}?include=diary`),
      await rename(id, "Changed", matching('"signpost-1"')),
      await service.get(`/v1/signpost-entries/${entry?.id}/signpost`),
      await service.get(`/v1/signposts/${id}?fields[signposts]=normalized-url`),
    ])
      assert.equal(one(answer).attributes["normalized-url"], "https://detailed.example/");
    const sparse = await service.get(`/v1/signposts/${id}?fields[signposts]=name`);
    assert.deepEqual(attributesOf(sparse), ["name"]);
    const { details } = one(await service.get(`/v1/signpost-entries/${entry?.id}`)).attributes;
    assert.deepEqual(details, { weather: "fine" });
  });

  test("200 · never appears in lists or included resources", async () => {
    const id = await makeSignpost();
    for (const query of ["", "&fields[signposts]=name,normalized-url"]) {
      const [listed] = many(await service.get(`/v1/signposts?filter[id]=${id}${query}`));
      assert.ok(listed && "name" in listed.attributes);
      assert.ok(!("normalized-url" in listed.attributes));
    }
    const { document: read } = await service.get(`/v1/signposts/${id}?include=diary`);
    for (const entry of [
      ...many(await service.get(`/v1/signposts/${id}/diary`)),
      ...(read.included ?? []),
    ])
      assert.deepEqual(Object.keys(entry.attributes), ["happened-at", "change"]);
  });
});

test("200 · a type may have its own default page size", async () => {
  for (const _ of [1, 2, 3]) await makeSignpost();
  const { document: page } = await service.get("/v1/signposts");
  assert.equal((page.data as unknown[]).length, 2);
  const { total, ...rest } = page.meta ?? {};
  assert.deepEqual(rest, { page: 1, size: 2 });
  assert.ok(Number(total) >= 3);
  assert.match(page.links?.["next"] ?? "", /page%5Bsize%5D=2/);
  const { document: whole } = await service.get("/v1/signposts?page[size]=100");
  assert.equal((whole.data as unknown[]).length, total);
  assert.equal((await service.get("/v1/signposts?page[size]=101")).status, 400);
  const { document: usual } = await service.get("/v1/signpost-entries");
  assert.equal(usual.meta?.["size"], 100);
});
