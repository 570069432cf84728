import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleOf, Unreachable, Vestry, VestryError } from "./index.ts";

interface Sent {
  method: string;
  url: string;
  path: string;
  headers: Headers;
  body: unknown;
  init: RequestInit;
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status, headers });

/** A client whose requests get these responses, one after the other. */
function client(...responses: (Response | Error)[]) {
  const sent: Sent[] = [];
  const answer: typeof fetch = async (url, init = {}) => {
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : init.body;
    assert.ok(typeof url === "string");
    const path = decodeURIComponent(url.replace("https://vestry.example", ""));
    sent.push({
      method: String(init.method),
      url,
      path,
      headers: new Headers(init.headers),
      body,
      init,
    });
    const response = responses.shift();
    if (response instanceof Error) throw response;
    assert.ok(response, "an unexpected request");
    return response;
  };
  const v = new Vestry({
    url: "https://vestry.example/",
    token: "t",
    clientToken: "c",
    fetch: answer,
  });
  return { v, sent };
}

const tag = { type: "tags", id: "1", attributes: { name: "Choir" } };
const page = (next: string | null, more: object = {}) =>
  json({ data: [tag], links: { next }, meta: { total: 3, size: 1, ...more } });

test("a request carries both tokens and follows no redirect", async () => {
  const { sent, v } = client(json({ data: tag }));
  await v.tags.get("a/b");
  const [{ headers, init, method, path }] = sent as [Sent];
  assert.deepEqual([method, path], ["GET", "/v1/tags/a/b"]);
  assert.equal(headers.get("authorization"), "Bearer t");
  assert.equal(headers.get("x-svc-api-token"), "c");
  assert.deepEqual([init.redirect, init.credentials], ["error", "omit"]);
});

test("a page names its person, except to the session, which says who has logged in", async () => {
  const sent: (string | null)[] = [];
  const v = new Vestry({
    url: "",
    person: () => "ana",
    fetch: async (_url, init) => {
      sent.push(new Headers(init?.headers).get("vestry-person"));
      return json({ data: tag });
    },
  });
  await v.tags.get("1");
  await v.session.get();
  assert.deepEqual(sent, ["ana", null]);
});

test("an id never leads to another path", async () => {
  const { sent, v } = client(json({ data: tag }));
  await v.tags.get("../people?a#b");
  assert.equal(sent[0]?.path, "/v1/tags/../people?a#b");
  assert.match(String(sent[0]?.url), /\/v1\/tags\/\.\.%2Fpeople%3Fa%23b$/);
  for (const id of ["", ".", ".."]) {
    await assert.rejects(v.tags.get(id), TypeError);
    await assert.rejects(v.tags.update(id, {}), TypeError);
    await assert.rejects(v.tags.delete(id), TypeError);
    assert.throws(() => v.people.link(id, "tags"), TypeError);
    assert.throws(() => v.people.photo({ id }), TypeError);
  }
});

test("a request for webhooks carries the token of the person alone", async () => {
  const { sent, v } = client(json({ data: [], meta: { total: 0 } }));
  await v.webhookEndpoints.page();
  assert.equal(sent[0]?.headers.get("x-svc-api-token"), null);
});

test("a page of a browser sends its cookie to its own origin", async () => {
  let sent: RequestInit | undefined;
  const v = new Vestry({
    url: "",
    fetch: async (url, init) => {
      assert.equal(url, "/session");
      sent = init;
      return json({ person: {} });
    },
  });
  await v.session.open({ username: "ana@grace.example", password: "secret" });
  const headers = new Headers(sent?.headers);
  assert.equal(headers.get("content-type"), "application/json");
  assert.equal(headers.get("authorization"), null);
  assert.equal(sent?.credentials, undefined);
});

test("a page has its number of pages and the page that follows", async () => {
  const { v } = client(page("https://vestry.example/v1/tags?page%5Bnumber%5D=3", { page: 2 }));
  const { items, ...rest } = await v.tags.page({ page: { number: 2, size: 1 } });
  assert.deepEqual(items, [{ id: "1", $type: "tags", name: "Choir" }]);
  assert.deepEqual(rest, { total: 3, pageCount: 3, meta: {}, next: { number: 3, size: 1 } });
});

test("a list follows the cursor to its end", async () => {
  const { sent, v } = client(page("https://vestry.example/v1/tags?page[after]=A%2B"), page(null));
  const found = await Array.fromAsync(
    v.tags.list({ filter: { name: "Choir" }, page: { size: 1 } }),
  );
  assert.equal(found.length, 2);
  assert.deepEqual(
    sent.map(({ path }) => path),
    [
      "/v1/tags?filter[name]=Choir&page[after]=&page[size]=1",
      "/v1/tags?filter[name]=Choir&page[after]=A+&page[size]=1",
    ],
  );
});

test("a list that ends early reads no further page", async () => {
  const { sent, v } = client(page("https://vestry.example/v1/tags?page[after]=A"));
  for await (const one of v.tags.list()) {
    assert.equal(one.name, "Choir");
    break;
  }
  assert.equal(sent.length, 1);
});

test("a list waits once for as long as the service asks", async () => {
  const busy = () => json({ errors: [] }, 429, { "Retry-After": "0" });
  const { v } = client(busy(), page(null));
  assert.equal((await Array.fromAsync(v.tags.list())).length, 1);
  await assert.rejects(Array.fromAsync(client(busy(), busy()).v.tags.list()), { status: 429 });
});

test("the time to wait is a number of seconds or a date", async () => {
  const later = new Date(Date.now() + 90_000).toUTCString();
  for (const [value, least, most] of [
    ["7", 7, 7],
    [later, 80, 90],
    ["Mon, 01 Jan 2024 00:00:00 GMT", 0, 0],
  ] as const) {
    const { v } = client(json({ errors: [] }, 503, { "Retry-After": value }));
    const { retryAfter } = (await v.tags.get("1").catch((one: unknown) => one)) as VestryError;
    assert.ok(retryAfter !== undefined && retryAfter >= least && retryAfter <= most, value);
  }
});

test("an aborted list stops to wait", async () => {
  const { v } = client(json({ errors: [] }, 503, { "Retry-After": "3600" }));
  const abort = new AbortController();
  const items = Array.fromAsync(v.tags.list({}, { signal: abort.signal }));
  setImmediate(() => abort.abort());
  await assert.rejects(items, { name: "AbortError" });
});

test("a create sends its key, and its answer carries the version", async () => {
  const { sent, v } = client(json({ data: tag }, 201, { ETag: '"1-a"' }));
  const created = await v.tags.create(
    { "name": "Choir", "applies-to": ["people"] },
    { idempotencyKey: "k1", fields: { tags: ["name"] } },
  );
  const [{ body, headers, method, path }] = sent as [Sent];
  assert.deepEqual([method, path], ["POST", "/v1/tags?fields[tags]=name"]);
  assert.equal(headers.get("idempotency-key"), "k1");
  assert.equal(headers.get("content-type"), "application/vnd.api+json");
  assert.deepEqual(body, {
    data: { type: "tags", attributes: { "name": "Choir", "applies-to": ["people"] } },
  });
  assert.equal(created.$etag, '"1-a"');
});

test("a change and a deletion send the version of the record, or the one that is given", async () => {
  const { sent, v } = client(
    json({ data: tag }),
    json({ data: tag }),
    json(undefined, 204),
    json(undefined, 204),
  );
  const record = { id: "1", $type: "tags", $etag: '"1-a"' } as const;
  await v.tags.update(record, { name: "Band" });
  await v.tags.update(record, { name: "Band" }, { etag: '"2-b"' });
  await v.tags.delete(record);
  await v.tags.delete("1");
  assert.deepEqual(
    sent.map(({ headers }) => headers.get("if-match")),
    ['"1-a"', '"2-b"', '"1-a"', null],
  );
  assert.deepEqual(sent[0]?.body, {
    data: { type: "tags", id: "1", attributes: { name: "Band" } },
  });
});

test("an action has no answer", async () => {
  const { sent, v } = client(json(undefined, 204));
  const made = await v.accessTokenRevocations.create({ person: "p1" });
  assert.equal(made, undefined);
  const person = { data: { type: "people", id: "p1" } };
  assert.deepEqual(sent[0]?.body, {
    data: { type: "access-token-revocations", relationships: { person } },
  });
});

test("links are added, removed and replaced", async () => {
  const linked = () => json({ data: [{ type: "tags", id: "1" }] });
  const { sent, v } = client(linked(), linked(), linked());
  const tags = v.people.link("p1", "tags");
  assert.deepEqual(await tags.add("1", { idempotencyKey: "k1" }), [{ id: "1", $type: "tags" }]);
  await tags.remove([{ id: "1" }]);
  await tags.replace([], { etag: '"1-a"' });
  assert.deepEqual(
    sent.map(({ body, method, path }) => [method, path, body]),
    [
      ["POST", "/v1/people/p1/relationships/tags", { data: [{ type: "tags", id: "1" }] }],
      ["DELETE", "/v1/people/p1/relationships/tags", { data: [{ type: "tags", id: "1" }] }],
      ["PATCH", "/v1/people/p1/relationships/tags", { data: [] }],
    ],
  );
  assert.equal(sent[0]?.headers.get("idempotency-key"), "k1");
  assert.equal(sent[2]?.headers.get("if-match"), '"1-a"');
});

test("a file is sent with its type and its name", async () => {
  const { sent, v } = client(json({ data: tag }), json({ data: tag }), json(undefined, 204));
  await v.people.photo("p1").put(new Blob([Buffer.from("89504e470d0a1a0a", "hex")]));
  await v.courseMaterials
    .attachments("m1")
    .post(new File(["%PDF"], "Überblick (1).pdf", { type: "application/pdf" }));
  await v.people.photo("p1").delete();
  assert.deepEqual(
    sent.map(({ headers, method, path }) => [method, path, headers.get("content-type")]),
    [
      ["PUT", "/v1/people/p1/photo", "image/png"],
      ["POST", "/v1/course-materials/m1/attachments", "application/pdf"],
      ["DELETE", "/v1/people/p1/photo", null],
    ],
  );
  assert.equal(
    sent[1]?.headers.get("content-disposition"),
    "attachment; filename*=UTF-8''%C3%9Cberblick%20%281%29.pdf",
  );
});

test("an error shows its first problem on top and keeps all of them", async () => {
  const errors = [
    {
      status: "422",
      code: "invalid-attribute",
      detail: "Must be a date.",
      source: { pointer: "/data/attributes/birthdate" },
      meta: { "rule": "format", "format": "date", "request-id": "r1" },
    },
    { status: "422", code: "missing-attribute", detail: "Is required." },
  ];
  const { v } = client(json({ errors }, 422, { "X-Request-Id": "r1", "Retry-After": "3" }));
  const error = await v.tags.get("1").catch((one: unknown) => one);
  assert.ok(error instanceof VestryError);
  const { code, detail, meta, pointer, requestId, retryAfter, status } = error;
  assert.deepEqual(
    [status, code, detail, pointer, meta["rule"], requestId, retryAfter],
    [422, "invalid-attribute", "Must be a date.", "/data/attributes/birthdate", "format", "r1", 3],
  );
  assert.deepEqual(error.errors, errors);
  const [format, none] = error.errors.map(ruleOf);
  assert.equal(format?.rule === "format" && format.format, "date");
  assert.equal(none, undefined);
  assert.match(error.message, /Must be a date\..*Is required\./);
});

test("the page of a proxy or of the network is an error", async () => {
  const html = (status: number) => new Response("<h1>Log in to this network</h1>", { status });
  await assert.rejects(client(html(502)).v.tags.get("1"), { status: 502, code: "http-502" });
  await assert.rejects(client(html(200)).v.tags.get("1"), Unreachable);
  await assert.rejects(client(html(200)).v.session.get(), Unreachable);
});

test("a request returns the text of a file", async () => {
  const csv = new Response("Nome,Errors", { headers: { "Content-Type": "text/csv" } });
  const { body } = await client(csv).v.request("GET", "/v1/import-jobs/1/error-file");
  assert.equal(body, "Nome,Errors");
});

test("a request without an answer is unreachable, and an aborted one is aborted", async () => {
  const cause = new TypeError("fetch failed");
  await assert.rejects(client(cause).v.tags.get("1"), (error) => {
    assert.ok(error instanceof Unreachable && error instanceof VestryError);
    assert.deepEqual([error.status, error.code, error.cause], [0, "unreachable", cause]);
    return true;
  });
  const signal = AbortSignal.abort();
  await assert.rejects(client(cause).v.tags.get("1", {}, { signal }), { name: "AbortError" });
});
